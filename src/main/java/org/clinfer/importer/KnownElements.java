package org.clinfer.importer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/**
 * The elements of sizes, axes and conditions while a graph is written, each as far as it is known: the shape of a value of a
 * batch of unknown size has one unknown element.
 */
public final class KnownElements {

    private static final Map<String, LongBinaryOperator> BINARY = Map.ofEntries(
            Map.entry("Add", Math::addExact),
            Map.entry("Sub", Math::subtractExact),
            Map.entry("Mul", Math::multiplyExact),
            Map.entry("Div", (a, b) -> a / b),
            Map.entry("Max", Math::max),
            Map.entry("Min", Math::min),
            Map.entry("Equal", (a, b) -> a == b ? 1 : 0),
            Map.entry("Less", (a, b) -> a < b ? 1 : 0),
            Map.entry("LessOrEqual", (a, b) -> a <= b ? 1 : 0),
            Map.entry("Greater", (a, b) -> a > b ? 1 : 0),
            Map.entry("GreaterOrEqual", (a, b) -> a >= b ? 1 : 0),
            Map.entry("And", (a, b) -> a & b),
            Map.entry("Or", (a, b) -> a | b),
            Map.entry("Xor", (a, b) -> a ^ b));

    /** Elements of all results together at most, so that no file takes much time or memory; sizes are few. */
    private static final int MOST_IN_ALL = 1 << 20;

    private final Map<String, Integers> known = new HashMap<>();
    private final Function<String, KnownType> types;
    private final Function<String, Optional<Integers>> constants;
    private int followed;

    /**
     * The elements of nothing but constants yet.
     *
     * @param types the types of the values of the graph, as far as they are known
     * @param constants the elements of a constant; empty for another value
     */
    public KnownElements(Function<String, KnownType> types, Function<String, Optional<Integers>> constants) {
        this.types = types;
        this.constants = constants;
    }

    /** The elements of a value. */
    public Optional<Integers> of(String value) {
        return Optional.ofNullable(known.get(value)).or(() -> constants.apply(value));
    }

    /** Follows an operator; the elements of its first output. */
    public Optional<Integers> follow(Node node) {
        boolean ofSizes = node.op().equals("Shape") || node.op().equals("Size");
        if (!ofSizes && node.inputs().stream().allMatch(input -> of(input).isEmpty())) {
            return Optional.empty();
        }
        String output = node.outputs().get(0);
        KnownType type = types.apply(output);
        int rank = type.rank().orElse(2);
        boolean whole = type.dtype()
                .filter(dtype -> dtype.isInteger() || dtype == DType.BOOL)
                .isPresent();
        if (!whole || rank > 1 || followed > MOST_IN_ALL) {
            return Optional.empty();
        }
        try {
            Optional<Integers> found = elements(node, type)
                    .filter(elements -> elements.size() <= Integers.MOST && (rank == 1 || elements.size() == 1))
                    .map(elements -> new Integers(elements.values(), rank == 0));
            found.ifPresent(elements -> {
                followed += elements.size();
                known.put(output, elements);
            });
            return found;
        } catch (ArithmeticException notComputable) {
            return Optional.empty();
        }
    }

    private Optional<Integers> elements(Node node, KnownType type) {
        LongBinaryOperator binary = BINARY.get(node.op());
        if (binary != null) {
            return elementwise(node, x -> combined(x, binary));
        }
        return switch (node.op()) {
            case "Identity", "Squeeze", "Unsqueeze", "Reshape", "Flatten" -> input(node, 0);
            case "Cast" -> cast(node, type);
            case "Mod" -> elementwise(node, x -> x.get(0).flatMap(a -> x.get(1).map(b -> remainder(node, a, b))));
            case "Neg" -> elementwise(node, x -> x.get(0).map(Math::negateExact));
            case "Not" -> elementwise(node, x -> x.get(0).map(value -> 1 - value));
            case "Where" -> elementwise(node, x -> x.get(0).flatMap(condition -> x.get(condition != 0 ? 1 : 2)));
            case "Shape" -> shape(node);
            case "Size" ->
                types.apply(node.inputs().get(0))
                        .shape()
                        .filter(Shape::isKnown)
                        .map(shape -> Integers.scalar(Optional.of(shape.elements())));
            case "Concat" -> concat(node);
            case "Slice" -> slice(node);
            case "Gather" -> gather(node);
            case "Range" -> range(node, type);
            case "Expand" -> expand(node, type);
            case "DeePhiTile" -> tile(node);
            case "ReduceProd" -> reduced(node, Math::multiplyExact, 1);
            case "ReduceSum" -> reduced(node, Math::addExact, 0);
            default -> Optional.empty();
        };
    }

