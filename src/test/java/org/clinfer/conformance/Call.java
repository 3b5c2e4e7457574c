package org.clinfer.conformance;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** One use of an operator as a case writes it; defaults of parameters are the reference's business. */
final class Call {

    private final DType type;
    private final @Nullable Array[] inputs;
    private final Map<String, Attribute> params;
    private final int outputs;

    Call(DType type, List<@Nullable Array> inputs, Map<String, Attribute> params, int outputs) {
        this.type = type;
        this.inputs = inputs.toArray(new Array[0]);
        this.params = Map.copyOf(params);
        this.outputs = outputs;
    }

    /** The type that the case runs in: that of the inputs that name none, else of the first input. */
    DType type() {
        return type;
    }

    boolean isInteger() {
        return type.isInteger();
    }

    /** How many outputs are asked for. */
    int outputs() {
        return outputs;
    }

    /** How many inputs the case writes, left out ones included. */
    int inputs() {
        return inputs.length;
    }

    boolean hasInput(int index) {
        return index < inputs.length && inputs[index] != null;
    }

    Array input(int index) {
        return Objects.requireNonNull(inputs[index]);
    }

    boolean has(String param) {
        return params.containsKey(param);
    }

    long integer(String param, long otherwise) {
        Attribute value = params.get(param);
        return value == null ? otherwise : integer(value);
    }

    double real(String param, double otherwise) {
        Attribute value = params.get(param);
        return value == null ? otherwise : real(value);
    }

    boolean flag(String param, boolean otherwise) {
        return params.get(param) instanceof Attribute.BoolValue flag ? flag.value() : otherwise;
    }

    String text(String param, String otherwise) {
        Attribute value = params.get(param);
        return value == null ? otherwise : value.toString();
    }

    List<String> texts(String param) {
        return params.get(param) instanceof Attribute.ListValue list
                ? list.values().stream().map(Attribute::toString).toList()
                : List.of();
    }

    long[] ints(String param, long... otherwise) {
        return params.get(param) instanceof Attribute.ListValue list
                ? list.values().stream().mapToLong(Call::integer).toArray()
                : otherwise;
    }

    double[] reals(String param, double... otherwise) {
        return params.get(param) instanceof Attribute.ListValue list
                ? list.values().stream().mapToDouble(Call::real).toArray()
                : otherwise;
    }

    private static long integer(Attribute value) {
        return ((Attribute.IntValue) value).value();
    }

    private static double real(Attribute value) {
        return value instanceof Attribute.IntValue whole
                ? (double) whole.value()
                : ((Attribute.RealValue) value).value();
    }
}
