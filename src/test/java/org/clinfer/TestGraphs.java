package org.clinfer;

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

    /** {@code x[1, 3, height, width] → y}: convolutions whose kernels and tiles change with the size of the picture. */
    static Graph convolutions() {
        GraphBuilder builder = builder().resizableInput("x", TensorType.of(DType.FLOAT32, 1, 3, 64, 64));
        convolution(builder, "x", "a", 2, small(1, 16, 3, 3, 3));
        convolution(builder, "a", "b", 1, small(2, 48, 16, 1, 1));
        convolution(builder, "b", "c", 1, small(3, 48, 48, 3, 3));
        convolution(builder, "c", "d", 1, small(4, 16, 48, 1, 1));
        convolution(builder, "d", "y", 2, small(5, 32, 16, 3, 3));
        return builder.output("y").build();
    }

    /** A convolution with the border that keeps the size, and a rectifier. */
    private static void convolution(GraphBuilder builder, String from, String to, long stride, Tensor weights) {
        long border = weights.type().shape().sizes()[2] / 2;
        builder.constant(to + ".w", weights)
                .node(
                        "Convolution",
                        List.of(from, to + ".w"),
                        List.of(to + ".c"),
                        Map.of(
                                "strides", Attribute.ofInts(stride, stride),
                                "dilations", Attribute.ofInts(1, 1),
                                "pads_begin", Attribute.ofInts(border, border),
                                "pads_end", Attribute.ofInts(border, border),
                                "data_format", Attribute.of("NCX"),
                                "weights_format", Attribute.of("OIX")));
        node(builder, "Relu", to + ".c", to);
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
