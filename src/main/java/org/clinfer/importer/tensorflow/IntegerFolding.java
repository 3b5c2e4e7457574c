package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongBinaryOperator;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;

/**
 * Computes sizes, axes and conditions beforehand, element by element as far as they are known: the shape of a value of a
 * batch of unknown size has one unknown element.
 */
final class IntegerFolding {

    private static final Map<String, LongBinaryOperator> BINARY = Map.ofEntries(
            Map.entry("Add", Math::addExact),
            Map.entry("AddV2", Math::addExact),
            Map.entry("Sub", Math::subtractExact),
            Map.entry("Mul", Math::multiplyExact),
            Map.entry("FloorDiv", Math::floorDiv),
            Map.entry("FloorMod", Math::floorMod),
            Map.entry("Maximum", Math::max),
            Map.entry("Minimum", Math::min));

    private static final Map<String, LongBinaryOperator> CONDITIONS = Map.of(
            "Equal", (a, b) -> a == b ? 1 : 0,
            "NotEqual", (a, b) -> a != b ? 1 : 0,
            "Less", (a, b) -> a < b ? 1 : 0,
            "LessEqual", (a, b) -> a <= b ? 1 : 0,
            "Greater", (a, b) -> a > b ? 1 : 0,
            "GreaterEqual", (a, b) -> a >= b ? 1 : 0,
            "LogicalAnd", (a, b) -> a & b,
            "LogicalOr", (a, b) -> a | b);

    private final Call call;

    private IntegerFolding(Call call) {
        this.call = call;
    }

    /** The known elements of the first output of a node, if it is a scalar or vector of integers or bools. */
    static Optional<Integers> fold(Call call) {
        try {
            return new IntegerFolding(call).fold();
        } catch (ArithmeticException notComputable) {
            return Optional.empty();
        }
    }

    /** The type of that output. */
    static Optional<DType> dtype(Call call) {
        String op = call.node().op();
        if (CONDITIONS.containsKey(op) || op.equals("LogicalNot")) {
            return Optional.of(DType.BOOL);
        }
        return switch (op) {
            case "Shape", "Size" -> Optional.of(call.node().dtype("out_type").orElse(DType.INT32));
            case "Rank" -> Optional.of(DType.INT32);
            case "Cast" -> call.node().dtype("DstT");
            case "Fill" -> call.input(1).dtype();
            default ->
                call.inputs().isEmpty() ? Optional.empty() : call.input(0).dtype();
        };
    }

    private Optional<Integers> fold() {
        String op = call.node().op();
        LongBinaryOperator binary = BINARY.getOrDefault(op, CONDITIONS.get(op));
        if (binary != null && call.inputs().size() == 2) {
            return binary(binary);
        }
        return switch (op) {
            case "Shape" -> shape();
            case "Rank" -> call.input(0).shape().map(shape -> Integers.scalar(Optional.of((long) shape.rank())));
            case "Size" -> size();
            case "Cast" -> castToInteger();
            case "LogicalNot" -> known(0).map(values -> values.withEach(value -> 1 - value));
            case "Neg" -> known(0).map(values -> values.withEach(Math::negateExact));
            case "Pack" -> pack();
            case "ConcatV2" -> concat();
            case "ExpandDims", "Reshape" -> reshaped();
            case "Squeeze" -> known(0).filter(values -> values.size() == 1).map(v -> Integers.scalar(v.at(0)));
            case "StridedSlice" -> stridedSlice();
            case "Slice" -> slice();
            case "Gather", "GatherV2" -> gather();
            case "Range" -> range();
            case "Fill" -> fill();
            case "Prod" -> reduced(Math::multiplyExact, 1);
            case "Sum" -> reduced(Math::addExact, 0);
            default -> Optional.empty();
        };
    }

    private Optional<Integers> known(int input) {
        return input < call.inputs().size() ? call.graph().integers(call.input(input)) : Optional.empty();
    }

    private Optional<long[]> whole(int input) {
        return known(input).flatMap(Integers::all);
    }

