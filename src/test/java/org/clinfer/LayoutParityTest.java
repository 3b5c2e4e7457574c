package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.ops.ResizeOp;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;

/** Networks that compute in blocked channels give what they give node by node in NCHW. */
class LayoutParityTest {

    /** With {@code -Drandom.networks=N} more: a driver has to build kernels for each. */
    private static final int GRAPHS = Integer.getInteger("random.networks", 40);

    /** Of so many networks one runs in chains: each has a program of its own, which takes seconds to build. */
    private static final int CHAINED = 15;

    /** A random network for pictures, with every operator that has a form for blocked channels. */
    private static final class Network {
        private final Random random;
        private final Ops ops = Ops.graph("net");
        private final List<Edge> made = new ArrayList<>();
        private final int batch;
        private int constants;

        Network(long seed) {
            this.random = new Random(seed);
            this.batch = 1 + random.nextInt(2);
        }

        Graph build(int steps) {
            int channels = pick(1, 3, 4, 16, 20);
            int rows = 9 + random.nextInt(20);
            Edge last = ops.input("x", TensorType.of(DType.FLOAT32, batch, channels, rows, 8 + random.nextInt(24)));
            made.add(last);
            for (int i = 0; i < steps; i++) {
                last = step(random.nextInt(4) == 0 ? made.get(random.nextInt(made.size())) : last);
                made.add(last);
            }
            ops.output("last", last);
            Edge other = made.get(1 + random.nextInt(made.size() - 1));
            if (other != last) {
                ops.output("other", other);
            }
            return ops.build();
        }

        private int pick(int... values) {
            return values[random.nextInt(values.length)];
        }

        private static int size(Edge x, int axis) {
            return (int) x.type().orElseThrow().shape().size(axis);
        }

        private static int channels(Edge x) {
            return size(x, 1);
        }

        private static int shorterSide(Edge x) {
            return Math.min(size(x, 2), size(x, 3));
        }

        private static boolean areAsLarge(Edge x, Edge other) {
            return size(x, 2) == size(other, 2) && size(x, 3) == size(other, 3);
        }

        private Edge step(Edge x) {
            return switch (random.nextInt(14)) {
                case 0, 1, 2, 3, 4 -> convolution(x);
                case 5 -> pool(x);
                case 6 -> activation(x);
                case 7 -> normalization(x);
                case 8 -> binary(x);
                case 9, 10 -> concat(x);
                case 11 -> gate(x);
                case 12 -> resize(x);
                default -> split(x);
            };
        }

