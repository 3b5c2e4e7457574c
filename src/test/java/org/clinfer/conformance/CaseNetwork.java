package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The operator of a case in a network as exporters write it.
 *
 * @param changed what differs from the graph of the one node
 */
record CaseNetwork(CaseRun run, Change changed) {

    /** The channels of the picture that convolutions beside the node read, enough for blocked channels. */
    private static final long CHANNELS = 64;

    /** What can differ. */
    enum Kind {
        /** An input is a constant of the graph. */
        CONSTANT,
        /** An input is a constant, which others read too: a plain operator, and operators of blocked channels. */
        SHARED,
        /** Nobody reads an output, but it has a name. */
        UNUSED,
        /** An output has no name. */
        LEFT_OUT,
        /** A dimension of an input has a name instead of a size. */
        NAMED,
        /** A dimension of an input has another size, which the operator may refuse. */
        SIZED,
        /** A convolution makes the picture that is the first input, and another one reads the result. */
        NEIGHBOURS
    }

    /**
     * One difference.
     *
     * @param position of an input or an output
     * @param axis of an input
     * @param size that the axis has
     */
    record Change(Kind kind, int position, int axis, long size) {
        static Change of(Kind kind, int position) {
            return new Change(kind, position, 0, 0);
        }
    }

    /** A network with what it is run on. */
    record Built(Graph graph, Map<String, Tensor> inputs) {}

    /** Every change of a case. */
    static List<CaseNetwork> of(CaseRun run) {
        Set<Change> changes = new LinkedHashSet<>();
        OperatorCase operatorCase = run.operatorCase();
        for (int i = 0; i < operatorCase.inputs().size(); i++) {
            Optional<Tensor> tensor = run.input(i);
            if (tensor.isEmpty()) {
                continue;
            }
            if (tensor.get().dtype().isGeneral()) {
                changes.add(Change.of(Kind.SHARED, i));
            }
            if (!operatorCase.inputs().get(i).isConstant()) {
                changes.add(Change.of(Kind.CONSTANT, i));
                int rank = tensor.get().shape().rank();
                for (int axis = 0; axis < rank; axis++) {
                    changes.add(new Change(Kind.NAMED, i, axis, 0));
                    changes.add(new Change(Kind.SIZED, i, axis, 0));
                    changes.add(new Change(Kind.SIZED, i, axis, 1));
                }
            }
        }
        for (int i = 0; i < operatorCase.outputs(); i++) {
            changes.add(Change.of(Kind.UNUSED, i));
            if (operatorCase.outputs() > 1) {
                changes.add(Change.of(Kind.LEFT_OUT, i));
            }
        }
        if (run.input(0)
                .filter(CaseNetwork::isPicture)
                .filter(CaseNetwork::isFinite)
                .isPresent()) {
            changes.add(Change.of(Kind.NEIGHBOURS, 0));
        }
        return changes.stream().map(change -> new CaseNetwork(run, change)).toList();
    }

    private static boolean isPicture(Tensor tensor) {
        return tensor.dtype() == DType.FLOAT32 && tensor.shape().rank() == 4 && tensor.elements() > 0;
    }

    /** Whether a convolution can pass it on: products of 0 and infinity are NaN. */
    private static boolean isFinite(Tensor tensor) {
        return Arrays.stream(tensor.toDoubleArray()).allMatch(Double::isFinite);
    }

    /** Whether the node computes what its case does. */
    boolean isAsInTheCase() {
        return changed.kind() != Kind.SIZED;
    }

    /** What the definition gives, by output name; nothing where the node computes something else than its case. */
    Map<String, Tensor> expected() {
        Reference reference = Objects.requireNonNull(
                OperatorConformance.REFERENCES.get(run.operatorCase().op()));
        return isAsInTheCase() ? run.expected(reference) : Map.of();
    }

    /** Writes the network. */
    private static final class Writer {
        private final CaseNetwork network;
        private final GraphBuilder builder;
        private final Map<String, Tensor> given = new LinkedHashMap<>();

        Writer(CaseNetwork network) {
            this.network = network;
            OperatorCase of = network.run.operatorCase();
            this.builder = new GraphBuilder(of.op(), new SourceRef("case", of.name()));
        }

