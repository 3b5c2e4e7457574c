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
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;

/** Networks that compute in blocked channels give what they give node by node in NCHW. */
class LayoutParityTest {

    private static final int GRAPHS = 120;

    /** Of so many networks one runs in chains: each has a program of its own, which takes seconds to build. */
    private static final int CHAINED = 15;

    /** An image between two nodes. */
    private record Image(String name, int channels, int rows, int columns) {
        boolean isAsLargeAs(Image other) {
            return rows == other.rows && columns == other.columns;
        }
    }

    /** A random network for pictures, with every operator that has a form for blocked channels. */
    private static final class Network {
        private final Random random;
        private final GraphBuilder builder = TestGraphs.builder();
        private final List<Image> made = new ArrayList<>();
        private final int batch;
        private int names;

        Network(long seed) {
            this.random = new Random(seed);
            this.batch = 1 + random.nextInt(2);
        }

        Graph build(int steps) {
            int channels = pick(1, 3, 4, 16, 20);
            Image last = new Image("x", channels, 9 + random.nextInt(20), 8 + random.nextInt(24));
            builder.input("x", DType.FLOAT32, batch, channels, last.rows(), last.columns());
            made.add(last);
            for (int i = 0; i < steps; i++) {
                last = step(random.nextInt(4) == 0 ? made.get(random.nextInt(made.size())) : last);
                made.add(last);
            }
            builder.output(last.name());
            Image other = made.get(1 + random.nextInt(made.size() - 1));
            if (!other.equals(last)) {
                builder.output(other.name());
            }
            return builder.build();
        }

        private int pick(int... values) {
            return values[random.nextInt(values.length)];
        }

        private Image step(Image x) {
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

        private Image add(String op, List<String> inputs, Map<String, Attribute> params, Image like) {
            String y = "v" + names++;
            builder.node(op, inputs, List.of(y), params);
            return new Image(y, like.channels(), like.rows(), like.columns());
        }

        private String constant(double low, double high, long... sizes) {
            Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, low + (high - low) * random.nextDouble());
            }
            String name = "c" + names++;
            builder.constant(name, tensor);
            return name;
        }

        private Image convolution(Image x) {
            boolean isDepthwise = random.nextInt(4) == 0;
            int channels = isDepthwise ? x.channels() : pick(5, 16, 24, 32, 48, 64);
            int groups = isDepthwise ? x.channels() : x.channels() % 32 == 0 && channels % 32 == 0 ? pick(1, 2) : 1;
            int kernel = Math.min(pick(1, 3, 3, 5), Math.min(x.rows(), x.columns()));
            int stride = pick(1, 1, 2);
            int top = random.nextInt(kernel);
            int left = random.nextInt(kernel);
            int bottom = random.nextInt(kernel);
            int right = random.nextInt(kernel);
            int inGroup = x.channels() / groups;
            double reach = 1.5 / Math.sqrt((double) inGroup * kernel * kernel);
            List<String> inputs =
                    new ArrayList<>(List.of(x.name(), constant(-reach, reach, channels, inGroup, kernel, kernel)));
            if (random.nextBoolean()) {
                inputs.add(constant(-0.5, 0.5, channels));
            }
            Map<String, Attribute> params = Map.of(
                    "strides", Attribute.ofInts(stride, stride),
                    "padding", Attribute.ofInts(top, bottom, left, right),
                    "group", Attribute.of(groups));
            Image y = new Image(
                    "",
                    channels,
                    (x.rows() + top + bottom - kernel) / stride + 1,
                    (x.columns() + left + right - kernel) / stride + 1);
            Image sum = add("Conv2d", inputs, params, y);
            return random.nextInt(3) == 0 ? sum : activation(sum);
        }

        private Image pool(Image x) {
            int kernel = Math.min(pick(2, 3), Math.min(x.rows(), x.columns()));
            int stride = pick(1, 2);
            int pad = random.nextInt(kernel);
            Map<String, Attribute> params = Map.of(
                    "kernel_size", Attribute.ofInts(kernel, kernel),
                    "strides", Attribute.ofInts(stride, stride),
                    "padding", Attribute.ofInts(pad, pad, 0, pad));
            Image y = new Image(
                    "",
                    x.channels(),
                    (x.rows() + 2 * pad - kernel) / stride + 1,
                    (x.columns() + pad - kernel) / stride + 1);
            return add(random.nextBoolean() ? "MaxPool" : "AvgPool", List.of(x.name()), params, y);
        }

