package org.clinfer.conformance;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * One binary convolution with all its elements.
 *
 * @param x [batch, in channels, height, width]
 * @param weights [out channels, in channels, kernel height, kernel width]
 */
record BinaryCase(Array x, Array weights, Map<String, Attribute> params) {

    static final String OP = "BinaryConvolution";

    private static final Reference REFERENCE =
            Objects.requireNonNull(BinaryReferences.all().get(OP));

    /** The parameters that every use has. */
    static Map<String, Attribute> params(
            long[] strides, long[] padsBegin, long[] padsEnd, long[] dilations, double padValue) {
        Map<String, Attribute> params = new LinkedHashMap<>();
        params.put("strides", Attribute.ofInts(strides));
        params.put("pads_begin", Attribute.ofInts(padsBegin));
        params.put("pads_end", Attribute.ofInts(padsEnd));
        params.put("dilations", Attribute.ofInts(dilations));
        params.put("mode", Attribute.of("xnor-popcount"));
        params.put("pad_value", Attribute.of(padValue));
        return params;
    }

    /** With random bits. */
    static BinaryCase random(long[] x, long[] weights, Map<String, Attribute> params, Random random) {
        return new BinaryCase(bits(x, random), bits(weights, random), params);
    }

    private static Array bits(long[] dims, Random random) {
        return Array.of(dims, at -> random.nextInt(2));
    }

    /** The weights from bytes, the most significant bit of each first. */
    static Array weights(int[] bytes, long... dims) {
        double[] bits = new double[Math.toIntExact(Array.elements(dims))];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = bytes[i / 8] >> (7 - i % 8) & 1;
        }
        return new Array(dims, bits);
    }

    BinaryCase with(String param, Attribute value) {
        Map<String, Attribute> more = new LinkedHashMap<>(params);
        more.put(param, value);
        return new BinaryCase(x, weights, more);
    }

    /** Its graph: x is the input, y the output, the weights are constant. */
    Graph graph(DType type) {
        GraphBuilder builder = new GraphBuilder(OP, new SourceRef("case", ""));
        builder.input("x", input(type).type());
        builder.constant("weights", Stored.tensor(weights, DType.U1));
        builder.node(OP, List.of("x", "weights"), List.of("y"), params);
        builder.output("y");
        return builder.build();
    }

    Tensor input(DType type) {
        return Stored.tensor(x, type);
    }

    /** What the definition gives. */
    Tensor expected(DType type) {
        Call call = new Call(type, List.of(x.as(type), weights), params, 1);
        return Stored.tensor(REFERENCE.compute(call).get(0), type);
    }

    @Override
    public String toString() {
        return Arrays.toString(x.dims()) + " " + Arrays.toString(weights.dims()) + " " + params;
    }
}
