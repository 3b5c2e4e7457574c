package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Networks of codes whose values have the channels side by side give the codes that their definitions give. */
@RequiresOpenCl
class QuantizedLayoutTest {

    private static final int GRAPHS = 16;

    /** A network of bytes with random weights and zero points. */
    private static final class Net {

        private final Random random;
        private final Ops ops = Ops.graph("net");
        private final DType quantized;
        private final Tensor x;
        private final Edge input;
        private final Edge scale;
        private final Edge zero;
        private int made;

        Net(int seed, long... sizes) {
            this.random = new Random(seed);
            this.quantized = random.nextBoolean() ? DType.UINT8 : DType.INT8;
            this.x = bytes(quantized, sizes);
            this.input = ops.input("x", x.type());
            this.scale = ops.constant("scale", real(0.02));
            this.zero = ops.constant("zero", zeroPoint());
        }

        private Tensor bytes(DType type, long... sizes) {
            Tensor tensor = Tensor.allocate(type, sizes);
            for (long i = 0; i < tensor.elements(); i++) {
                tensor.setDouble(i, random.nextInt(256) - (type == DType.INT8 ? 128 : 0));
            }
            return tensor;
        }

        private static Tensor real(double value) {
            Tensor tensor = Tensor.allocate(DType.FLOAT32, 1);
            tensor.setDouble(0, value);
            return tensor;
        }

        private Tensor zeroPoint() {
            Tensor tensor = Tensor.allocate(quantized, 1);
            tensor.setDouble(0, 100 + random.nextInt(50) - (quantized == DType.INT8 ? 128 : 0));
            return tensor;
        }

        /** All values have the same scale and zero point. */
        Edge convolution(Edge from, int in, int out, int kernel, int stride, int groups) {
            String name = "weights" + made++;
            int terms = in / groups * kernel * kernel;
            Edge weights = ops.constant(name, bytes(DType.INT8, out, in / groups, kernel, kernel));
            long pad = kernel / 2;
            return ops.quantizedConv(from, weights)
                    .xZeroPoint(zero)
                    .xScale(scale)
                    .wScale(ops.constant(name + "_scale", real(0.8 / (75 * Math.sqrt(terms)))))
                    .yScale(scale)
                    .yZeroPoint(zero)
                    .padsBegin(pad, pad)
                    .padsEnd(pad, pad)
                    .strides(stride, stride)
                    .groups(groups)
                    .y();
        }

        Edge sum(Edge left, Edge right) {
            return ops.quantizedAdd(left, right, scale, scale, scale, zero)
                    .aZeroPoint(zero)
                    .bZeroPoint(zero)
                    .y();
        }

        Edge pool(Edge from) {
            return ops.maxPool(from).kernelSize(2, 2).strides(2, 2).y();
        }

        Graph build(Edge... outputs) {
            for (int i = 0; i < outputs.length; i++) {
                ops.output("y" + i, outputs[i]);
            }
            return ops.build();
        }
    }

    /** Blocks as in residual networks and such with depthwise convolutions, with a change of order at the sum and a pool. */
    private static Graph residual(Net net, int channels, int wide) {
        Edge first = net.convolution(net.input, 3, channels, 3, 2, 1);
        Edge inner = net.convolution(first, channels, wide, 1, 1, 1);
        inner = net.convolution(inner, wide, wide, 3, 1, wide);
        inner = net.convolution(inner, wide, channels, 1, 1, 1);
        Edge sum = net.sum(inner, first);
        Edge second = net.convolution(sum, channels, channels, 3, 1, 1);
        Edge total = net.sum(second, sum);
        Edge small = net.convolution(total, channels, wide, 1, 2, 1);
        small = net.convolution(small, wide, wide, 3, 2, wide);
        return net.build(small, total, net.pool(sum));
    }

    private static Map<String, Tensor> run(Engine engine, Net net, Graph graph) {
        try (Session session = engine.load(graph).session();
                Result result = session.run(Map.of("x", net.x))) {
            Map<String, Tensor> copies = new HashMap<>();
            result.outputs().forEach((name, tensor) -> {
                Tensor copy = Tensor.allocate(tensor.type());
                for (long i = 0; i < tensor.elements(); i++) {
                    copy.setDouble(i, tensor.getDouble(i));
                }
                copies.put(name, copy);
            });
            return copies;
        }
    }

    private static List<Placement.Entry> placement(Engine engine, Net net, Graph graph) {
        try (Session session = engine.load(graph).session()) {
            return session.placement(Map.of("x", net.x.type())).nodes();
        }
    }

    @Test
    void channelsSideBySideGiveTheSameCodes() {
        try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Engine device = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()))) {
            for (int seed = 0; seed < GRAPHS; seed++) {
                Net net = new Net(seed, 1 + seed % 2, 3, 11 + seed % 5, 9 + seed % 7);
                Graph graph = residual(net, 8 * (1 + seed % 3), 24 + 8 * (seed % 9));
                Map<String, Tensor> expected = run(cpu, net, graph);
                Map<String, Tensor> actual = run(device, net, graph);
                for (Map.Entry<String, Tensor> output : expected.entrySet()) {
                    Tensor wanted = output.getValue();
                    Tensor found = Objects.requireNonNull(actual.get(output.getKey()));
                    assertThat(found.type()).isEqualTo(wanted.type());
                    for (long i = 0; i < wanted.elements(); i++) {
                        assertThat(found.getLong(i))
                                .as("seed %s, %s, element %s", seed, output.getKey(), i)
                                .isEqualTo(wanted.getLong(i));
                    }
                }
            }
        }
    }

    /** A value that a caller gets keeps its order, and so does the convolution of planes that makes it. */
    @Test
    void depthwiseConvolutionsBetweenOthersAreTurned() {
        try (Engine device = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()))) {
            Net net = new Net(0, 1, 3, 12, 12);
            List<Placement.Entry> nodes = placement(device, net, residual(net, 16, 64));
            assertThat(nodes)
                    .filteredOn(entry -> entry.op().equals("QuantizedConv"))
                    .extracting(Placement.Entry::variant)
                    .containsExactly("quads", "quads", "channel_quads", "quads", "quads", "quads", "planes");
        }
    }
}
