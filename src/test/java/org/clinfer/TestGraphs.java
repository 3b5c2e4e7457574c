package org.clinfer;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.ops.ConvolutionOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
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

    /** {@code x[batch, width] → y = 2 * max(x, 0) + x}, exact in float32. */
    static Graph rectifier(long width) {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(width)))));
        Edge twice = ops.mul(ops.relu(x), ops.constant("two", Tensor.scalar(2f)));
        return ops.output("y", ops.add(twice, x)).build();
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
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 6, 24));
        Edge wide = ops.softmax(ops.matMul(x, ops.constant("v", small(1, 24, 40))))
                .axis(1)
                .y();
        Edge product = ops.matMul(wide, ops.constant("w", small(2, 40, 10)));
        return ops.output("y", ops.softmax(product).axis(1).y()).build();
    }

    /** The result of {@link #products} on the CPU. */
    static Tensor productsOf(Tensor x) {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(products());
                Session session = model.session();
                Result result = session.run(Map.of("x", x))) {
            return result.get("y").copy();
        }
    }

    /** {@code x[1, 3, height, width] → y}: convolutions whose kernels and tiles change with the size of the picture. */
    static Graph convolutions() {
        Ops ops = Ops.graph("net");
        Edge x = ops.resizableInput("x", TensorType.of(DType.FLOAT32, 1, 3, 64, 64));
        Edge a = convolution(ops, x, 2, "a", small(1, 16, 3, 3, 3));
        Edge b = convolution(ops, a, 1, "b", small(2, 48, 16, 1, 1));
        Edge c = convolution(ops, b, 1, "c", small(3, 48, 48, 3, 3));
        Edge d = convolution(ops, c, 1, "d", small(4, 16, 48, 1, 1));
        return ops.output("y", convolution(ops, d, 2, "y", small(5, 32, 16, 3, 3)))
                .build();
    }

    /** A convolution with the border that keeps the size, and a rectifier. */
    private static Edge convolution(Ops ops, Edge x, long stride, String name, Tensor weights) {
        long border = weights.type().shape().sizes()[2] / 2;
        long[] borders = {border, border};
        ConvolutionOp sum = ops.convolution(
                        x, ops.constant(name + ".w", weights), new long[] {stride, stride}, borders, borders, 1, 1)
                .dataFormat(ConvolutionOp.DataFormat.NCX)
                .weightsFormat(ConvolutionOp.WeightsFormat.OIX);
        return ops.relu(sum.dst());
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
