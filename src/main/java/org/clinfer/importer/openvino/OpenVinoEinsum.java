package org.clinfer.importer.openvino;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Einsum;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** OpenVINO's Einsum. */
final class OpenVinoEinsum implements Einsum.Writer {

    private final OpenVinoLayerCall call;
    private final Map<String, Value> values = new HashMap<>();
    private Value result = Value.NONE;

    private OpenVinoEinsum(OpenVinoLayerCall call) {
        this.call = call;
    }

    static Value translate(OpenVinoLayerCall call) {
        OpenVinoEinsum einsum = new OpenVinoEinsum(call);
        call.inputs().forEach(einsum::known);
        List<String> inputs = call.inputs().stream().map(Value::name).toList();
        Einsum.write(call.attributes().text("equation"), inputs, einsum);
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
        return known(call.add(op, inputs.stream().map(this::value).toList(), params));
    }

    @Override
    public String vector(long... numbers) {
        return known(call.vector("vector_" + values.size(), numbers));
    }

    @Override
    public void last(String op, Params params, String input) {
        result = call.last(op, List.of(value(input)), params);
    }

    @Override
    public GraphException malformed(String message) {
        return call.malformed(message);
    }
}
