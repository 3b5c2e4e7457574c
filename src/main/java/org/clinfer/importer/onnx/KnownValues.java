package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongBinaryOperator;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Elements of small integer and bool values that follow from constants and declared sizes: what conditions and numbers of
 * turns are computed from. How the elements are arranged is not followed.
 */
final class KnownValues {

    /** A value with more elements is no size and no condition. */
    private static final int MAX_ELEMENTS = 64;

    private static final Map<String, LongBinaryOperator> BINARY = Map.ofEntries(
            Map.entry("Add", Long::sum),
            Map.entry("Sub", (a, b) -> a - b),
            Map.entry("Mul", (a, b) -> a * b),
            Map.entry("Div", (a, b) -> b == 0 ? 0 : a / b),
            Map.entry("Min", Math::min),
            Map.entry("Max", Math::max),
            Map.entry("Equal", (a, b) -> a == b ? 1 : 0),
            Map.entry("Less", (a, b) -> a < b ? 1 : 0),
            Map.entry("LessOrEqual", (a, b) -> a <= b ? 1 : 0),
            Map.entry("Greater", (a, b) -> a > b ? 1 : 0),
            Map.entry("GreaterOrEqual", (a, b) -> a >= b ? 1 : 0),
            Map.entry("And", (a, b) -> a & b),
            Map.entry("Or", (a, b) -> a | b),
            Map.entry("Xor", (a, b) -> a ^ b));

    private final Map<String, Tensor> constants;
    private final Set<String> decisive;
    private final KnownTypes types;
    private final Map<String, long[]> values = new HashMap<>();

    /**
     * @param constants the constants known so far; read, never written
     * @param decisive where constants are noted whose elements were asked for
     */
    KnownValues(Map<String, Tensor> constants, Set<String> decisive, KnownTypes types) {
        this.constants = constants;
        this.decisive = decisive;
        this.types = types;
    }

    /** The elements of a value as integers, truths being 0 and 1. */
    Optional<long[]> of(String value) {
        long[] known = values.get(value);
        if (known != null) {
            return Optional.of(known);
        }
        return Optional.ofNullable(constants.get(value))
                .filter(constant -> constant.elements() <= MAX_ELEMENTS)
                .filter(constant -> constant.dtype().isGeneral()
                        && !constant.dtype().isFloating()
                        && constant.dtype() != DType.UINT64)
                .map(constant -> {
                    decisive.add(value);
                    return constant.toLongArray();
                });
    }

    /** The only element of a value. */
    Optional<Long> single(String value) {
        return of(value).filter(elements -> elements.length == 1).map(elements -> elements[0]);
    }

    /** Notes what a node's output must be. */
    void follow(Node node) {
        resultOf(node)
                .filter(result -> result.length <= MAX_ELEMENTS)
                .ifPresent(result -> values.put(node.outputs().get(0), result));
    }

    private Optional<long[]> resultOf(Node node) {
        LongBinaryOperator binary = BINARY.get(node.op());
        if (binary != null) {
            return node.inputs().size() == 2 ? pair(node, binary) : Optional.empty();
        }
        return switch (node.op()) {
            case "Identity", "Squeeze", "Unsqueeze", "Reshape", "Flatten" -> input(node, 0);
            case "Cast" -> cast(node);
            case "Not" ->
                input(node, 0).map(x -> Arrays.stream(x).map(truth -> 1 - truth).toArray());
            case "Shape" -> shape(node);
            case "Size" -> size(node);
            case "Gather" -> gather(node);
            case "Concat" -> concat(node);
            default -> Optional.empty();
        };
    }

    private Optional<long[]> input(Node node, int index) {
        return index < node.inputs().size() ? of(node.inputs().get(index)) : Optional.empty();
    }

    private Optional<long[]> pair(Node node, LongBinaryOperator function) {
        Optional<long[]> left = input(node, 0);
        Optional<long[]> right = input(node, 1);
        if (left.isEmpty() || right.isEmpty()) {
            return Optional.empty();
        }
        long[] a = left.get();
        long[] b = right.get();
        if (a.length != b.length && a.length != 1 && b.length != 1) {
            return Optional.empty();
        }
        long[] result = new long[a.length == 1 ? b.length : a.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = function.applyAsLong(a[a.length == 1 ? 0 : i], b[b.length == 1 ? 0 : i]);
        }
        return Optional.of(result);
    }

    private Optional<long[]> cast(Node node) {
        Optional<DType> to = DType.of(String.valueOf(node.params().get("to")));
        if (to.isEmpty()) {
            return Optional.empty();
        }
        return switch (to.get()) {
            case INT64, INT32 -> input(node, 0);
            case BOOL ->
                input(node, 0)
                        .map(x -> Arrays.stream(x)
                                .map(number -> number == 0 ? 0 : 1)
                                .toArray());
            default -> Optional.empty();
        };
    }

    private Optional<long[]> shape(Node node) {
        Optional<Shape> shape = types.of(node.inputs().get(0)).shape();
        if (shape.isEmpty()) {
            return Optional.empty();
        }
        int rank = shape.get().rank();
        int start = place(node.params().get("start"), 0, rank);
        int end = Math.max(start, place(node.params().get("end"), rank, rank));
        return known(shape.get().dims().subList(start, end));
    }

    /** The begin or the end of a range of axes; a negative number counts from the end. */
    private static int place(@Nullable Attribute given, int otherwise, int rank) {
        if (!(given instanceof Attribute.IntValue number)) {
            return otherwise;
        }
        long place = number.value() < 0 ? number.value() + rank : number.value();
        return (int) Math.max(0, Math.min(rank, place));
    }

    private Optional<long[]> size(Node node) {
        Optional<long[]> elements = sizes(node);
        return elements.map(sizes -> new long[] {Arrays.stream(sizes).reduce(1, (a, b) -> a * b)});
    }

    private Optional<long[]> sizes(Node node) {
        return types.of(node.inputs().get(0)).shape().flatMap(shape -> known(shape.dims()));
    }

    private static Optional<long[]> known(List<Dim> dims) {
        return dims.stream().allMatch(Dim.Known.class::isInstance)
                ? Optional.of(
                        dims.stream().mapToLong(dim -> ((Dim.Known) dim).size()).toArray())
                : Optional.empty();
    }

    /** An element of a shape, and of whatever else has one axis at most. */
    private Optional<long[]> gather(Node node) {
        Optional<long[]> from = input(node, 0);
        Optional<long[]> at = input(node, 1);
        boolean first = !(node.params().get("axis") instanceof Attribute.IntValue axis) || axis.value() == 0;
        if (from.isEmpty()
                || at.isEmpty()
                || !first
                || types.rank(node.inputs().get(0)).orElse(2) > 1) {
            return Optional.empty();
        }
        long[] elements = from.get();
        long[] chosen = new long[at.get().length];
        for (int i = 0; i < chosen.length; i++) {
            long place = at.get()[i] < 0 ? at.get()[i] + elements.length : at.get()[i];
            if (place < 0 || place >= elements.length) {
                return Optional.empty();
            }
            chosen[i] = elements[(int) place];
        }
        return Optional.of(chosen);
    }

    private Optional<long[]> concat(Node node) {
        List<Optional<long[]>> parts = node.inputs().stream().map(this::of).toList();
        if (parts.stream().anyMatch(Optional::isEmpty)
                || node.inputs().stream().anyMatch(part -> types.rank(part).orElse(2) != 1)) {
            return Optional.empty();
        }
        return Optional.of(parts.stream()
                .flatMapToLong(part -> Arrays.stream(part.orElseThrow()))
                .toArray());
    }
}
