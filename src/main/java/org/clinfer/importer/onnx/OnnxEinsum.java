package org.clinfer.importer.onnx;

import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Einsum;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Dim;

/** ONNX's Einsum. */
final class OnnxEinsum implements Einsum.Writer {

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final Steps steps;

    private OnnxEinsum(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.graph = graph;
        this.steps = new Steps(node, graph);
    }

    static void translate(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(Math.max(1, node.inputs().size()), Integer.MAX_VALUE);
        Einsum.write(node.text("equation"), node.inputs(), new OnnxEinsum(node, graph));
    }

    @Override
    public int rank(String value) {
        return steps.rank(value);
    }

    @Override
    public boolean mayDiffer(String value, int axis, String other, int ofOther) {
        Dim size = dim(value, axis);
        return size.equals(Dim.unknown()) || !size.equals(dim(other, ofOther));
    }

    private Dim dim(String value, int axis) {
        return graph.types()
                .of(value)
                .shape()
                .filter(shape -> axis < shape.rank())
                .map(shape -> shape.dim(axis))
                .orElse(Dim.unknown());
    }

    @Override
    public String step(String op, Params params, List<String> inputs) {
        return steps.add(op, params, inputs.toArray(String[]::new));
    }

    @Override
    public String vector(long... values) {
        return steps.vector(values);
    }

    @Override
    public void last(String op, Params params, String input) {
        steps.last(op, params, input);
    }

    @Override
    public GraphException malformed(String message) {
        return node.malformed(message);
    }
}