    private Optional<Integers> input(Node node, int index) {
        return index < node.inputs().size() ? of(node.inputs().get(index)) : Optional.empty();
    }

    private Optional<Integers> elementwise(Node node, Function<List<Optional<Long>>, Optional<Long>> function) {
        List<Integers> operands =
                node.inputs().stream().flatMap(input -> of(input).stream()).toList();
        if (operands.size() < node.inputs().size()) {
            return Optional.empty();
        }
        int size = operands.stream()
                .mapToInt(Integers::size)
                .filter(count -> count != 1)
                .findFirst()
                .orElse(1);
        if (operands.stream().anyMatch(operand -> operand.size() != size && operand.size() != 1)) {
            return Optional.empty();
        }
        List<Optional<Long>> values = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            int position = i;
            values.add(function.apply(operands.stream()
                    .map(operand -> operand.at(operand.size() == 1 ? 0 : position))
                    .toList()));
        }
        return Optional.of(Integers.vector(values));
    }

    /** One operand or more, as Max and Min take them. */
    private static Optional<Long> combined(List<Optional<Long>> operands, LongBinaryOperator binary) {
        return operands.stream()
                .reduce((all, next) -> all.flatMap(a -> next.map(b -> binary.applyAsLong(a, b))))
                .flatMap(Function.identity());
    }

    /** As the operator has it, whose remainder of a division by 0 is 0. */
    private static long remainder(Node node, long a, long b) {
        boolean ofLeft = node.params().get("fmod") instanceof Attribute.BoolValue fmod && fmod.value();
        return b == 0 ? 0 : ofLeft ? a % b : Math.floorMod(a, b);
    }

    private Optional<Integers> cast(Node node, KnownType type) {
        boolean truth = type.dtype().filter(dtype -> dtype == DType.BOOL).isPresent();
        return elementwise(node, x -> truth ? x.get(0).map(value -> value == 0 ? 0L : 1L) : x.get(0));
    }

    private Optional<Integers> shape(Node node) {
        return types.apply(node.inputs().get(0)).shape().map(shape -> {
            int rank = shape.rank();
            int start = (int) clipped(integer(node, "start", 0), rank, 0, rank);
            int end = (int) clipped(integer(node, "end", rank), rank, 0, rank);
            List<Dim> dims = shape.dims().subList(Math.min(start, end), end);
            return Integers.vector(dims.stream()
                    .map(dim -> dim instanceof Dim.Known size ? Optional.of(size.size()) : Optional.<Long>empty())
                    .toList());
        });
    }

    /** Parts of which nothing but the number of elements is known are as many unknown elements. */
    private Optional<Integers> concat(Node node) {
        List<Optional<Long>> values = new ArrayList<>();
        for (String input : node.inputs()) {
            Optional<List<Optional<Long>>> part = of(input)
                    .map(Integers::values)
                    .or(() -> types.apply(input)
                            .size(0)
                            .filter(size -> size <= Integers.MOST)
                            .map(size -> Collections.nCopies(size.intValue(), Optional.empty())));
            if (part.isEmpty() || values.size() > Integers.MOST) {
                return Optional.empty();
            }
            values.addAll(part.get());
        }
        return Optional.of(Integers.vector(values));
    }

    private Optional<Integers> slice(Node node) {
        Optional<Integers> x = input(node, 0);
        List<Long> starts = integers(node, "starts");
        if (x.isEmpty() || starts.isEmpty()) {
            return x.filter(all -> node.inputs().size() == 1);
        }
        int size = x.get().size();
        long given = integers(node, "steps").stream().findFirst().orElse(1L);
        if (given == 0) {
            return Optional.empty();
        }
        long step = Math.max(-size - 1, Math.min(size + 1, given));
        boolean forward = step > 0;
        long last = integers(node, "ends").get(0);
        boolean whole = !forward && (last == Integer.MAX_VALUE || last == Long.MAX_VALUE);
        long end = whole ? -1 : clipped(last, size, forward ? 0 : -1, size);
        List<Optional<Long>> picked = new ArrayList<>();
        for (long at = clipped(starts.get(0), size, 0, forward ? size : size - 1);
                forward ? at < end : at > end;
                at += step) {
            picked.add(x.get().at((int) at));
        }
        return Optional.of(Integers.vector(picked));
    }

    /** An index counted from the front, between two others. */
    private static long clipped(long index, int size, int least, int most) {
        long positive = index < 0 ? index + size : index;
        return Math.min(Math.max(positive, least), most);
    }

    private Optional<Integers> gather(Node node) {
        Optional<Integers> x = input(node, 0);
        Optional<long[]> indices = input(node, 1).flatMap(Integers::all);
        if (x.isEmpty() || indices.isEmpty()) {
            return Optional.empty();
        }
        List<Optional<Long>> picked = new ArrayList<>();
        for (long index : indices.get()) {
            long position = index < 0 ? index + x.get().size() : index;
            if (position < 0 || position >= x.get().size()) {
                return Optional.empty();
            }
            picked.add(x.get().at((int) position));
        }
        return Optional.of(Integers.vector(picked));
    }

    private Optional<Integers> range(Node node, KnownType type) {
        Optional<Long> start = input(node, 0).flatMap(value -> value.at(0));
        Optional<Long> delta = input(node, 2).flatMap(value -> value.at(0));
        Optional<Long> count = type.size(0).filter(size -> size <= Integers.MOST);
        if (start.isEmpty() || delta.isEmpty() || count.isEmpty()) {
            return Optional.empty();
        }
        List<Optional<Long>> values = new ArrayList<>();
        for (int i = 0; i < count.get(); i++) {
            values.add(Optional.of(start.get() + i * delta.get()));
        }
        return Optional.of(Integers.vector(values));
    }

    private Optional<Integers> expand(Node node, KnownType type) {
        Optional<Integers> x = input(node, 0);
        boolean repeated = x.isPresent() && x.get().size() == 1 && type.rank().orElse(0) == 1;
        return repeated
                ? type.size(0)
                        .filter(size -> size <= Integers.MOST)
                        .map(size -> Integers.vector(
                                Collections.nCopies(size.intValue(), x.get().at(0))))
                : x;
    }

    private Optional<Integers> tile(Node node) {
        Optional<Integers> x = input(node, 0);
        Optional<Long> times = integers(node, "multiples").stream()
                .findFirst()
                .or(() -> input(node, 1)
                        .filter(multiples -> multiples.size() == 1)
                        .flatMap(all -> all.at(0)));
        if (x.isEmpty() || times.isEmpty() || times.get() < 0) {
            return Optional.empty();
        }
        if (Math.multiplyExact(x.get().size(), times.get()) > Integers.MOST) {
            return Optional.empty();
        }
        List<Optional<Long>> values = new ArrayList<>();
        for (long i = 0; i < times.get(); i++) {
            values.addAll(x.get().values());
        }
        return Optional.of(Integers.vector(values));
    }

    private Optional<Integers> reduced(Node node, LongBinaryOperator operator, long start) {
        Optional<long[]> x = input(node, 0).flatMap(Integers::all);
        if (x.isEmpty() || integers(node, "axis").size() != 1) {
            return Optional.empty();
        }
        long result = start;
        for (long value : x.get()) {
            result = operator.applyAsLong(result, value);
        }
        return Optional.of(Integers.scalar(Optional.of(result)));
    }

    private static long integer(Node node, String param, long otherwise) {
        return node.params().get(param) instanceof Attribute.IntValue number ? number.value() : otherwise;
    }

    private static List<Long> integers(Node node, String param) {
        return node.params().get(param) instanceof Attribute.ListValue list
                ? list.values().stream()
                        .map(value -> ((Attribute.IntValue) value).value())
                        .toList()
                : List.of();
    }
}
