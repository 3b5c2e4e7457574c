package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.ClipOp;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Conv2dTransposeOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Networks whose nodes are fused give what they give node by node. */
class FusionParityTest {

    private static final int GRAPHS = 200;
    private static final double HALF_STEP = 0x1p-11;
    private static final List<String> ACTIVATIONS = List.of(
            "Relu", "Relu6", "LeakyRelu", "Clip", "Sigmoid", "HardSwish", "Swish", "Tanh", "PRelu", "Identity", "Elu");

    /** A random network of convolutions and what stands around them; all values of one size are kept for sums. */
    static final class Network {
        private static final int CHANNELS = 6;

        private final Random random;
        private final DType dtype;
        private final Ops ops = Ops.graph("net");
        private final List<Edge> wide = new ArrayList<>();
        private int constants;

        /** Constants are numbers that float16 has, whatever their type. */
        Network(long seed, DType dtype) {
            this.random = new Random(seed);
            this.dtype = dtype;
        }

        Graph build(int steps) {
            return nodes(steps).build();
        }

        /** The nodes and outputs, to which others can be added. */
        Ops nodes(int steps) {
            Edge last = ops.input("x", TensorType.of(dtype, 2, CHANNELS, 7, 9));
            wide.add(last);
            for (int i = 0; i < steps; i++) {
                last = step(last);
                wide.add(last);
            }
            ops.output("last", last);
            Edge more = wide.get(1 + random.nextInt(wide.size() - 1));
            if (random.nextInt(4) == 0 && more != last) {
                ops.output("more", more);
            }
            return ops;
        }

        private Edge step(Edge x) {
            return switch (random.nextInt(14)) {
                case 0, 1, 2 -> convolution(x);
                case 10 -> layerNorm(x);
                case 11 -> gelu(x);
                case 12 -> moved(x);
                case 13 -> product(x);
                case 3 -> norm(x);
                case 4 -> scale(x);
                case 5 -> sum(x, wide.get(random.nextInt(wide.size())));
                case 6 -> swish(x);
                default -> activation(x);
            };
        }