    private Optional<Integers> binary(LongBinaryOperator operator) {
        Optional<Integers> left = known(0);
        Optional<Integers> right = known(1);
        if (left.isEmpty() || right.isEmpty()) {
            return Optional.empty();
        }
        Integers a = left.get();
        Integers b = right.get();
        int size = a.scalar() || a.size() == 1 ? b.size() : a.size();
        boolean fits = (a.size() == size || a.size() == 1) && (b.size() == size || b.size() == 1);
        if (!fits) {
            return Optional.empty();
        }
        List<Optional<Long>> values = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Optional<Long> first = a.at(a.size() == 1 ? 0 : i);
            Optional<Long> second = b.at(b.size() == 1 ? 0 : i);
            values.add(first.flatMap(x -> second.map(y -> operator.applyAsLong(x, y))));
        }
        return Optional.of(new Integers(values, a.scalar() && b.scalar()));
    }

    private Optional<Integers> shape() {
        return call.input(0)
                .shape()
                .map(shape -> Integers.vector(shape.dims().stream()
                        .map(dim -> dim instanceof Dim.Known known ? Optional.of(known.size()) : Optional.<Long>empty())
                        .toList()));
    }

    private Optional<Integers> size() {
        return call.input(0)
                .shape()
                .filter(shape -> shape.isKnown())
                .map(shape -> Integers.scalar(Optional.of(shape.elements())));
    }

    private Optional<Integers> castToInteger() {
        Optional<DType> to = call.node().dtype("DstT");
        boolean integer =
                to.filter(type -> type == DType.INT32 || type == DType.INT64).isPresent();
        return integer ? known(0) : Optional.empty();
    }

    private Optional<Integers> pack() {
        if (call.node().integer("axis", 0) != 0) {
            return Optional.empty();
        }
        List<Optional<Long>> values = new ArrayList<>();
        for (Value input : call.inputs()) {
            Optional<Integers> part = call.graph().integers(input);
            boolean scalar = part.map(Integers::scalar)
                    .orElse(input.hasRank(0)
                            && input.dtype().filter(DType::isInteger).isPresent());
            if (!scalar) {
                return Optional.empty();
            }
            values.add(part.flatMap(found -> found.at(0)));
        }
        return Optional.of(Integers.vector(values));
    }

    private Optional<Integers> concat() {
        int last = call.inputs().size() - 1;
        List<Optional<Long>> values = new ArrayList<>();
        for (int i = 0; i < last; i++) {
            Optional<Integers> part = known(i).filter(found -> !found.scalar());
            if (part.isEmpty()) {
                return Optional.empty();
            }
            values.addAll(part.get().values());
        }
        return values.size() > Integers.MOST ? Optional.empty() : Optional.of(Integers.vector(values));
    }

    /** A scalar as a vector, or a vector of one element as a scalar. */
    private Optional<Integers> reshaped() {
        Optional<Integers> values = known(0);
        if (values.isEmpty()) {
            return Optional.empty();
        }
        if (call.node().op().equals("ExpandDims")) {
            return values.filter(Integers::scalar).map(found -> Integers.vector(found.values()));
        }
        Optional<long[]> target = whole(1);
        if (target.isEmpty() || target.get().length > 1) {
            return Optional.empty();
        }
        return Optional.of(new Integers(values.get().values(), target.get().length == 0))
                .filter(result -> !result.scalar() || result.size() == 1);
    }

    private Optional<Integers> stridedSlice() {
        Optional<Integers> values = known(0).filter(found -> !found.scalar());
        Optional<long[]> begin = whole(1);
        Optional<long[]> end = whole(2);
        Optional<long[]> stride = whole(3);
        TfNode node = call.node();
        boolean plain = node.integer("ellipsis_mask", 0) == 0 && node.integer("new_axis_mask", 0) == 0;
        if (!plain || values.isEmpty() || begin.isEmpty() || end.isEmpty() || stride.isEmpty()) {
            return Optional.empty();
        }
        if (begin.get().length != 1 || end.get().length != 1 || stride.get().length != 1 || stride.get()[0] == 0) {
            return Optional.empty();
        }
        int size = values.get().size();
        if ((node.integer("shrink_axis_mask", 0) & 1) == 1) {
            long at = begin.get()[0] < 0 ? begin.get()[0] + size : begin.get()[0];
            return at < 0 || at >= size
                    ? Optional.empty()
                    : Optional.of(Integers.scalar(values.get().at((int) at)));
        }
        boolean whole = stride.get()[0] > 0;
        long first =
                (node.integer("begin_mask", 0) & 1) == 1 ? whole ? 0 : size - 1 : clipped(begin.get()[0], size, whole);
        long last = (node.integer("end_mask", 0) & 1) == 1 ? whole ? size : -1 : clipped(end.get()[0], size, whole);
        List<Optional<Long>> picked = new ArrayList<>();
        for (long at = first; whole ? at < last : at > last; at += stride.get()[0]) {
            picked.add(values.get().at((int) at));
        }
        return Optional.of(Integers.vector(picked));
    }

    private static long clipped(long index, int size, boolean forward) {
        long positive = index < 0 ? index + size : index;
        return forward ? Math.min(Math.max(positive, 0), size) : Math.min(Math.max(positive, -1), size - 1);
    }

    private Optional<Integers> slice() {
        Optional<Integers> values = known(0).filter(found -> !found.scalar());
        Optional<long[]> begin = whole(1).filter(found -> found.length == 1);
        Optional<long[]> size = whole(2).filter(found -> found.length == 1);
        if (values.isEmpty() || begin.isEmpty() || size.isEmpty()) {
            return Optional.empty();
        }
        long first = begin.get()[0];
        long last = size.get()[0] < 0 ? values.get().size() : first + size.get()[0];
        return first < 0 || first > last || last > values.get().size()
                ? Optional.empty()
                : Optional.of(Integers.vector(values.get().values().subList((int) first, (int) last)));
    }

    private Optional<Integers> gather() {
        Optional<Integers> values = known(0).filter(found -> !found.scalar());
        Optional<Integers> indices = known(1);
        boolean batches = call.node().integer("batch_dims", 0) != 0;
        if (batches || values.isEmpty() || indices.isEmpty() || !indices.get().isKnown()) {
            return Optional.empty();
        }
        List<Optional<Long>> picked = new ArrayList<>();
        for (long index : indices.get().all().orElseThrow()) {
            if (index < 0 || index >= values.get().size()) {
                return Optional.empty();
            }
            picked.add(values.get().at((int) index));
        }
        return Optional.of(new Integers(picked, indices.get().scalar()));
    }

    private Optional<Integers> range() {
        Optional<long[]> start = whole(0).filter(found -> found.length == 1);
        Optional<long[]> limit = whole(1).filter(found -> found.length == 1);
        Optional<long[]> delta = whole(2).filter(found -> found.length == 1 && found[0] != 0);
        if (start.isEmpty() || limit.isEmpty() || delta.isEmpty()) {
            return Optional.empty();
        }
        long step = delta.get()[0];
        List<Optional<Long>> values = new ArrayList<>();
        for (long value = start.get()[0]; step > 0 ? value < limit.get()[0] : value > limit.get()[0]; value += step) {
            if (values.size() == Integers.MOST) {
                return Optional.empty();
            }
            values.add(Optional.of(value));
        }
        return Optional.of(Integers.vector(values));
    }

    private Optional<Integers> fill() {
        Optional<long[]> count = whole(0).filter(found -> found.length <= 1);
        Optional<Integers> value = known(1).filter(Integers::scalar);
        if (count.isEmpty() || value.isEmpty()) {
            return Optional.empty();
        }
        if (count.get().length == 0) {
            return value;
        }
        long size = count.get()[0];
        return size < 0 || size > Integers.MOST
                ? Optional.empty()
                : Optional.of(Integers.vector(
                        Collections.nCopies((int) size, value.get().at(0))));
    }

    private Optional<Integers> reduced(LongBinaryOperator operator, long start) {
        Optional<long[]> values = whole(0);
        boolean keep = ReduceTranslators.keeps(call);
        if (values.isEmpty() || known(0).orElseThrow().scalar() || keep) {
            return Optional.empty();
        }
        long result = start;
        for (long value : values.get()) {
            result = operator.applyAsLong(result, value);
        }
        return Optional.of(Integers.scalar(Optional.of(result)));
    }
}
