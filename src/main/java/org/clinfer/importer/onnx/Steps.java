package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * The steps of an ONNX node that is said by several others; sizes are read from the values, so that they may be any. What
 * several nodes compute alike, as layers do with positions and masks, is there once.
 */
final class Steps {

    /** So many axes no value has. */
    private static final int MOST_AXES = 64;

    private final OnnxNode node;
    private final OnnxGraphWriter graph;

    Steps(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.graph = graph;
    }

    String add(String op, Params params, String... inputs) {
        return graph.addSharedStep(node, op, Arrays.asList(inputs), params);
    }

    String add(String op, String... inputs) {
        return add(op, new Params(), inputs);
    }

    /**
     * The operator of ONNX's own that the node extends.
     *
     * @param extensions the attributes it does not have
     * @return the value it gives
     */
    String standard(OnnxTranslator operator, long opset, List<String> inputs, String... extensions) {
        String output = graph.freshName(node.output());
        OnnxNode plain = node.as(node.op(), opset, inputs, List.of(output), Set.of(extensions));
        operator.translate(plain, graph);
        plain.requireAllConsumed();
        return output;
    }

    /** The last step, which gives the output of the node. */
    void last(String op, Params params, String... inputs) {
        graph.add(node, op, Arrays.asList(inputs), params);
    }

    void last(String op, String... inputs) {
        last(op, new Params(), inputs);
    }

    String constant(Tensor tensor) {
        return graph.addSharedConstant(node.name() + "/value", tensor);
    }

    /** A step that gives the output of this number, which the node need not have. */
    void output(int index, String op, String... inputs) {
        if (graph.isOutputUsed(node, index)) {
            graph.add(node, op, Arrays.asList(inputs), List.of(node.outputs().get(index)), new Params());
        }
    }

    /** A vector of int64. */
    String vector(long... values) {
        return constant(Tensor.of(values, values.length));
    }

    /** An int64 without axes. */
    String whole(long value) {
        return constant(Tensor.scalar(value));
    }

    String scalar(DType dtype, double value) {
        Tensor tensor = Tensor.allocate(dtype);
        tensor.setDouble(0, value);
        return constant(tensor);
    }

    String truth(boolean value) {
        return scalar(DType.BOOL, value ? 1 : 0);
    }

    /** A vector of equal elements. */
    String fill(DType dtype, long count, double value) {
        Params params = new Params().put("value", value).put("dtype", dtype.label());
        return add("ConstantOfShape", params, vector(count));
    }

    String cast(String value, DType to) {
        return add("Cast", new Params().put("to", to.label()), value);
    }

    String shape(String value) {
        return add("Shape", value);
    }

    /** The size of one axis, without axes; negative ones count from the end. */
    String size(String value, long axis) {
        return add("Gather", new Params().put("axis", 0L), shape(value), whole(axis));
    }

    /** The sizes of some axes. */
    String sizes(String value, long... axes) {
        return add("Gather", new Params().put("axis", 0L), shape(value), vector(axes));
    }

    /** 0, 1, … below a limit, with so many axes of 1 behind. */
    String range(String limit, long behind) {
        if (behind < 0 || behind > MOST_AXES) {
            throw node.malformed("an axis with " + behind + " axes behind it");
        }
        String range = add("Range", whole(0), limit, whole(1));
        if (behind == 0) {
            return range;
        }
        long[] shape = new long[(int) behind + 1];
        Arrays.fill(shape, 1);
        shape[0] = -1;
        return add("Reshape", range, vector(shape));
    }

    String concat(List<String> parts) {
        return parts.size() == 1
                ? parts.get(0)
                : graph.addSharedStep(node, "Concat", new ArrayList<>(parts), new Params().put("axis", 0L));
    }

    String transposed(String value, long... perm) {
        for (int i = 0; i < perm.length; i++) {
            if (perm[i] != i) {
                return add("Transpose", new Params().put("perm", perm), value);
            }
        }
        return value;
    }

    /** With an axis moved to another place; the number of axes need not be known if both are the first. */
    String moved(String value, int from, int to) {
        if (from == 0 && to == 0) {
            return value;
        }
        int rank = rank(value);
        if (from < 0 || from >= rank || to < 0 || to >= rank) {
            throw node.malformed("a value of " + rank + " axes has no axis " + Math.max(from, to));
        }
        List<Long> perm = new ArrayList<>(LongStream.range(0, rank).boxed().toList());
        perm.add(to, perm.remove(from));
        return transposed(value, perm.stream().mapToLong(i -> i).toArray());
    }

    /** The elements between two places of an axis. */
    String slice(String value, long axis, long start, long end) {
        Params params = new Params()
                .put("starts", new long[] {start})
                .put("ends", new long[] {end})
                .put("axes", new long[] {axis});
        return add("Slice", params, value);
    }

    /** The elements between two places of an axis, each a vector of one element. */
    String slice(String value, long axis, String start, String end) {
        return add("Slice", new Params().put("axes", new long[] {axis}), value, start, end);
    }

    /** With an axis of 1 more. */
    String unsqueezed(String value, long axis) {
        return add("Unsqueeze", new Params().put("axis", new long[] {axis}), value);
    }

    /** The size of an axis where it is known while importing. */
    Optional<Long> knownSize(String value, int axis) {
        return graph.types().of(value).size(axis);
    }

    DType dtype(String value) {
        return graph.types()
                .of(value)
                .dtype()
                .orElseThrow(() -> node.unsupportedUse("an input whose data type is not known"));
    }

    int rank(String value) {
        return graph.types().rank(value).orElseThrow(() -> node.unsupportedUse("an input whose rank is not known"));
    }
}
