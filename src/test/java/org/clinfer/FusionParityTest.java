package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;

/** Networks whose nodes are fused give what they give node by node. */
class FusionParityTest {

    private static final int GRAPHS = 200;
    private static final double HALF_STEP = 0x1p-11;
    private static final List<String> ACTIVATIONS = List.of(
            "Relu", "Relu6", "LeakyRelu", "Clip", "Sigmoid", "HardSwish", "Swish", "Tanh", "PRelu", "Identity", "Elu");

    /** A random network of convolutions and what stands around them; all values of one size are kept for sums. */
    private static final class Network {
        private final Random random;
        private final DType dtype;
        private final GraphBuilder builder = TestGraphs.builder();
        private final List<String> wide = new ArrayList<>();
        private int names;

        /** Constants are numbers that float16 has, whatever their type. */
        Network(long seed, DType dtype) {
            this.random = new Random(seed);
            this.dtype = dtype;
        }

        private static final int CHANNELS = 6;

        Graph build(int steps) {
            builder.input("x", dtype, 2, CHANNELS, 7, 9);
            wide.add("x");
            String last = "x";
            for (int i = 0; i < steps; i++) {
                last = step(last);
                wide.add(last);
            }
            builder.output(last);
            if (random.nextInt(4) == 0) {
                String more = wide.get(1 + random.nextInt(wide.size() - 1));
                builder.output(more);
            }
            return builder.build();
        }

        private String step(String x) {
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

        private String fresh() {
            return "v" + names++;
        }

        private String constant(double low, double high, long... sizes) {
            Tensor tensor = Tensor.allocate(DType.FLOAT16, sizes);
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, low + (high - low) * random.nextDouble());
            }
            String name = "c" + names++;
            builder.constant(name, tensor.to(dtype));
            return name;
        }

        private String add(String op, List<String> inputs, Map<String, Attribute> params) {
            String y = fresh();
            builder.node(op, inputs, List.of(y), params);
            return y;
        }

        private String convolution(String x) {
            int group = List.of(1, 2, CHANNELS).get(random.nextInt(3));
            boolean padded = random.nextBoolean();
            String from =
                    padded ? add("Pad", List.of(x), Map.of("pad_with", Attribute.ofInts(0, 0, 0, 0, 1, 1, 1, 1))) : x;
            boolean transposed = random.nextInt(3) == 0;
            // a transposed convolution cuts what a convolution pads
            long pad = padded ? (transposed ? 2 : 0) : 1;
            Map<String, Attribute> params =
                    Map.of("padding", Attribute.ofInts(pad, pad, pad, pad), "group", Attribute.of(group));
            // of the transposed one [in, out / group], which is as large
            String weights = constant(-0.5, 0.5, CHANNELS, CHANNELS / group, 3, 3);
            List<String> inputs =
                    random.nextBoolean() ? List.of(from, weights) : List.of(from, weights, constant(-1, 1, CHANNELS));
            return add(transposed ? "Conv2dTranspose" : "Conv2d", inputs, params);
        }

        private String norm(String x) {
            return add(
                    "BatchNorm",
                    List.of(
                            x,
                            constant(-2, 2, CHANNELS),
                            constant(-1, 1, CHANNELS),
                            constant(-1, 1, CHANNELS),
                            constant(0.25, 2, CHANNELS)),
                    Map.of());
        }

        private String scale(String x) {
            String op = List.of("Mul", "Add", "Sub", "Div").get(random.nextInt(4));
            long[] sizes = List.of(new long[] {CHANNELS, 1, 1}, new long[] {1}, new long[] {1, 1, 9})
                    .get(random.nextInt(3));
            String by = constant(0.5, 2, sizes);
            boolean first = !op.equals("Div") && random.nextBoolean();
            return add(op, first ? List.of(by, x) : List.of(x, by), Map.of());
        }

