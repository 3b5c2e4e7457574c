package org.clinfer.plan.rule;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Networks of codes, which nodes make numbers and codes again. */
final class Coded {

    private final Rewritten net;

    /** {@code x} of bytes with scale {@code xs} 0.5 and zero point {@code xz} 3; {@code ys} 0.25 and {@code yz} 0. */
    Coded(long... sizes) {
        this(new Rewritten(DType.UINT8).onProcessor(), sizes);
    }

    Coded(Rewritten net, long... sizes) {
        this.net = net.input("x", sizes);
        reals("xs", 0.5).codes("xz", DType.UINT8, 3);
        reals("ys", 0.25).codes("yz", DType.UINT8, 0);
        node("DequantizeLinear", "x,xs,xz", "a");
    }

    Rewritten net() {
        return net;
    }

    /** A scalar, or a vector. */
    Coded reals(String name, double... values) {
        return constant(name, DType.FLOAT32, values.length == 1 ? new long[0] : new long[] {values.length}, values);
    }

    Coded codes(String name, DType type, double... values) {
        return constant(name, type, values.length == 1 ? new long[0] : new long[] {values.length}, values);
    }

    Coded constant(String name, DType type, long[] sizes, double... values) {
        Tensor tensor = Tensor.allocate(type, sizes);
        for (int i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, values[i % values.length]);
        }
        net.constant(name, tensor);
        return this;
    }

    /** {@code w}: int8 weights 1, -2, 3 … with the scale {@code ws} for each of their channels along an axis. */
    Coded weights(int axis, double[] scales, long... sizes) {
        constant("v", DType.INT8, sizes, 1, -2, 3).reals("ws", scales);
        return node("DequantizeLinear", "v,ws", "w", Map.of("axis", Attribute.of(axis)));
    }

    Coded node(String op, String inputs, String output) {
        net.node(op, inputs, output);
        return this;
    }

    Coded node(String op, String inputs, String output, Map<String, Attribute> params) {
        net.node(op, inputs, output, params);
        return this;
    }

    /** The end: codes {@code y} of a value. */
    Rewritten end(String value) {
        return node("QuantizeLinear", value + ",ys,yz", "y").net.output("y");
    }
}