        private Edge constant(double low, double high, long... sizes) {
            Tensor tensor = Tensor.allocate(DType.FLOAT16, sizes);
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, low + (high - low) * random.nextDouble());
            }
            return ops.constant("c" + constants++, tensor.to(dtype));
        }

        private Edge convolution(Edge x) {
            int group = List.of(1, 2, CHANNELS).get(random.nextInt(3));
            boolean padded = random.nextBoolean();
            Edge from = padded ? ops.pad(x).padWith(0, 0, 0, 0, 1, 1, 1, 1).y() : x;
            boolean transposed = random.nextInt(3) == 0;
            // a transposed convolution cuts what a convolution pads
            long pad = padded ? (transposed ? 2 : 0) : 1;
            // of the transposed one [in, out / group], which is as large
            Edge weights = constant(-0.5, 0.5, CHANNELS, CHANNELS / group, 3, 3);
            boolean biased = random.nextBoolean();
            if (transposed) {
                Conv2dTransposeOp op = ops.conv2dTranspose(from, weights).padding(pad, pad, pad, pad);
                return (biased ? op.bias(constant(-1, 1, CHANNELS)) : op)
                        .group(group)
                        .y();
            }
            Conv2dOp op = ops.conv2d(from, weights).padding(pad, pad, pad, pad);
            return (biased ? op.bias(constant(-1, 1, CHANNELS)) : op)
                    .group(group)
                    .y();
        }

        private Edge norm(Edge x) {
            Edge scale = constant(-2, 2, CHANNELS);
            Edge shift = constant(-1, 1, CHANNELS);
            return ops.batchNorm(x, scale, shift, constant(-1, 1, CHANNELS), constant(0.25, 2, CHANNELS))
                    .y();
        }

        private Edge scale(Edge x) {
            String op = List.of("Mul", "Add", "Sub", "Div").get(random.nextInt(4));
            long[] sizes = List.of(new long[] {CHANNELS, 1, 1}, new long[] {1}, new long[] {1, 1, 9})
                    .get(random.nextInt(3));
            Edge by = constant(0.5, 2, sizes);
            boolean first = !op.equals("Div") && random.nextBoolean();
            return (first ? ops.op(op, by, x) : ops.op(op, x, by)).y();
        }

        private Edge mean(Edge x, long... axis) {
            return ops.mean(x).axis(axis).keepDims(true).y();
        }

        /** As it is exported: of the last axis, and far from dividing by 0. */
        private Edge layerNorm(Edge x) {
            Edge distance = ops.sub(x, mean(x, -1));
            Edge again = ops.sub(x, mean(x, -1));
            Edge variance = mean(ops.mul(distance, distance), -1);
            Edge root = ops.sqrt(ops.add(variance, constant(0.5, 0.5)));
            Edge scaled = ops.mul(ops.div(again, root), constant(-1, 1, 9));
            return random.nextBoolean() ? scaled : ops.add(scaled, constant(-1, 1, 9));
        }

        /** Gelu or Swish by their parts. */
        private Edge gelu(Edge x) {
            if (random.nextBoolean()) {
                return ops.mul(x, ops.sigmoid(x));
            }
            Edge curve = ops.add(ops.erf(ops.mul(x, constant(Math.sqrt(0.5), Math.sqrt(0.5)))), constant(1, 1));
            return ops.mul(ops.mul(x, curve), constant(0.5, 0.5));
        }

        /** Axes in another order or number, and back; and a mean of the picture. */
        private Edge moved(Edge x) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    Edge last = ops.transpose(x).perm(0, 2, 3, 1).y();
                    Edge between = random.nextBoolean() ? last : ops.neg(last);
                    return ops.transpose(between).perm(0, 3, 1, 2).y();
                }
                case 1 -> {
                    Edge rows = ops.reshape(ops.flatten(x).y(), 2, -1, 9).y();
                    return ops.reshape(rows, 2, CHANNELS, 7, 9).y();
                }
                default -> {
                    return ops.sub(x, mean(x, 2, 3));
                }
            }
        }

        /** All rows with one matrix, and a vector added. */
        private Edge product(Edge x) {
            Edge y = ops.matMul(x, constant(-0.5, 0.5, 9, 9));
            return random.nextBoolean() ? y : ops.add(y, constant(-1, 1, 9));
        }

        private Edge sum(Edge a, Edge b) {
            String op = random.nextBoolean() ? "Add" : "Sum";
            return (random.nextBoolean() ? ops.op(op, a, b) : ops.op(op, b, a)).y();
        }

        private Edge swish(Edge x) {
            Edge line = ops.hardSigmoid(x).alpha(1.0 / 6).beta(0.5).y();
            return random.nextBoolean() ? ops.mul(x, line) : ops.mul(line, x);
        }

        private Edge clip(Edge x) {
            return switch (random.nextInt(5)) {
                case 0 -> ops.clip(x).min(-0.5).max(1.5).y();
                case 1 -> ops.clip(x).min(-0.25).y();
                case 2 -> ops.op("Max", x, constant(-0.5, -0.5)).y();
                case 3 -> ops.op("Min", constant(1, 1, 1, 1), ops.relu(x)).y();
                default -> ops.clip(x).max(0.5).y();
            };
        }

        private Edge activation(Edge x) {
            String op = ACTIVATIONS.get(random.nextInt(ACTIVATIONS.size()));
            return switch (op) {
                case "LeakyRelu" -> ops.leakyRelu(x).alpha(0.25).y();
                case "Clip" -> clip(x);
                case "PRelu" -> ops.pRelu(x, constant(0, 0.5, CHANNELS, 1, 1)).y();
                default -> ops.op(op, x).y();
            };
        }
    }

    static Tensor input(long seed, DType dtype) {
        Tensor tensor = Tensor.allocate(DType.FLOAT16, 2, Network.CHANNELS, 7, 9);
        Random random = new Random(seed);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, 2 * random.nextDouble() - 1);
        }
        return tensor.to(dtype);
    }

    private record Parity(long nodes, long fused) {}

    /** Two engines that differ in whether they fuse. */
    private record Pair(Engine plain, Engine fusing) implements AutoCloseable {

        static Pair of(EngineOptions options) {
            return new Pair(Engine.open(options.withFusion(false)), Engine.open(options));
        }

        @Override
        public void close() {
            plain.close();
            fusing.close();
        }
    }

    private static Map<String, Tensor> run(Engine engine, Graph graph, Tensor x) {
        try (Session session = engine.load(graph).session()) {
            return session.run(Map.of("x", x)).outputs();
        }
    }

    /** Every node is somewhere in the placement, by itself or as part of another one. */
    private static Parity placements(Pair pair, Graph graph, Tensor x) {
        Map<String, TensorType> types = Map.of("x", x.type());
        try (Session one = pair.plain().load(graph).session();
                Session other = pair.fusing().load(graph).session()) {
            Placement placement = other.placement(types);
            assertThat(placement.nodes())
                    .extracting(Placement.Entry::node)
                    .containsExactlyInAnyOrderElementsOf(one.placement(types).nodes().stream()
                            .map(Placement.Entry::node)
                            .toList());
            long parts = placement.nodes().stream()
                    .filter(entry -> !entry.fusedInto().isEmpty())
                    .count();
            return new Parity(placement.nodes().size(), parts);
        }
    }

    private static void equal(Pair pair, Graph graph, Tensor x) {
        Map<String, Tensor> expected = run(pair.plain(), graph, x);
        run(pair.fusing(), graph, x)
                .forEach((name, actual) -> assertThat(TensorComparison.difference(
                                Objects.requireNonNull(expected.get(name)), actual, Tolerance.DEFAULT))
                        .as("%s of %s", name, graph.nodes())
                        .isEmpty());
    }

    /** Of 16-bit floats both are rounded; fused ones must be as near to what float32 gives, within one rounding. */
    private static void asNear(Pair pair, Graph graph, Tensor x, Map<String, Tensor> exact) {
        Map<String, Tensor> plain = run(pair.plain(), graph, x);
        Map<String, Tensor> fused = run(pair.fusing(), graph, x);
        exact.forEach((name, truth) -> {
            double range = 0;
            for (float value : truth.toFloatArray()) {
                range = Math.max(range, Math.abs(value));
            }
            assertThat(error(Objects.requireNonNull(fused.get(name)), truth))
                    .as("%s of %s", name, graph.nodes())
                    .isLessThanOrEqualTo(error(Objects.requireNonNull(plain.get(name)), truth) + 2 * HALF_STEP * range);
        });
    }

    private static double error(Tensor found, Tensor truth) {
        double largest = 0;
        for (long i = 0; i < truth.elements(); i++) {
            largest = Math.max(largest, Math.abs(found.getDouble(i) - truth.getDouble(i)));
        }
        return largest;
    }

    private static void randomNetworks(EngineOptions options, DType dtype) {
        long nodes = 0;
        long fused = 0;
        try (Pair pair = Pair.of(options);
                Engine exact = Engine.open(cpu().withFusion(false))) {
            for (int seed = 0; seed < GRAPHS; seed++) {
                int steps = 4 + seed % 9;
                Graph graph = new Network(seed, dtype).build(steps);
                Tensor x = input(seed, dtype);
                try {
                    if (dtype == DType.FLOAT16) {
                        Graph same = new Network(seed, DType.FLOAT32).build(steps);
                        asNear(pair, graph, x, run(exact, same, input(seed, DType.FLOAT32)));
                    } else {
                        equal(pair, graph, x);
                    }
                    Parity parity = placements(pair, graph, x);
                    nodes += parity.nodes();
                    fused += parity.fused();
                } catch (AssertionError | RuntimeException failed) {
                    throw new AssertionError("seed " + seed + ", " + dtype, failed);
                }
            }
        }
        assertThat(fused).as("of %s nodes", nodes).isGreaterThan(nodes / 4);
    }

    /** A product of nothing, one side of which is a value in another shape. */
    @Test
    void anEmptyFactorInAnotherShape() {
        Ops ops = Ops.graph("net");
        Edge left = ops.input("left", TensorType.of(DType.FLOAT32, 2, 0));
        Edge right = ops.reshape(ops.input("x", TensorType.of(DType.FLOAT32, 0)), 0, 5)
                .allowZero(true)
                .y();
        Graph graph = ops.output("y", ops.matMul(left, right)).build();
        Map<String, Tensor> inputs =
                Map.of("left", Tensor.allocate(DType.FLOAT32, 2, 0), "x", Tensor.allocate(DType.FLOAT32, 0));
        try (Engine engine = Engine.open(cpu());
                Session session = engine.load(graph).session();
                Result result = session.run(inputs)) {
            assertThat(result.get("y").toFloatArray()).containsExactly(new float[10]);
        }
    }

    /** Depthwise and other convolutions whose sums have one bound. */
    @ParameterizedTest
    @CsvSource({"3, 1, 8", "3, 2, 40", "5, 1, 8", "2, 1, 9"})
    void oneBoundOfSums(int kernel, int stride, int size) {
        for (boolean isUpper : new boolean[] {true, false}) {
            Ops ops = Ops.graph("net");
            Tensor weights = Tensor.allocate(DType.FLOAT32, 2, 1, kernel, kernel);
            for (long i = 0; i < weights.elements(); i++) {
                weights.setDouble(i, isUpper ? 1 : -1);
            }
            Edge sums = ops.conv2d(
                            ops.input("x", TensorType.of(DType.FLOAT32, 1, 2, size, size)), ops.constant("w", weights))
                    .group(2)
                    .strides(stride, stride)
                    .y();
            ClipOp clip = ops.clip(sums);
            Graph graph = ops.output("y", (isUpper ? clip.max(0.5) : clip.min(-0.5)).y())
                    .build();
            Tensor ones = Tensor.allocate(DType.FLOAT32, 1, 2, size, size);
            for (long i = 0; i < ones.elements(); i++) {
                ones.setDouble(i, 1);
            }
            try (Engine engine = Engine.open(cpu())) {
                assertThat(Objects.requireNonNull(run(engine, graph, ones).get("y"))
                                .toFloatArray())
                        .containsOnly(isUpper ? 0.5f : -0.5f);
            }
        }
    }

    private static EngineOptions cpu() {
        return EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());
    }

    private static EngineOptions device() {
        // each network would have a program for chains of its own, which takes seconds to build
        return EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withChain(false);
    }

    @Test
    void randomNetworksOnTheCpu() {
        randomNetworks(cpu(), DType.FLOAT32);
    }

    @Test
    void randomNetworksOfHalvesOnTheCpu() {
        randomNetworks(cpu(), DType.FLOAT16);
    }

    @Test
    @RequiresOpenCl
    void randomNetworksOnTheDevice() {
        randomNetworks(device(), DType.FLOAT32);
    }

    @Test
    @RequiresOpenCl
    void randomNetworksOfHalvesOnTheDevice() {
        randomNetworks(device(), DType.FLOAT16);
    }
}
