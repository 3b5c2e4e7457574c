package org.clinfer.benchdnn;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** A problem as a graph of one operator with the inputs x, w and perhaps b, and the output y. */
final class ProblemGraph {

    private final Problem problem;
    private final Form form;
    private final DType dtype;

    ProblemGraph(Problem problem, Form form, DType dtype) {
        this.problem = problem;
        this.form = form;
        this.dtype = dtype;
    }

    /** The operator that computes a problem. */
    static String operator(Problem problem) {
        return !problem.transposed() ? "Convolution" : problem.spatial() == 2 ? "Conv2dTranspose" : "ConvTranspose";
    }

    /** Types of everything that goes in. */
    Map<String, TensorType> types(boolean bias) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        types.put("x", TensorType.of(dtype, form.inputDims(problem)));
        types.put("w", TensorType.of(dtype, form.weightDims(problem)));
        if (bias) {
            types.put("b", TensorType.of(dtype, problem.outChannels()));
        }
        return types;
    }

    TensorType outputType() {
        return TensorType.of(dtype, form.outputDims(problem));
    }

    /** The graph; what is no constant is an input. */
    Graph graph(boolean bias, Map<String, Tensor> constants) {
        GraphBuilder builder = new GraphBuilder(problem.toString(), new SourceRef(problem.list(), ""));
        Map<String, TensorType> types = types(bias);
        types.forEach((name, type) -> {
            Tensor constant = constants.get(name);
            if (constant == null) {
                builder.input(name, type);
            } else {
                builder.constant(name, constant);
            }
        });
        return builder.node(operator(problem), List.copyOf(types.keySet()), List.of("y"), parameters())
                .output("y")
                .build();
    }

    private Map<String, Attribute> parameters() {
        Map<String, Attribute> parameters = new LinkedHashMap<>();
        parameters.put("strides", Attribute.ofInts(problem.each(Axis::stride)));
        if (problem.transposed()) {
            parameters.put("dilation", Attribute.ofInts(problem.each(Axis::dilation)));
            parameters.put("group", Attribute.of(problem.groups()));
            parameters.put("padding", Attribute.ofInts(pairs()));
            parameters.put("output_padding", Attribute.ofInts(problem.each(axis -> Math.max(-axis.padEnd(true), 0))));
        } else {
            parameters.put("dilations", Attribute.ofInts(problem.each(Axis::dilation)));
            parameters.put("groups", Attribute.of(problem.groups()));
            parameters.put("pads_begin", Attribute.ofInts(problem.each(Axis::padBegin)));
            parameters.put("pads_end", Attribute.ofInts(problem.each(ProblemGraph::padEnd)));
            parameters.put("data_format", Attribute.of(form.dataFormat()));
            parameters.put("weights_format", Attribute.of(form.weightsFormat()));
        }
        return parameters;
    }

    /** What a convolution leaves out at its end needs no padding: the output size is rounded down. */
    private static long padEnd(Axis axis) {
        return Math.max(axis.padEnd(false), 0);
    }

    /** Begin and end of each axis in turn. */
    private long[] pairs() {
        List<Long> pairs = new ArrayList<>();
        for (Axis axis : problem.axes()) {
            pairs.add(axis.padBegin());
            pairs.add(Math.max(axis.padEnd(true), 0));
        }
        return pairs.stream().mapToLong(Long::longValue).toArray();
    }
}
