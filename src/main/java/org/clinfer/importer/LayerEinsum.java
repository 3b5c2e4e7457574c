package org.clinfer.importer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.GraphException;

/** Einsum as a layer whose values have a type from the start. */
public final class LayerEinsum implements Einsum.Writer {

    /** Adds the operator that gives the layer's output. */
    @FunctionalInterface
    public interface Last {

        /** The output. */
        Value add(String op, Params params, Value input);
    }

    private final LayerNodes layer;
    private final Last last;
    private final Map<String, Value> values = new HashMap<>();
    private Value result = Value.NONE;

    private LayerEinsum(LayerNodes layer, Last last) {
        this.layer = layer;
        this.last = last;
    }

    /**
     * Writes a sum of products.
     *
     * @param equation as {@code ij,jk->ik}
     * @param inputs the values of its terms
     */
    public static Value write(LayerNodes layer, String equation, List<Value> inputs, Last last) {
        LayerEinsum einsum = new LayerEinsum(layer, last);
        inputs.forEach(einsum::known);
        Einsum.write(equation, inputs.stream().map(Value::name).toList(), einsum);
        return einsum.result;
    }

    private String known(Value value) {
        values.put(value.name(), value);
        return value.name();
    }

    private Value value(String name) {
        return Objects.requireNonNull(values.get(name));
    }

    @Override
    public int rank(String value) {
        return value(value).rank();
    }

    /** One size stands for the other as in ONNX, where the file does not say that they are the same. */
    @Override
    public boolean mayDiffer(String value, int axis, String other, int ofOther) {
        return !value(value).shape().dim(axis).equals(value(other).shape().dim(ofOther))
                || !value(value).shape().dim(axis).isKnown();
    }

    @Override
    public String step(String op, Params params, List<String> inputs) {
        return known(layer.add(op, inputs.stream().map(this::value).toList(), params));
    }

    @Override
    public String vector(long... numbers) {
        return known(layer.vector("vector_" + values.size(), numbers));
    }

    @Override
    public void last(String op, Params params, String input) {
        result = last.add(op, params, value(input));
    }

    @Override
    public GraphException malformed(String message) {
        return layer.malformed(message);
    }
}
