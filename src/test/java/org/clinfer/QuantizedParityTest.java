package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Integers that take the place of numbers made of codes give the codes that the numbers give, or the next ones. */
class QuantizedParityTest {

    private static final int GRAPHS = 120;

    /** One operator on numbers that are made of codes, and what follows it. */
    private static final class Layer {

        private final Random random;
        private final GraphBuilder builder = TestGraphs.builder();
        private final DType codes;
        private final Map<String, Tensor> inputs = new HashMap<>();

        Layer(long seed) {
            this.random = new Random(seed);
            this.codes = random.nextBoolean() ? DType.UINT8 : DType.INT8;
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

        private String reals(String name, double low, double high, long... sizes) {
            Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, low + (high - low) * random.nextDouble());
            }
            builder.constant(name, tensor);
            return name;
        }

        /** At an end of the range, in its middle, or anywhere. */
        private String zero(String name, DType type) {
            int lowest = type == DType.INT8 ? -128 : 0;
            int from = List.of(0, 128, 255, below(256)).get(below(4));
            Tensor tensor = Tensor.allocate(type);
            tensor.setDouble(0, lowest + from);
            builder.constant(name, tensor);
            return name;
        }

        private void node(String op, List<String> from, String to, Map<String, Attribute> params) {
            builder.node(op, from, List.of(to), params);
        }

        private String input(String name, long... sizes) {
            builder.input(name, codes, sizes);
            inputs.put(name, bytes(codes, sizes));
            String scale = name + "s";
            String zero = name + "z";
            reals(scale, 0.01, 0.05);
            zero(zero, codes);
            node("DequantizeLinear", List.of(name, scale, zero), name + "r", Map.of());
            return name + "r";
        }

        private String weights(int axis, long... sizes) {
            DType type = below(4) == 0 ? DType.UINT8 : DType.INT8;
            builder.constant("v", bytes(type, sizes));
            boolean each = random.nextBoolean();
            reals("vs", 0.001, 0.01, each ? new long[] {sizes[axis]} : new long[0]);
            Tensor middle = Tensor.allocate(type, each ? new long[] {sizes[axis]} : new long[0]);
            for (long i = 0; i < middle.elements(); i++) {
                middle.setDouble(i, type == DType.UINT8 ? 128 : below(8) == 0 ? 1 : 0);
            }
            builder.constant("vz", middle);
            node("DequantizeLinear", List.of("v", "vs", "vz"), "w", Map.of("axis", Attribute.of(axis)));
            return "w";
        }

        /** A bias as exporters write it, or as numbers. */
        private String bias(long channels) {
            if (random.nextBoolean()) {
                return reals("b", -1, 1, channels);
            }
            Tensor units = Tensor.allocate(DType.INT32, channels);
            for (long i = 0; i < channels; i++) {
                units.setDouble(i, below(10000) - 5000);
            }
            builder.constant("c", units);
            reals("cs", 0.0001, 0.0002, channels);
            node("DequantizeLinear", List.of("c", "cs"), "b", Map.of("axis", Attribute.of(0)));
            return "b";
        }

        private String convolution() {
            int group = below(3) == 0 ? 16 : 1;
            int in = group == 1 ? 1 + below(40) : 16;
            int out = group == 1 ? 8 + below(40) : 16;
            int kernel = 1 + 2 * below(2);
            String x = input("x", 1 + below(2), in, 3 + below(9), 3 + below(15));
            List<String> from = random.nextBoolean()
                    ? List.of(x, weights(0, out, in / group, kernel, kernel))
                    : List.of(x, weights(0, out, in / group, kernel, kernel), bias(out));
            int pad = kernel / 2;
            node(
                    "Conv2d",
                    from,
                    "s",
                    Map.of(
                            "padding", Attribute.ofInts(pad, pad, pad, 0),
                            "strides", Attribute.ofInts(1 + below(2), 1),
                            "group", Attribute.of(group)));
            return "s";
        }

        private String product() {
            int terms = 1 + below(70);
            int columns = 8 + below(60);
            boolean plain = random.nextBoolean();
            String x = plain ? input("x", 1 + below(3), 1 + below(20), terms) : input("x", 1 + below(20), terms);
            boolean turned = !plain && random.nextBoolean();
            String w = turned ? weights(0, columns, terms) : weights(1, terms, columns);
            if (plain) {
                node("MatMul", List.of(x, w), "s", Map.of());
                if (random.nextBoolean()) {
                    return "s";
                }
                node("Add", List.of("s", bias(columns)), "t", Map.of());
                return "t";
            }
            Map<String, Attribute> params = Map.of("transpose_b", Attribute.of(turned));
            node("Gemm", List.of(x, w, bias(columns)), "s", params);
            return "s";
        }

        /** Codes of {@code value}; of scales with which few, or many, saturate. */
        Graph build() {
            String value = random.nextBoolean() ? convolution() : product();
            String last = value;
            if (below(3) == 0) {
                node("Relu", List.of(value), "u", Map.of());
                last = "u";
            }
            DType to = random.nextBoolean() ? DType.UINT8 : DType.INT8;
            reals("ys", 0.01, below(2) == 0 ? 0.02 : 0.5);
            node("QuantizeLinear", List.of(last, "ys", zero("yz", to)), "y", Map.of());
            return builder.output("y").build();
        }
    }

    private static void within(Tensor expected, Tensor actual, int codes, String what) {
        assertThat(actual.type()).isEqualTo(expected.type());
        for (long i = 0; i < expected.elements(); i++) {
            assertThat(Math.abs(actual.getLong(i) - expected.getLong(i)))
                    .as("%s, element %s: %s, not %s", what, i, actual.getLong(i), expected.getLong(i))
                    .isLessThanOrEqualTo(codes);
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
    void layersGiveTheSameCodesOrTheNext() {
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

    /** Two layers with everything between them that moves codes; what is between them is exact. */
    private static Graph network(Layer layer) {
        String x = layer.input("x", 1, 8, 9, 9);
        Map<String, Attribute> windows = Map.of(
                "kernel_size",
                Attribute.ofInts(3, 3),
                "strides",
                Attribute.ofInts(2, 2),
                "padding",
                Attribute.ofInts(1, 1, 1, 1));
        layer.node("MaxPool", List.of(x), "p", windows);
        layer.node("QuantizeLinear", List.of("p", "xs", "xz"), "pq", Map.of());
        layer.node("DequantizeLinear", List.of("pq", "xs", "xz"), "pr", Map.of());
        layer.node("Transpose", List.of("pr"), "t", Map.of("perm", Attribute.ofInts(0, 2, 3, 1)));
        layer.node("QuantizeLinear", List.of("t", "xs", "xz"), "tq", Map.of());
        layer.node("DequantizeLinear", List.of("tq", "xs", "xz"), "tr", Map.of());
        layer.node("Concat", List.of("tr", "tr"), "j", Map.of("axis", Attribute.of(1)));
        layer.node("QuantizeLinear", List.of("j", "xs", "xz"), "jq", Map.of());
        layer.node("DequantizeLinear", List.of("jq", "xs", "xz"), "jr", Map.of());
        layer.node("Flatten", List.of("jr"), "f", Map.of());
        layer.node("QuantizeLinear", List.of("f", "xs", "xz"), "y", Map.of());
        return layer.builder.output("y").build();
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
}
