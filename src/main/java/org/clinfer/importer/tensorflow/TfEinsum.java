package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Einsum;
import org.clinfer.importer.Params;

/** TensorFlow's Einsum. */
final class TfEinsum implements Einsum.Writer {

    private final TfCall call;

    private TfEinsum(TfCall call) {
        this.call = call;
    }

    static void translate(TfCall call) {
        List<String> inputs =
                IntStream.range(0, call.inputs().size()).mapToObj(call::plain).toList();
        Einsum.write(call.node().text("equation", ""), inputs, new TfEinsum(call));
    }

    @Override
    public int rank(String value) {
        return call.graph().type(value).rank().orElseThrow(() -> call.unsupportedUse(TfCall.UNKNOWN_RANK));
    }

    /** TensorFlow refuses other sizes. */
    @Override
    public boolean mayDiffer(String value, int axis, String other, int ofOther) {
        return false;
    }

    @Override
    public String step(String op, Params params, List<String> inputs) {
        return call.step(op, inputs, params);
    }

    @Override
    public String vector(long... values) {
        return call.constant(values);
    }

    @Override
    public void last(String op, Params params, String input) {
        call.give(op, List.of(input), params);
    }

    @Override
    public GraphException malformed(String message) {
        return call.malformed(message);
    }
}