        private Edge constant(double low, double high, long... sizes) {
            Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, low + (high - low) * random.nextDouble());
            }
            return ops.constant("c" + constants++, tensor);
        }

        private Edge convolution(Edge x) {
            boolean isDepthwise = random.nextInt(4) == 0;
            int channels = isDepthwise ? channels(x) : pick(5, 16, 24, 32, 48, 64);
            int groups = isDepthwise ? channels : channels(x) % 32 == 0 && channels % 32 == 0 ? pick(1, 2) : 1;
            int kernel = Math.min(pick(1, 3, 3, 5), shorterSide(x));
            int inGroup = channels(x) / groups;
            double reach = 1.5 / Math.sqrt((double) inGroup * kernel * kernel);
            int stride = pick(1, 1, 2);
            Conv2dOp op = ops.conv2d(x, constant(-reach, reach, channels, inGroup, kernel, kernel))
                    .strides(stride, stride)
                    .padding(
                            random.nextInt(kernel),
                            random.nextInt(kernel),
                            random.nextInt(kernel),
                            random.nextInt(kernel))
                    .group(groups);
            Edge sum = (random.nextBoolean() ? op.bias(constant(-0.5, 0.5, channels)) : op).y();
            return random.nextInt(3) == 0 ? sum : activation(sum);
        }

        private Edge pool(Edge x) {
            int kernel = Math.min(pick(2, 3), shorterSide(x));
            int stride = pick(1, 2);
            int pad = random.nextInt(kernel);
            return ops.op(random.nextBoolean() ? "MaxPool" : "AvgPool", x)
                    .with("kernel_size", Attribute.ofInts(kernel, kernel))
                    .with("strides", Attribute.ofInts(stride, stride))
                    .with("padding", Attribute.ofInts(pad, pad, 0, pad))
                    .y();
        }

        private Edge activation(Edge x) {
            String op = List.of("Relu", "Relu6", "LeakyRelu", "Clip", "Sigmoid", "HardSwish", "Swish", "Tanh", "Elu")
                    .get(random.nextInt(8));
            return switch (op) {
                case "LeakyRelu" -> ops.leakyRelu(x).alpha(0.25).y();
                case "Clip" -> ops.clip(x).min(0.25).max(1.5).y();
                default -> ops.op(op, x).y();
            };
        }

        private Edge normalization(Edge x) {
            Edge scale = constant(-2, 2, channels(x));
            Edge shift = constant(-1, 1, channels(x));
            Edge mean = constant(-1, 1, channels(x));
            Edge y = ops.batchNorm(x, scale, shift, mean, constant(0.25, 2, channels(x)))
                    .y();
            return random.nextBoolean() ? ops.relu(y) : y;
        }

        private Edge binary(Edge x) {
            List<Edge> others = made.stream()
                    .filter(other -> areAsLarge(x, other) && channels(other) == channels(x))
                    .toList();
            Edge other = others.get(random.nextInt(others.size()));
            return ops.op(List.of("Add", "Sum", "Sub", "Mul", "Max").get(random.nextInt(5)), x, other)
                    .y();
        }

        private Edge concat(Edge x) {
            List<Edge> others = made.stream()
                    .filter(other -> areAsLarge(x, other) && channels(other) < 200)
                    .toList();
            return ops.concat(x, others.get(random.nextInt(others.size())))
                    .axis(1)
                    .y();
        }

        /** Channels weighted by a mean of theirs. */
        private Edge gate(Edge x) {
            Edge mean = ops.avgPool(x).isGlobal(true).y();
            Edge weights = constant(-0.5, 0.5, channels(x), channels(x), 1, 1);
            return ops.mul(x, ops.sigmoid(ops.conv2d(mean, weights).y()));
        }

        /** By scales whose coordinates are far from the ties of nearest. */
        private Edge resize(Edge x) {
            int down = pick(1, 2);
            double across = random.nextBoolean() ? 0.5 : 2;
            if (size(x, 2) * size(x, 3) > 2000 || size(x, 3) < 2) {
                return activation(x);
            }
            return ops.resize(x)
                    .scales(1, 1, down, across)
                    .mode(random.nextBoolean() ? ResizeOp.Mode.LINEAR : ResizeOp.Mode.NEAREST)
                    .coordinateMode(
                            random.nextBoolean()
                                    ? ResizeOp.CoordinateMode.HALF_PIXEL
                                    : ResizeOp.CoordinateMode.ASYMMETRIC)
                    .nearestMode(ResizeOp.NearestMode.FLOOR)
                    .y();
        }

        private Edge split(Edge x) {
            if (channels(x) < 2) {
                return activation(x);
            }
            int first = channels(x) > 16 && random.nextBoolean() ? 16 : channels(x) / 2;
            List<Edge> parts =
                    ops.split(x).axis(1).split(first, channels(x) - first).y(2);
            made.add(parts.get(0));
            return parts.get(1);
        }
    }

    private static Tensor input(long seed, Graph graph) {
        Tensor tensor = Tensor.allocate(
                DType.FLOAT32, graph.inputs().get(0).type().shape().sizes());
        Random random = new Random(seed);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, 2 * random.nextDouble() - 1);
        }
        return tensor;
    }

    private static Map<String, Tensor> run(Engine engine, Graph graph, Tensor x) {
        try (Session session = engine.load(graph).session()) {
            session.run(Map.of("x", x)).close();
            // a second run: nothing of the first one may be in the way
            return session.run(Map.of("x", x)).outputs();
        }
    }

    /** Weights that convolutions of different numbers of groups share are packed for each. */
    @Test
    void weightsOfSeveralNumbersOfGroups() {
        Tensor weights = Float16Tests.scaled(TestGraphs.numbers(5, 64, 16, 3, 3), 0.05);
        Ops ops = Ops.graph("net");
        Edge w = ops.constant("w", weights);
        ops.output(
                "a",
                ops.conv2d(ops.input("x", TensorType.of(DType.FLOAT32, 1, 32, 20, 20)), w)
                        .group(2)
                        .y());
        ops.output(
                "b",
                ops.conv2d(ops.input("z", TensorType.of(DType.FLOAT32, 1, 64, 20, 20)), w)
                        .group(4)
                        .y());
        Graph graph = ops.build();
        Map<String, Tensor> inputs =
                Map.of("x", TestGraphs.numbers(1, 1, 32, 20, 20), "z", TestGraphs.numbers(2, 1, 64, 20, 20));
        EngineOptions options = EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());
        try (Engine plain = Engine.open(options.withFusion(false).withExact(true));
                Engine blocked = Engine.open(options)) {
            Float16Tests.Ran expected = Float16Tests.run(plain, graph, inputs);
            Float16Tests.Ran actual = Float16Tests.run(blocked, graph, inputs);
            for (String output : List.of("a", "b")) {
                assertThat(Float16Tests.error(expected.output(output), actual.output(output)))
                        .as(output)
                        .isLessThan(1e-5);
            }
        }
    }

    @Test
    @RequiresOpenCl
    void randomNetworks() {
        EngineOptions options = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        int blocked = 0;
        try (Engine plain = Engine.open(options.withFusion(false).withExact(true));
                Engine launched = Engine.open(options.withChain(false));
                Engine chained = Engine.open(options)) {
            for (int seed = 0; seed < GRAPHS; seed++) {
                Engine fast = seed % CHAINED == 0 ? chained : launched;
                Graph graph = new Network(seed).build(3 + seed % 12);
                Tensor x = input(seed, graph);
                try {
                    Map<String, Tensor> expected = run(plain, graph, x);
                    run(fast, graph, x)
                            .forEach((name, actual) -> assertThat(TensorComparison.difference(
                                            Objects.requireNonNull(expected.get(name)), actual, Tolerance.DEFAULT))
                                    .as("%s of %s", name, graph.nodes())
                                    .isEmpty());
                    try (Session session = fast.load(graph).session()) {
                        blocked += (int) session.placement(Map.of("x", x.type())).nodes().stream()
                                .filter(entry -> entry.variant().startsWith("nChw16c"))
                                .count();
                    }
                } catch (AssertionError | RuntimeException failed) {
                    throw new AssertionError("seed " + seed, failed);
                }
            }
        }
        assertThat(blocked).isGreaterThan(GRAPHS);
    }
}