        Built written() {
            OperatorCase of = network.run.operatorCase();
            Change changed = network.changed;
            List<String> inputs = new ArrayList<>();
            for (int i = 0; i < of.inputs().size(); i++) {
                inputs.add(input(i));
            }
            List<String> outputs = new ArrayList<>();
            for (int i = 0; i < of.outputs(); i++) {
                boolean isChanged = changed.position() == i;
                outputs.add(isChanged && changed.kind() == Kind.LEFT_OUT ? "" : "out" + i);
                if (!isChanged || (changed.kind() != Kind.UNUSED && changed.kind() != Kind.LEFT_OUT)) {
                    builder.output("out" + i);
                }
            }
            builder.node(of.op(), inputs, outputs, of.params());
            Tensor result = network.expected().get("out0");
            if (changed.kind() == Kind.NEIGHBOURS && result != null && isPicture(result)) {
                copy("out0", "after", result.shape().size(1));
                builder.output("after");
            }
            if (changed.kind() == Kind.UNUSED) {
                beside("beside", TensorType.of(DType.FLOAT32, 2, 3));
                builder.node("Identity", List.of("beside"), List.of("used"), Map.of())
                        .output("used");
            }
            return new Built(builder.build(), given);
        }

        private String input(int position) {
            Optional<Tensor> found = network.run.input(position);
            if (found.isEmpty()) {
                return "";
            }
            String name = "in" + position;
            Tensor tensor = found.get();
            Change changed = network.changed;
            boolean isChanged = changed.position() == position;
            boolean isConstant =
                    network.run.operatorCase().inputs().get(position).isConstant();
            if (isConstant || (isChanged && (changed.kind() == Kind.CONSTANT || changed.kind() == Kind.SHARED))) {
                builder.constant(name, tensor);
                if (isChanged && changed.kind() == Kind.SHARED) {
                    share(name, tensor);
                }
            } else if (isChanged && changed.kind() == Kind.SIZED) {
                Tensor sized = sized(tensor, changed.axis(), changed.size());
                builder.input(name, sized.type());
                given.put(name, sized);
            } else if (isChanged && changed.kind() == Kind.NAMED) {
                List<Dim> dims = new ArrayList<>(tensor.shape().dims());
                dims.set(changed.axis(), Dim.named("n"));
                builder.input(name, new TensorType(tensor.dtype(), new Shape(dims)));
                given.put(name, tensor);
            } else if (changed.kind() == Kind.NEIGHBOURS && isChanged) {
                builder.input(name + " before", tensor.type());
                given.put(name + " before", tensor);
                copy(name + " before", name, tensor.shape().size(1));
            } else {
                builder.input(name, tensor.type());
                given.put(name, tensor);
            }
            return name;
        }

        private void beside(String name, TensorType type) {
            builder.input(name, type);
            given.put(name, Tensor.allocate(type));
        }

        /** Others that read a constant. */
        private void share(String name, Tensor tensor) {
            beside("beside", tensor.type());
            if (tensor.shape().rank() == 0) {
                builder.node("Equal", List.of(name, "beside"), List.of("plain"), Map.of());
            } else {
                builder.node("Concat", List.of(name, "beside"), List.of("plain"), Map.of("axis", Attribute.of(0)));
            }
            builder.output("plain");
            if (isPicture(tensor)) {
                long[] sizes = tensor.shape().sizes();
                beside("picture", TensorType.of(DType.FLOAT32, sizes[0], CHANNELS, sizes[2], sizes[3]));
                convolution("picture", "made", CHANNELS, sizes[1]);
                builder.node("Mul", List.of("made", name), List.of("product"), Map.of());
                convolution("product", "blocked", sizes[1], CHANNELS);
                builder.output("blocked");
            }
        }

        private void convolution(String x, String y, long in, long out) {
            Tensor weights = Tensor.allocate(DType.FLOAT32, out, in, 1, 1);
            builder.constant(y + " weights", weights).node("Conv2d", List.of(x, y + " weights"), List.of(y), Map.of());
        }

        /** A convolution that gives what it takes. */
        private void copy(String x, String y, long channels) {
            Tensor weights = Tensor.allocate(DType.FLOAT32, channels, channels, 1, 1);
            LongStream.range(0, channels).forEach(i -> weights.setDouble(i * channels + i, 1));
            builder.constant(y + " weights", weights).node("Conv2d", List.of(x, y + " weights"), List.of(y), Map.of());
        }
    }

    Built built() {
        return new Writer(this).written();
    }

    /** The tensor with another size of an axis: its first elements there. */
    private static Tensor sized(Tensor tensor, int axis, long size) {
        long[] sizes = tensor.shape().sizes();
        long before = sizes[axis];
        long inner = LongStream.of(sizes).skip(axis + 1L).reduce(1, (a, b) -> a * b);
        sizes[axis] = size;
        Tensor sized = Tensor.allocate(tensor.dtype(), sizes);
        for (long i = 0; i < sized.elements() && before > 0; i++) {
            long from = i / (size * inner) * before * inner + i % inner;
            if (tensor.dtype().isFloating()) {
                sized.setDouble(i, tensor.getDouble(from));
            } else {
                sized.setLong(i, tensor.getLong(from));
            }
        }
        return sized;
    }

    @Override
    public String toString() {
        return run + " " + changed;
    }
}
