package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Quantized operators give the quantized values that dequantized ones give, or the next ones. */
class QuantizedParityTest {

    private static final int GRAPHS = 120;

    /** One operator on dequantized values, and what follows it. */
    private static final class Layer {

        private final Random random;
        private final Ops ops = Ops.graph("net");
        private final DType quantized;
        private final Map<String, Tensor> inputs = new HashMap<>();

        Layer(long seed) {
            this.random = new Random(seed);
            this.quantized = random.nextBoolean() ? DType.UINT8 : DType.INT8;
        }

        private int below(int bound) {
            return random.nextInt(bound);
        }

        private Tensor bytes(DType type, long... sizes) {
            Tensor tensor = Tensor.allocate(type, sizes);
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, type == DType.INT8 ? below(256) - 128 : below(256));
            }
            return tensor;
        }

        private Tensor integers(long count) {
            Tensor tensor = Tensor.allocate(DType.INT32, count);
            for (long i = 0; i < count; i++) {
                tensor.setDouble(i, below(20001) - 10000);
            }
            return tensor;
        }

        private Edge reals(String name, double low, double high, long... sizes) {
            Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, low + (high - low) * random.nextDouble());
            }
            return ops.constant(name, tensor);
        }

        /** At an end of the range, in its middle, or anywhere. */
        private Edge zero(String name, DType type) {
            int lowest = type == DType.INT8 ? -128 : 0;
            int from = List.of(0, 128, 255, below(256)).get(below(4));
            Tensor tensor = Tensor.allocate(type);
            tensor.setDouble(0, lowest + from);
            return ops.constant(name, tensor);
        }

        /** An input and its scale and zero point. */
        private record Quantized(Edge value, Edge scale, Edge zero) {}

        private Quantized quantizedInput(long... sizes) {
            Edge x = ops.input("x", TensorType.of(quantized, sizes));
            inputs.put("x", bytes(quantized, sizes));
            return new Quantized(x, reals("x_scale", 0.01, 0.05), zero("x_zero", quantized));
        }

        private Edge dequantized(Edge x, Quantized like) {
            return ops.dequantizeLinear(x, like.scale()).zeroPoint(like.zero()).y();
        }

        private Edge requantized(Edge x, Quantized like) {
            return ops.quantizeLinear(x, like.scale()).zeroPoint(like.zero()).y();
        }

        private Edge input(long... sizes) {
            Quantized x = quantizedInput(sizes);
            return dequantized(x.value(), x);
        }

        private Edge weights(int axis, long... sizes) {
            DType type = below(4) == 0 ? DType.UINT8 : DType.INT8;
            Edge weights = ops.constant("weights", bytes(type, sizes));
            long[] channels = random.nextBoolean() ? new long[] {sizes[axis]} : new long[0];
            Tensor middle = Tensor.allocate(type, channels);
            for (long i = 0; i < middle.elements(); i++) {
                middle.setDouble(i, type == DType.UINT8 ? 128 : below(8) == 0 ? 1 : 0);
            }
            return ops.dequantizeLinear(weights, reals("weights_scale", 0.001, 0.01, channels))
                    .zeroPoint(ops.constant("weights_zero", middle))
                    .axis(axis)
                    .y();
        }

        /** A bias as exporters write it, or as numbers. */
        private Edge bias(long channels) {
            if (random.nextBoolean()) {
                return reals("bias", -1, 1, channels);
            }
            Tensor units = Tensor.allocate(DType.INT32, channels);
            for (long i = 0; i < channels; i++) {
                units.setDouble(i, below(10000) - 5000);
            }
            return ops.dequantizeLinear(ops.constant("bias", units), reals("bias_scale", 0.0001, 0.0002, channels))
                    .axis(0)
                    .y();
        }

        private Edge convolution() {
            int group = below(3) == 0 ? 16 : 1;
            int in = group == 1 ? 1 + below(40) : 16;
            int out = group == 1 ? 8 + below(40) : 16;
            int kernel = 1 + 2 * below(2);
            Edge x = input(1 + below(2), in, 3 + below(9), 3 + below(15));
            int pad = kernel / 2;
            Conv2dOp op = ops.conv2d(x, weights(0, out, in / group, kernel, kernel))
                    .padding(pad, pad, pad, 0)
                    .strides(1 + below(2), 1)
                    .group(group);
            return (random.nextBoolean() ? op : op.bias(bias(out))).y();
        }

        private Edge product() {
            int terms = 1 + below(70);
            int columns = 8 + below(60);
            if (random.nextBoolean()) {
                Edge sum = ops.matMul(input(1 + below(3), 1 + below(20), terms), weights(1, terms, columns));
                return random.nextBoolean() ? sum : ops.add(sum, bias(columns));
            }
            Edge x = input(1 + below(20), terms);
            boolean transposed = random.nextBoolean();
            Edge weights = transposed ? weights(0, columns, terms) : weights(1, terms, columns);
            return ops.gemm(x, weights).c(bias(columns)).transposeB(transposed).y();
        }

        /** Quantized values of an operator; of scales with which few, or many, saturate. */
        Graph build() {
            Edge value = random.nextBoolean() ? convolution() : product();
            Edge last = below(3) == 0 ? ops.relu(value) : value;
            DType to = random.nextBoolean() ? DType.UINT8 : DType.INT8;
            Edge scale = reals("y_scale", 0.01, below(2) == 0 ? 0.02 : 0.5);
            return ops.output(
                            "y",
                            ops.quantizeLinear(last, scale)
                                    .zeroPoint(zero("y_zero", to))
                                    .y())
                    .build();
        }
    }

    private static void within(Tensor expected, Tensor actual, int steps, String what) {
        assertThat(actual.type()).isEqualTo(expected.type());
        for (long i = 0; i < expected.elements(); i++) {
            assertThat(Math.abs(actual.getLong(i) - expected.getLong(i)))
                    .as("%s, element %s: %s, not %s", what, i, actual.getLong(i), expected.getLong(i))
                    .isLessThanOrEqualTo(steps);
        }
    }

    private static Tensor run(Engine engine, Graph graph, Map<String, Tensor> inputs) {
        try (Session session = engine.load(graph).session()) {
            return session.run(inputs).outputs().values().iterator().next();
        }
    }

    private static EngineOptions device() {
        return EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withChain(false);
    }

    @Test
    @RequiresOpenCl
    void layersGiveTheSameValuesOrTheNext() {
        int integers = 0;
        try (Engine plain = Engine.open(device().withFusion(false));
                Engine fusing = Engine.open(device())) {
            for (int seed = 0; seed < GRAPHS; seed++) {
                Layer layer = new Layer(seed);
                Graph graph = layer.build();
                Tensor expected = run(plain, graph, layer.inputs);
                within(expected, run(fusing, graph, layer.inputs), 1, "seed " + seed + ", " + graph.nodes());
                integers += operators(fusing, graph, layer) == 1 ? 1 : 0;
            }
        }
        assertThat(integers).isGreaterThan(GRAPHS / 2);
    }

    /** Nodes that are no part of another one. */
    private static long operators(Engine engine, Graph graph, Layer layer) {
        Map<String, TensorType> types = new HashMap<>();
        layer.inputs.forEach((name, tensor) -> types.put(name, tensor.type()));
        try (Session session = engine.load(graph).session()) {
            return session.placement(types).nodes().stream()
                    .filter(entry -> entry.fusedInto().isEmpty())
                    .count();
        }
    }

    /** Two layers with everything between them that moves quantized values; what is between them is exact. */
    private static Graph network(Layer layer) {
        Ops ops = layer.ops;
        Layer.Quantized x = layer.quantizedInput(1, 8, 9, 9);
        Edge pooled = ops.maxPool(layer.dequantized(x.value(), x))
                .kernelSize(3, 3)
                .strides(2, 2)
                .padding(1, 1, 1, 1)
                .y();
        Edge transposed =
                ops.transpose(between(layer, x, pooled)).perm(0, 2, 3, 1).y();
        Edge again = between(layer, x, transposed);
        Edge joined = ops.concat(again, again).axis(1).y();
        Edge flat = ops.flatten(between(layer, x, joined)).y();
        return ops.output("y", layer.requantized(flat, x)).build();
    }

    private static Edge between(Layer layer, Layer.Quantized like, Edge value) {
        return layer.dequantized(layer.requantized(value, like), like);
    }

    private static void moves(EngineOptions options) {
        try (Engine plain = Engine.open(options.withFusion(false));
                Engine fusing = Engine.open(options)) {
            for (int seed = 0; seed < 12; seed++) {
                Layer layer = new Layer(seed);
                Graph graph = network(layer);
                Tensor expected = run(plain, graph, layer.inputs);
                within(expected, run(fusing, graph, layer.inputs), 0, "seed " + seed);
                assertThat(operators(fusing, graph, layer)).isEqualTo(4);
            }
        }
    }

    @Test
    void movementsAreExactOnTheCpu() {
        moves(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    @Test
    @RequiresOpenCl
    void movementsAreExactOnTheDevice() {
        moves(device());
    }

    /** Sums of a product or a convolution with or without a bias, multiplied by a scale; a run alone knows bias and scale. */
    private static Graph scaled(Layer layer) {
        Ops ops = layer.ops;
        boolean isProduct = layer.random.nextBoolean();
        int channels = 1 + layer.below(40);
        long[] sizes = isProduct
                ? new long[] {1 + layer.below(3), 1 + layer.below(30), channels}
                : new long[] {1 + layer.below(2), channels, 7, 9};
        Edge x = layer.quantizedInput(sizes).value();
        Edge scale = ops.input("scale", TensorType.of(DType.FLOAT32, 1));
        layer.inputs.put("scale", Tensor.of(new float[] {0.01f + layer.random.nextFloat()}, 1));
        int out = 1 + layer.below(40);
        Edge zero = layer.zero("zero", layer.quantized);
        DType type = layer.random.nextBoolean() ? DType.INT8 : DType.UINT8;
        Edge sums = isProduct
                ? ops.quantizedMatMul(x, ops.constant("w", layer.bytes(type, channels, out)))
                        .aZeroPoint(zero)
                        .y()
                : ops.quantizedConv(x, ops.constant("w", layer.bytes(type, out, channels, 3, 3)))
                        .xZeroPoint(zero)
                        .y();
        if (layer.random.nextBoolean()) {
            Edge bias = ops.input("bias", TensorType.of(DType.INT32, out));
            layer.inputs.put("bias", layer.integers(out));
            sums = ops.add(sums, isProduct ? bias : ops.unsqueeze(bias, 0, 2, 3).y());
        }
        Edge both = isProduct && layer.random.nextBoolean()
                ? ops.mul(scale, layer.reals("w_scale", 0.001, 0.1, out))
                : ops.mul(scale, layer.reals("w_scale", 0.001, 0.1));
        return ops.output("y", ops.mul(ops.cast(sums, DType.FLOAT32).y(), both)).build();
    }

    private static void scales(EngineOptions options) {
        try (Engine plain = Engine.open(options.withFusion(false));
                Engine fusing = Engine.open(options)) {
            int fused = 0;
            for (int seed = 0; seed < GRAPHS; seed++) {
                Layer layer = new Layer(seed);
                Graph graph = scaled(layer);
                Tensor expected = run(plain, graph, layer.inputs);
                assertThat(run(fusing, graph, layer.inputs).toFloatArray())
                        .as("seed %s, %s", seed, graph.nodes())
                        .isEqualTo(expected.toFloatArray());
                fused += operators(fusing, graph, layer) == 1 ? 1 : 0;
            }
            assertThat(fused).isEqualTo(GRAPHS);
        }
    }

    @Test
    void scalesOfSumsAreExactOnTheCpu() {
        scales(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    @Test
    @RequiresOpenCl
    void scalesOfSumsAreExactOnTheDevice() {
        scales(device());
    }
}
