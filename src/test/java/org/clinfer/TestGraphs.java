package org.clinfer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Small networks whose results are easily told. */
final class TestGraphs {

    private TestGraphs() {}

    static GraphBuilder builder() {
        return new GraphBuilder("net", new SourceRef("net", ""));
    }

    static GraphBuilder node(GraphBuilder builder, String op, String inputs, String output) {
        return builder.node(op, List.of(inputs.split(",", -1)), List.of(output), Map.of());
    }

    /** {@code x[batch, width] → y = 2 * max(x, 0) + x}, exact in float32. */
    static Graph rectifier(long width) {
        GraphBuilder builder = builder()
                .input("x", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(width)))))
                .constant("two", Tensor.scalar(2f));
        node(builder, "Relu", "x", "a");
        node(builder, "Mul", "a,two", "b");
        node(builder, "Add", "b,x", "y");
        return builder.output("y").build();
    }

    /** What {@link #rectifier} gives. */
    static float[] rectified(float[] x) {
        float[] y = new float[x.length];
        for (int i = 0; i < x.length; i++) {
            y[i] = 2 * Math.max(x[i], 0) + x[i];
        }
        return y;
    }

    /**
     * {@code x[6, 24] → y[6, 10]}: products with constants that are packed once, and softmax, which processors run in one
     * launch.
     */
    static Graph products() {
        GraphBuilder builder = builder()
                .input("x", DType.FLOAT32, 6, 24)
                .constant("v", small(1, 24, 40))
                .constant("w", small(2, 40, 10));
        node(builder, "MatMul", "x,v", "a");
        builder.node("Softmax", List.of("a"), List.of("b"), Map.of("axis", Attribute.of(1)));
        node(builder, "MatMul", "b,w", "c");
        builder.node("Softmax", List.of("c"), List.of("y"), Map.of("axis", Attribute.of(1)));
        return builder.output("y").build();
    }

    /** {@code x[1, 16, height, width] → y}: convolutions whose kernels and tiles change with the size of the picture. */
    static Graph convolutions() {
        GraphBuilder builder = builder().resizableInput("x", TensorType.of(DType.FLOAT32, 1, 16, 24, 24));
        String value = "x";
        for (int i = 0; i < 3; i++) {
            builder.constant("w" + i, numbers(i, 16, 16, 3, 3));
            builder.node("Convolution", List.of(value, "w" + i), List.of("c" + i), sameSize());
            node(builder, "Relu", "c" + i, "r" + i);
            String sum = i == 2 ? "y" : "s" + i;
            node(builder, "Add", "r" + i + "," + value, sum);
            value = sum;
        }
        return builder.output("y").build();
    }

    private static Map<String, Attribute> sameSize() {
        Map<String, Attribute> attributes = new HashMap<>();
        for (String name : List.of("strides", "dilations", "pads_begin", "pads_end")) {
            attributes.put(name, Attribute.ofInts(1, 1));
        }
        attributes.put("data_format", Attribute.of("NCX"));
        attributes.put("weights_format", Attribute.of("OIX"));
        return attributes;
    }

    private static Tensor small(long seed, long... sizes) {
        Tensor tensor = numbers(seed, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, tensor.getDouble(i) / 100);
        }
        return tensor;
    }

    /** Whole numbers from -50 to 50. */
    static Tensor numbers(long seed, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        Random random = new Random(seed);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextInt(101) - 50);
        }
        return tensor;
    }
}