        /** As it is exported: of the last axis, and far from dividing by 0. */
        private String layerNorm(String x) {
            Map<String, Attribute> over = Map.of("axis", Attribute.ofInts(-1), "keep_dims", Attribute.of(true));
            String distance = add("Sub", List.of(x, add("Mean", List.of(x), over)), Map.of());
            String again = add("Sub", List.of(x, add("Mean", List.of(x), over)), Map.of());
            String variance = add("Mean", List.of(add("Mul", List.of(distance, distance), Map.of())), over);
            String root = add("Sqrt", List.of(add("Add", List.of(variance, constant(0.5, 0.5)), Map.of())), Map.of());
            String normal = add("Div", List.of(again, root), Map.of());
            String scaled = add("Mul", List.of(normal, constant(-1, 1, 9)), Map.of());
            return random.nextBoolean() ? scaled : add("Add", List.of(scaled, constant(-1, 1, 9)), Map.of());
        }

        /** Gelu or Swish by their parts. */
        private String gelu(String x) {
            if (random.nextBoolean()) {
                return add("Mul", List.of(x, add("Sigmoid", List.of(x), Map.of())), Map.of());
            }
            String scaled = add("Mul", List.of(x, constant(Math.sqrt(0.5), Math.sqrt(0.5))), Map.of());
            String curve = add("Add", List.of(add("Erf", List.of(scaled), Map.of()), constant(1, 1)), Map.of());
            return add("Mul", List.of(add("Mul", List.of(x, curve), Map.of()), constant(0.5, 0.5)), Map.of());
        }

        /** Axes in another order or number, and back; and a mean of the picture. */
        private String moved(String x) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    String last = add("Transpose", List.of(x), Map.of("perm", Attribute.ofInts(0, 2, 3, 1)));
                    String between = random.nextBoolean() ? last : add("Neg", List.of(last), Map.of());
                    return add("Transpose", List.of(between), Map.of("perm", Attribute.ofInts(0, 3, 1, 2)));
                }
                case 1 -> {
                    String flat = add("Flatten", List.of(x), Map.of());
                    String rows = add("Reshape", List.of(flat), Map.of("shape", Attribute.ofInts(2, -1, 9)));
                    return add("Reshape", List.of(rows), Map.of("shape", Attribute.ofInts(2, CHANNELS, 7, 9)));
                }
                default -> {
                    Map<String, Attribute> over =
                            Map.of("axis", Attribute.ofInts(2, 3), "keep_dims", Attribute.of(true));
                    return add("Sub", List.of(x, add("Mean", List.of(x), over)), Map.of());
                }
            }
        }

        /** All rows with one matrix, and a vector added. */
        private String product(String x) {
            String y = add("MatMul", List.of(x, constant(-0.5, 0.5, 9, 9)), Map.of());
            return random.nextBoolean() ? y : add("Add", List.of(y, constant(-1, 1, 9)), Map.of());
        }

        private String sum(String a, String b) {
            return add(
                    random.nextBoolean() ? "Add" : "Sum",
                    random.nextBoolean() ? List.of(a, b) : List.of(b, a),
                    Map.of());
        }

        private String swish(String x) {
            String line =
                    add("HardSigmoid", List.of(x), Map.of("alpha", Attribute.of(1.0 / 6), "beta", Attribute.of(0.5)));
            return add("Mul", random.nextBoolean() ? List.of(x, line) : List.of(line, x), Map.of());
        }

        private String activation(String x) {
            String op = ACTIVATIONS.get(random.nextInt(ACTIVATIONS.size()));
            return switch (op) {
                case "LeakyRelu" -> add(op, List.of(x), Map.of("alpha", Attribute.of(0.25)));
                case "Clip" -> add(op, List.of(x), Map.of("min", Attribute.of(-0.5), "max", Attribute.of(1.5)));
                case "PRelu" -> add(op, List.of(x, constant(0, 0.5, CHANNELS, 1, 1)), Map.of());
                default -> add(op, List.of(x), Map.of());
            };
        }
    }

    private static Tensor input(long seed, DType dtype) {
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
