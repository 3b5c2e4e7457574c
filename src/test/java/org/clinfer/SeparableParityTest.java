package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.Comparison;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;

/** Blocks of mobile networks that are large enough to be computed by rows give what their nodes give one by one. */
class SeparableParityTest {

    /** Two blocks: expansion by `factor`, depthwise convolution, projection; the second one adds what it reads. */
    private static final class Blocks {

        private final GraphBuilder builder = TestGraphs.builder();
        private final Random random = new Random(7);
        private String last = "x";
        private int names;

        Blocks(int channels, int rows, int columns) {
            builder.input("x", DType.FLOAT32, 2, channels, rows, columns);
        }

        private String constant(double reach, long... sizes) {
            Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, reach * (2 * random.nextDouble() - 1));
            }
            String name = "c" + names++;
            builder.constant(name, tensor);
            return name;
        }

        private Blocks node(String op, List<String> inputs, Map<String, Attribute> params) {
            last = "v" + names++;
            builder.node(op, inputs, List.of(last), params);
            return this;
        }

        /** A 1x1 convolution, or a depthwise one. */
        Blocks convolution(int in, int out, int kernel, int stride) {
            return convolution(in, out, kernel, stride, kernel == 1 ? in : 1);
        }

        Blocks convolution(int in, int out, int kernel, int stride, int inGroup) {
            String weights =
                    constant(1.5 / Math.sqrt((double) inGroup * kernel * kernel), out, inGroup, kernel, kernel);
            int pad = kernel / 2;
            return node(
                    "Conv2d",
                    List.of(last, weights, constant(0.5, out)),
                    Map.of(
                            "strides", Attribute.ofInts(stride, stride),
                            "padding", Attribute.ofInts(pad, pad, pad, pad),
                            "group", Attribute.of(in / inGroup)));
        }

        Blocks activation(String op) {
            return node(op, List.of(last), Map.of());
        }

        Blocks sum(String other) {
            return node("Add", List.of(last, other), Map.of());
        }

        Graph build() {
            builder.output(last);
            return builder.build();
        }
    }

    private static Graph inverted(int channels, int middle, int size, int kernel, int stride, String activation) {
        Blocks blocks = new Blocks(channels, size, size + 5);
        blocks.convolution(channels, middle, 1, 1).activation(activation);
        blocks.convolution(middle, middle, kernel, stride).activation(activation);
        String first = blocks.convolution(middle, channels, 1, 1).last;
        blocks.convolution(channels, middle, 1, 1).activation(activation);
        blocks.convolution(middle, middle, kernel, 1).activation(activation);
        return blocks.convolution(middle, channels, 1, 1).sum(first).build();
    }

    private static Graph separable(int channels, int size, int stride) {
        Blocks blocks = new Blocks(16, size, size);
        blocks.convolution(16, channels, 3, 1, 16).activation("Relu");
        blocks.convolution(channels, channels, 3, stride).activation("Relu");
        blocks.convolution(channels, 2 * channels, 1, 1).activation("Relu");
        return blocks.convolution(2 * channels, 64, 3, 1, 2 * channels).build();
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
    void largeBlocks() {
        EngineOptions options = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        List<Graph> graphs = List.of(
                inverted(24, 144, 56, 3, 1, "Relu6"),
                inverted(16, 96, 109, 3, 2, "Relu6"),
                inverted(24, 72, 83, 5, 2, "HardSwish"),
                separable(64, 112, 1),
                separable(192, 113, 2));
        try (Engine plain = Engine.open(options.withFusion(false));
                Engine launched = Engine.open(options.withChain(false));
                Engine chained = Engine.open(options)) {
            for (Graph graph : graphs) {
                Tensor x = Tensor.allocate(graph.inputs().get(0).type());
                Random random = new Random(3);
                for (long i = 0; i < x.elements(); i++) {
                    x.setDouble(i, 2 * random.nextDouble() - 1);
                }
                Map<String, Tensor> expected = run(plain, graph, x);
                for (Engine fast : List.of(launched, chained)) {
                    run(fast, graph, x)
                            .forEach((name, actual) -> assertThat(Comparison.difference(
                                            Objects.requireNonNull(expected.get(name)), actual, Tolerance.DEFAULT))
                                    .as("%s of %s", name, graph.nodes())
                                    .isEmpty());
                    try (Session session = fast.load(graph).session()) {
                        assertThat(session.placement(Map.of("x", x.type())).nodes())
                                .anyMatch(node -> node.variant().equals("nChw16c rows"));
                    }
                }
            }
        }
    }
}
