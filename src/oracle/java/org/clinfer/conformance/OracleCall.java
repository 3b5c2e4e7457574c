package org.clinfer.conformance;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.tensor.DType;

/** A case with its inputs as constants of an ONNX graph. */
final class OracleCall {

    private final Call call;
    private final OnnxGraph graph;
    private final Map<Integer, String> inputs = new HashMap<>();

    OracleCall(Call call, OnnxGraph graph) {
        this.call = call;
        this.graph = graph;
    }

    Call params() {
        return call;
    }

    /** The name of an input, empty if the case leaves it out. */
    String input(int index) {
        return call.hasInput(index) ? inputs.computeIfAbsent(index, this::constant) : "";
    }

    private String constant(int index) {
        Array array = call.input(index);
        return graph.constant(array, array.type().orElseThrow());
    }

    /** The names of all inputs. */
    String[] inputs() {
        return IntStream.range(0, call.inputs()).mapToObj(this::input).toArray(String[]::new);
    }

    DType type(int index) {
        return call.input(index).type().orElseThrow();
    }

    long[] dims(int index) {
        return call.input(index).dims();
    }

    double[] values(int index) {
        return call.input(index).values();
    }

    /** A list that ONNX takes as a tensor: the input at this place, else the parameter, else nothing. */
    String list(int index, String param) {
        if (call.hasInput(index)) {
            return input(index);
        }
        return call.has(param) ? graph.ints(call.ints(param)) : "";
    }
}
