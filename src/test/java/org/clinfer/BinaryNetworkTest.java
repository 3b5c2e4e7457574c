package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.cli.npy.NpyFile;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.BinaryConvolutionOp.Mode;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A trained network with weights and activations of one bit (BNN-PYNQ cnvW1A1, CIFAR-10): every layer's sums are those
 * recorded for it, exactly.
 */
class BinaryNetworkTest {

    private static final Path FOLDER =
            Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"), "models", "bnn_cnv_cifar10");

    private static final int LAYERS = 9;
    private static final List<Integer> POOLED = List.of(1, 3);

    /** The inputs of the first layer are multiples of 1/128; its thresholds are of the sums times this. */
    private static final double FIRST_SCALE = 256;

    @BeforeEach
    void requireFolder() {
        Assumptions.assumeTrue(Files.isDirectory(FOLDER), () -> FOLDER + " is not there");
    }

    /** A NumPy array of unsigned bytes, which Clinfer has no type for. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Bytes(long[] dims, ByteBuffer elements) {

        static Bytes read(Path file) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            int data = 10 + bytes.getShort(8);
            String header = new String(bytes.array(), 10, data - 10, StandardCharsets.US_ASCII);
            assertThat(header).contains("'descr': '|u1'", "'fortran_order': False");
            String shape = header.substring(header.indexOf('(') + 1, header.indexOf(')'));
            long[] dims = List.of(shape.split(",\\s*", -1)).stream()
                    .filter(size -> !size.isEmpty())
                    .mapToLong(Long::parseLong)
                    .toArray();
            return new Bytes(dims, bytes.position(data).slice());
        }

        Tensor as(DType dtype) {
            Tensor tensor = Tensor.allocate(dtype, dims);
            for (int i = 0; i < elements.limit(); i++) {
                tensor.setLong(i, elements.get(i));
            }
            return tensor;
        }
    }

    private static Bytes bits(int layer) throws IOException {
        return Bytes.read(FOLDER.resolve("layer" + layer + "_weight_bits.npy"));
    }

    /** The network, with the sums of all layers as outputs. */
    private static Graph graph() throws IOException {
        Ops ops = Ops.graph("bnn");
        Edge activations = ops.input("x", TensorType.of(DType.FLOAT32, 1, 3, 32, 32));
        for (int layer = 0; layer < LAYERS; layer++) {
            Edge sum = layer == 0 ? first(ops, activations) : binary(ops, layer, activations);
            ops.output("sum" + layer, sum);
            if (layer < LAYERS - 1) {
                Edge isAbove = ops.greater(sum, ops.constant("threshold" + layer, thresholds(layer)));
                activations = ops.cast(isAbove, DType.FLOAT32).y();
            }
            if (POOLED.contains(layer)) {
                activations =
                        ops.maxPool(activations).kernelSize(2, 2).strides(2, 2).y();
            }
        }
        return ops.build();
    }

    /** Weights 0 and 1 stand for -1 and 1. */
    private static Edge first(Ops ops, Edge x) throws IOException {
        Tensor weights = bits(0).as(DType.FLOAT32);
        for (long i = 0; i < weights.elements(); i++) {
            weights.setDouble(i, 2 * weights.getDouble(i) - 1);
        }
        return ops.conv2d(x, ops.constant("weights0", weights)).y();
    }

    private static Edge binary(Ops ops, int layer, Edge x) throws IOException {
        long[] ones = {1, 1};
        long[] zeros = {0, 0};
        Edge weights = ops.constant("weights" + layer, bits(layer).as(DType.U1));
        return ops.binaryConvolution(x, weights, ones, zeros, zeros, ones, Mode.XNOR_POPCOUNT, 0)
                .y();
    }

    /** What sums must be above, for numbers of equal bits that must be above the recorded thresholds. */
    private static Tensor thresholds(int layer) throws IOException {
        long[] dims = bits(layer).dims();
        Tensor recorded = NpyFile.read(FOLDER.resolve("layer" + layer + "_threshold.npy"));
        Tensor thresholds = Tensor.allocate(DType.FLOAT32, 1, dims[0], 1, 1);
        double all = dims[1] * dims[2] * dims[3];
        for (long i = 0; i < recorded.elements(); i++) {
            double value = recorded.getDouble(i);
            thresholds.setDouble(i, layer == 0 ? value / FIRST_SCALE : 2 * value - all);
        }
        return thresholds;
    }

    private static void check(EngineOptions options, Placement.Target target) throws IOException {
        try (Engine engine = Engine.open(options);
                Model model = engine.load(graph());
                Session session = model.session()) {
            for (int picture = 0; picture < 2; picture++) {
                checkPicture(session, FOLDER.resolve("ref").resolve("pic" + picture + "_layer0_in.npy"));
            }
            assertThat(session.placement().nodes())
                    .filteredOn(node -> node.op().equals("BinaryConvolution"))
                    .hasSize(LAYERS - 1)
                    .allMatch(node -> node.target() == target);
        }
    }

    private static void checkPicture(Session session, Path input) throws IOException {
        String prefix = input.getFileName().toString().replace("0_in.npy", "");
        int compared = 0;
        try (Result result = session.run(Map.of("x", NpyFile.read(input)))) {
            for (int layer = 0; layer < LAYERS; layer++) {
                Path sum = input.resolveSibling(prefix + layer + "_sum.npy");
                if (Files.exists(sum)) {
                    Tensor recorded = NpyFile.read(sum);
                    Tensor computed = result.get("sum" + layer);
                    assertThat(computed.type()).isEqualTo(recorded.type());
                    assertThat(computed.toFloatArray()).as(sum.toString()).isEqualTo(recorded.toFloatArray());
                    compared++;
                }
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(2);
    }

    @Test
    void cpu() throws IOException {
        check(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()), Placement.Target.CPU);
    }

    @Test
    @RequiresOpenCl(ClBinding.LWJGL)
    void lwjgl() throws IOException {
        check(EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()), Placement.Target.DEVICE);
    }

    @Test
    @RequiresOpenCl(ClBinding.JOCL)
    void jocl() throws IOException {
        check(
                EngineOptions.defaults()
                        .withDevice(new DeviceChoice.FirstOpenCl())
                        .withBinding(ClBinding.JOCL),
                Placement.Target.DEVICE);
    }
}
