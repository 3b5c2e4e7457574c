package org.clinfer.fix;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.describe.OutputDescription;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Bounds of the values of int64 in a network whose inputs of that type hold numbers of 32 bits: they follow from those of
 * constants, positions in tensors, sums and products. An input that selects elements is a position in what it selects of.
 */
final class IntegerBounds {

    private static final Bounds INT32 = new Bounds(Integer.MIN_VALUE, Integer.MAX_VALUE);

    private final CheckedGraph checked;
    private final Map<String, Bounds> known = new HashMap<>();

    private IntegerBounds(CheckedGraph checked) {
        this.checked = checked;
    }

    /** The least and the largest element. Those that are reckoned with fit into 32 bits, so that nothing overflows. */
    record Bounds(long low, long high) {

        boolean fits() {
            return low >= Integer.MIN_VALUE && high <= Integer.MAX_VALUE;
        }

        Bounds with(Bounds other) {
            return new Bounds(Math.min(low, other.low), Math.max(high, other.high));
        }

        private Bounds plus(Bounds other) {
            return new Bounds(low + other.low, high + other.high);
        }

        private Bounds minus(Bounds other) {
            return new Bounds(low - other.high, high - other.low);
        }

        private Bounds times(Bounds other) {
            long[] corners = {low * other.low, low * other.high, high * other.low, high * other.high};
            return new Bounds(
                    Math.min(Math.min(corners[0], corners[1]), Math.min(corners[2], corners[3])),
                    Math.max(Math.max(corners[0], corners[1]), Math.max(corners[2], corners[3])));
        }
    }

    /** Tells whether all values of int64 that nodes give are known to fit into int32. */
    static boolean allFit(CheckedGraph checked) {
        IntegerBounds bounds = new IntegerBounds(checked);
        checked.inputTypes().forEach((name, type) -> {
            if (type.dtype() == DType.INT64) {
                bounds.known.put(name, INT32);
            }
        });
        checked.nodes().forEach(bounds::narrow);
        return checked.nodes().stream().allMatch(bounds::fits);
    }

    static boolean fits(Tensor tensor) {
        return of(tensor).fits();
    }

    private static Bounds of(Tensor tensor) {
        long low = 0;
        long high = 0;
        for (long i = 0; i < tensor.elements(); i++) {
            long value = tensor.getLong(i);
            low = i == 0 ? value : Math.min(low, value);
            high = i == 0 ? value : Math.max(high, value);
        }
        return new Bounds(low, high);
    }

    /** An input of the network that selects elements along an axis. */
    private void narrow(CheckedNode node) {
        if (!node.node().op().equals("Gather")) {
            return;
        }
        TensorType data = type(node.node().inputs().get(0));
        int axis = Math.toIntExact(node.binding().integer("along"));
        if (data.shape().dims().get(axis).isKnown()) {
            long size = data.shape().size(axis);
            known.computeIfPresent(
                    node.node().inputs().get(1),
                    (name, before) -> new Bounds(Math.max(before.low, -size), Math.min(before.high, size - 1)));
        }
    }

    private boolean fits(CheckedNode node) {
        for (int i = 0; i < node.node().outputs().size(); i++) {
            String output = node.node().outputs().get(i);
            if (!output.isEmpty() && type(output).dtype() == DType.INT64) {
                Optional<Bounds> bounds = result(node, i);
                if (bounds.isEmpty() || !bounds.get().fits()) {
                    return false;
                }
                known.put(output, bounds.get());
            }
        }
        return true;
    }

    private Optional<Bounds> result(CheckedNode node, int output) {
        List<String> inputs = node.node().inputs();
        // positions and numbers of elements, which the description gives in int64 always
        List<OutputDescription> described = node.op().outputs();
        String dtype = described
                .get(Math.min(output, described.size() - 1))
                .dtype()
                .source()
                .replace("'", "");
        if (dtype.equals(DType.INT64.label())) {
            return Optional.of(INT32);
        }
        Optional<Bounds> first = of(inputs.get(0));
        return switch (node.node().op()) {
            case "Cast" -> first;
            case "Add" -> of(inputs.get(1)).flatMap(other -> first.map(one -> one.plus(other)));
            case "Sub" -> of(inputs.get(1)).flatMap(other -> first.map(one -> one.minus(other)));
            case "Mul" -> of(inputs.get(1)).flatMap(other -> first.map(one -> one.times(other)));
            case "CumSum", "ReduceSum" -> first.map(one -> sum(one, type(inputs.get(0))));
            default -> node.op().moves() ? moved(node) : Optional.empty();
        };
    }

    /** Of sums of so many elements as there are, or fewer. */
    private static Bounds sum(Bounds each, TensorType type) {
        long most = type.shape().isKnown() ? Math.min(type.shape().elements(), Integer.MAX_VALUE) : Integer.MAX_VALUE;
        return each.times(new Bounds(0, most));
    }

    private Optional<Bounds> moved(CheckedNode node) {
        List<String> inputs = node.node().inputs();
        Optional<Bounds> all = Optional.empty();
        for (int i = 0; i < inputs.size(); i++) {
            int described = Math.min(i, node.op().inputs().size() - 1);
            if (!inputs.get(i).isEmpty() && node.op().moved().contains(described)) {
                Optional<Bounds> one = of(inputs.get(i));
                if (one.isEmpty()) {
                    return Optional.empty();
                }
                all = all.map(before -> before.with(one.get())).or(() -> one);
            }
        }
        return all;
    }

    /** The bounds of a value; empty where nothing is known of it. */
    private Optional<Bounds> of(String value) {
        Tensor constant = checked.constants().get(value);
        if (constant != null) {
            return Optional.of(constant)
                    .filter(tensor -> !tensor.dtype().isFloating())
                    .map(IntegerBounds::of)
                    .filter(Bounds::fits);
        }
        Bounds bounds = known.get(value);
        return bounds == null ? ofType(type(value).dtype()) : Optional.of(bounds);
    }

    private static Optional<Bounds> ofType(DType dtype) {
        return switch (dtype) {
            case BOOL -> Optional.of(new Bounds(0, 1));
            case INT8, UINT8, INT16, UINT16, INT32 -> Optional.of(INT32);
            default -> Optional.empty();
        };
    }

    private TensorType type(String value) {
        Tensor constant = checked.constants().get(value);
        return constant == null ? Objects.requireNonNull(checked.types().get(value)) : constant.type();
    }
}