        private Image activation(Image x) {
            String op = List.of("Relu", "Relu6", "LeakyRelu", "Clip", "Sigmoid", "HardSwish", "Swish", "Tanh", "Elu")
                    .get(random.nextInt(8));
            return switch (op) {
                case "LeakyRelu" -> add(op, List.of(x.name()), Map.of("alpha", Attribute.of(0.25)), x);
                case "Clip" ->
                    add(op, List.of(x.name()), Map.of("min", Attribute.of(0.25), "max", Attribute.of(1.5)), x);
                default -> add(op, List.of(x.name()), Map.of(), x);
            };
        }

        private Image normalization(Image x) {
            List<String> inputs = List.of(
                    x.name(),
                    constant(-2, 2, x.channels()),
                    constant(-1, 1, x.channels()),
                    constant(-1, 1, x.channels()),
                    constant(0.25, 2, x.channels()));
            Image y = add("BatchNorm", inputs, Map.of(), x);
            return random.nextBoolean() ? add("Relu", List.of(y.name()), Map.of(), y) : y;
        }

        private Image binary(Image x) {
            List<Image> others = made.stream()
                    .filter(other -> other.isAsLargeAs(x) && other.channels() == x.channels())
                    .toList();
            Image other = others.get(random.nextInt(others.size()));
            String op = List.of("Add", "Sum", "Sub", "Mul").get(random.nextInt(4));
            return add(op, List.of(x.name(), other.name()), Map.of(), x);
        }

        private Image concat(Image x) {
            List<Image> others = made.stream()
                    .filter(other -> other.isAsLargeAs(x) && other.channels() < 200)
                    .toList();
            Image other = others.get(random.nextInt(others.size()));
            Image y = new Image("", x.channels() + other.channels(), x.rows(), x.columns());
            return add("Concat", List.of(x.name(), other.name()), Map.of("axis", Attribute.of(1)), y);
        }

        /** Channels weighted by a mean of theirs. */
        private Image gate(Image x) {
            Image mean = add(
                    "AvgPool",
                    List.of(x.name()),
                    Map.of("is_global", Attribute.of(true)),
                    new Image("", x.channels(), 1, 1));
            String weights = constant(-0.5, 0.5, x.channels(), x.channels(), 1, 1);
            Image factors = add("Conv2d", List.of(mean.name(), weights), Map.of(), mean);
            Image bounded = add("Sigmoid", List.of(factors.name()), Map.of(), mean);
            return add("Mul", List.of(x.name(), bounded.name()), Map.of(), x);
        }

        /** By scales whose coordinates are far from the ties of nearest. */
        private Image resize(Image x) {
            int down = pick(1, 2);
            double across = random.nextBoolean() ? 0.5 : 2;
            if (x.rows() * x.columns() > 2000 || x.columns() < 2) {
                return activation(x);
            }
            Map<String, Attribute> params = Map.of(
                    "scales", Attribute.ofReals(1, 1, down, across),
                    "mode", Attribute.of(random.nextBoolean() ? "linear" : "nearest"),
                    "coordinate_mode", Attribute.of(random.nextBoolean() ? "half_pixel" : "asymmetric"),
                    "nearest_mode", Attribute.of("floor"));
            Image y = new Image("", x.channels(), x.rows() * down, (int) (x.columns() * across));
            return add("Resize", List.of(x.name()), params, y);
        }

        private Image split(Image x) {
            if (x.channels() < 2) {
                return activation(x);
            }
            int first = x.channels() > 16 && random.nextBoolean() ? 16 : x.channels() / 2;
            String a = "v" + names++;
            String b = "v" + names++;
            builder.node(
                    "Split",
                    List.of(x.name()),
                    List.of(a, b),
                    Map.of("axis", Attribute.of(1), "split", Attribute.ofInts(first, x.channels() - first)));
            made.add(new Image(a, first, x.rows(), x.columns()));
            return new Image(b, x.channels() - first, x.rows(), x.columns());
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
