package org.clinfer.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.importer.caffe.proto.BlobProto;
import org.clinfer.importer.caffe.proto.BlobShape;
import org.clinfer.importer.caffe.proto.ConvolutionParameter;
import org.clinfer.importer.caffe.proto.InnerProductParameter;
import org.clinfer.importer.caffe.proto.LayerParameter;
import org.clinfer.importer.caffe.proto.NetParameter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Damaged Caffe networks, as texts with weights beside them and as binary files, and texts that only look like some. */
class CaffeFuzzTest {

    private static final int CASES = 2500;
    private static final int DEEP = 100_000;

    static final List<String> WORDS = List.of(
            "layer {",
            "layers {",
            "}",
            "name:",
            "type:",
            "bottom:",
            "top:",
            "'Convolution'",
            "'Pooling'",
            "'ReLU'",
            "'Concat'",
            "'Slice'",
            "'Reshape'",
            "'Softmax'",
            "'Scale'",
            "'Eltwise'",
            "'DetectionOutput'",
            "'Input'",
            "CONVOLUTION",
            "MAX",
            "AVE",
            "SUM",
            "CENTER_SIZE",
            "axis",
            "dim: 0",
            "dim: -1",
            "num_output",
            "'x'",
            "'a'",
            "kernel_size: 3",
            "include { phase: TRAIN }");

    static final List<String> NAMES =
            List.of("x", "c", "f", "", "Convolution", "Pooling", "Scale", "BatchNorm", "Reshape", "é\n");

    static final List<String> NETS = List.of("""
            name: 'classifier'
            input: 'x'
            input_shape { dim: 1 dim: 2 dim: 6 dim: 6 }
            layer { name: 'c' type: 'Convolution' bottom: 'x' top: 'c'
              convolution_param { num_output: 4 kernel_size: 3 pad: 1 stride: 2
                weight_filler { type: 'xavier' } } }
            layer { name: 'b' type: 'BatchNorm' bottom: 'c' top: 'b'
              batch_norm_param { use_global_stats: true eps: 0.001 } }
            layer { name: 's' type: 'Scale' bottom: 'b' top: 'b'
              scale_param { bias_term: true } }
            layer { name: 'r' type: 'ReLU' bottom: 'b' top: 'b' relu_param { negative_slope: 0.1 } }
            layer { name: 'd' type: 'Deconvolution' bottom: 'b' top: 'd'
              convolution_param { num_output: 2 kernel_size: 4 stride: 2 pad: 1 group: 2 bias_term: false } }
            layer { name: 'e' type: 'Eltwise' bottom: 'd' bottom: 'x' top: 'e'
              eltwise_param { operation: SUM coeff: 1 coeff: -0.5 } }
            layer { name: 'p' type: 'Pooling' bottom: 'e' top: 'p'
              pooling_param { pool: AVE kernel_size: 3 stride: 2 pad: 1 } }
            layer { name: 'n' type: 'LRN' bottom: 'p' top: 'n' lrn_param { local_size: 3 alpha: 0.1 } }
            layer { name: 'f' type: 'InnerProduct' bottom: 'n' top: 'f'
              inner_product_param { num_output: 3 } }
            layer { name: 'o' type: 'Softmax' bottom: 'f' top: 'o' }
            """, """
            layer { name: 'x' type: 'Input' top: 'x'
              input_param { shape { dim: 2 dim: 4 dim: 4 dim: 6 } } }
            layer { name: 's' type: 'Slice' bottom: 'x' top: 's' top: 't'
              slice_param { axis: 1 slice_point: 1 } }
            layer { name: 'r' type: 'Reshape' bottom: 't' top: 'r'
              reshape_param { shape { dim: 0 dim: -1 dim: 2 } } }
            layer { name: 'f' type: 'Flatten' bottom: 's' top: 'f' flatten_param { axis: 2 } }
            layer { name: 'p' type: 'Permute' bottom: 'x' top: 'p' permute_param { order: 0 order: 2 order: 3 order: 1 } }
            layer { name: 'i' type: 'Interp' bottom: 'x' top: 'i' interp_param { height: 5 width: 7 } }
            layer { name: 'k' type: 'Crop' bottom: 'i' bottom: 'x' top: 'k' crop_param { axis: 2 offset: 0 } }
            layer { name: 'c' type: 'Concat' bottom: 'k' bottom: 'x' top: 'c' concat_param { axis: 1 } }
            layer { name: 'a' type: 'ArgMax' bottom: 'c' top: 'a' argmax_param { axis: 1 } }
            layer { name: 'm' type: 'MVN' bottom: 'p' top: 'm' mvn_param { across_channels: true } }
            layer { name: 'u' type: 'Power' bottom: 'm' top: 'u' power_param { power: 2 scale: 0.5 shift: 1 } }
            layer { name: 'q' type: 'Reduction' bottom: 'r' top: 'q' reduction_param { axis: 1 operation: MEAN } }
            layer { name: 'l' type: 'Tile' bottom: 'f' top: 'l' tile_param { axis: 1 tiles: 3 } }
            """, """
            input: 'x' input_dim: 1 input_dim: 4 input_dim: 3 input_dim: 3
            layer { name: 'v' type: 'PriorBox' bottom: 'x' bottom: 'x' top: 'v'
              prior_box_param { min_size: 2 aspect_ratio: 2 flip: true clip: false variance: 0.1 variance: 0.2
                variance: 0.1 variance: 0.2 step: 1 offset: 0.5 } }
            layer { name: 'l' type: 'Convolution' bottom: 'x' top: 'l' convolution_param { num_output: 12 kernel_size: 1 } }
            layer { name: 'g' type: 'Flatten' bottom: 'l' top: 'g' }
            layer { name: 'k' type: 'Convolution' bottom: 'x' top: 'k' convolution_param { num_output: 6 kernel_size: 1 } }
            layer { name: 'h' type: 'Flatten' bottom: 'k' top: 'h' }
            layer { name: 'd' type: 'DetectionOutput' bottom: 'g' bottom: 'h' bottom: 'v' top: 'd'
              detection_output_param { num_classes: 2 share_location: true keep_top_k: 5 confidence_threshold: 0.1
                code_type: CENTER_SIZE nms_param { nms_threshold: 0.45 top_k: 10 } } }
            layer { name: 'q' type: 'Proposal' bottom: 'x' bottom: 'y' bottom: 'i' top: 'q'
              proposal_param { ratio: 1 scale: 1 scale: 2 post_nms_topn: 4 min_size: 1 } }
            input: 'y' input_dim: 1 input_dim: 8 input_dim: 3 input_dim: 3
            input: 'i' input_dim: 1 input_dim: 1 input_dim: 1 input_dim: 3
            layer { name: 'o' type: 'ROIPooling' bottom: 'x' bottom: 'q' top: 'o'
              roi_pooling_param { pooled_h: 2 pooled_w: 3 spatial_scale: 0.0625 } }
            """);

    @TempDir
    Path folder;

    private static BlobProto blob(long... dims) {
        int count = 1;
        BlobShape.Builder shape = BlobShape.newBuilder();
        for (long dim : dims) {
            shape.addDim(dim);
            count *= (int) dim;
        }
        ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putFloat(i % 5 - 1);
        }
        return BlobProto.newBuilder()
                .setShape(shape)
                .addData(ByteString.copyFrom(bytes.flip()))
                .build();
    }

    private static LayerParameter.Builder layer(String name, BlobProto... blobs) {
        return LayerParameter.newBuilder().setName(name).addAllBlobs(List.of(blobs));
    }

    /** The weights of the first network. */
    static NetParameter weights() {
        return NetParameter.newBuilder()
                .addLayer(layer("c", blob(4, 2, 3, 3), blob(4)))
                .addLayer(layer("b", blob(4), blob(4), blob(1)))
                .addLayer(layer("s", blob(4), blob(4)))
                .addLayer(layer("d", blob(4, 1, 4, 4)))
                .addLayer(layer("f", blob(3, 32), blob(3)))
                .build();
    }

    /** A network that is all in one binary file. */
    static NetParameter binary() {
        return NetParameter.newBuilder()
                .setName("binary")
                .addInput("x")
                .addInputShape(
                        BlobShape.newBuilder().addDim(1).addDim(2).addDim(4).addDim(4))
                .addLayer(layer("c", blob(3, 2, 3, 3), blob(3))
                        .setType("Convolution")
                        .addBottom("x")
                        .addTop("c")
                        .setConvolutionParam(ConvolutionParameter.newBuilder()
                                .setNumOutput(3)
                                .addKernelSize(3)))
                .addLayer(layer("r").setType("ReLU").addBottom("c").addTop("c"))
                .addLayer(layer("f", blob(2, 12), blob(2))
                        .setType("InnerProduct")
                        .addBottom("c")
                        .addTop("f")
                        .setInnerProductParam(InnerProductParameter.newBuilder().setNumOutput(2)))
                .build();
    }

    private Path write(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theNetworksAreSound() throws IOException {
        FormatFuzz.requireSound(write("binary.caffemodel", binary().toByteArray()));
        write("net.caffemodel", weights().toByteArray());
        FormatFuzz.requireSound(write("net.prototxt", bytes(NETS.get(0))));
        Files.delete(folder.resolve("net.caffemodel"));
        Files.delete(folder.resolve("binary.caffemodel"));
        for (String net : NETS) {
            FormatFuzz.requireSound(write("net.prototxt", bytes(net)));
        }
    }

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedTexts() throws IOException {
        Path weights = folder.resolve("net.caffemodel");
        FormatFuzz.run("Caffe texts", CASES, seed -> {
            TextMutator mutator = new TextMutator(seed, WORDS);
            String sound = NETS.get((int) (seed % NETS.size()));
            Files.deleteIfExists(weights);
            if (seed % NETS.size() == 0) {
                boolean damaged = seed % 4 == 0;
                Files.write(
                        weights,
                        damaged
                                ? new ProtoMutator(seed, WORDS)
                                        .change(weights())
                                        .toByteArray()
                                : weights().toByteArray());
            }
            if (seed % 10 == 0) {
                return write("net.prototxt", new ModelMutator(seed).damage(bytes(sound)));
            }
            String text = seed % 13 == 0 ? mutator.random("input: 'x' ") : mutator.change(sound);
            return write("net.prototxt", bytes(text));
        });
    }

    @Test
    @Timeout(value = 1000, unit = TimeUnit.SECONDS)
    void damagedBinaryFiles() throws IOException {
        FormatFuzz.run("Caffe binary files", CASES / 2, seed -> {
            byte[] damaged = seed % 4 == 0
                    ? new ModelMutator(seed).damage(binary().toByteArray())
                    : new ProtoMutator(seed, NAMES).change(binary()).toByteArray();
            return write("net.caffemodel", damaged);
        });
    }

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void depthAndRingsAreRefused() throws IOException {
        String input = "input: 'x' input_dim: 1 input_dim: 1 input_dim: 1 input_dim: 2\n";
        String ring = """
                layer { name: 'a' type: 'ReLU' bottom: 'b' top: 'a' }
                layer { name: 'b' type: 'ReLU' bottom: 'a' top: 'b' }
                """;
        String deep = "layer { name: 'a' type: 'ReLU' bottom: 'x' top: 'a' " + "a { ".repeat(DEEP);
        String strings = "name: " + "'a' ".repeat(DEEP) + input + "layer { name: 'a' type: 'ReLU' bottom: 'x' }";
        try (Engine engine = FuzzTest.engine(new DeviceChoice.Cpu())) {
            for (String text : List.of(input + ring, input + deep, strings, "[".repeat(DEEP), "{".repeat(DEEP))) {
                Trial.Outcome outcome = new Trial(engine).of(write("net.prototxt", bytes(text)));
                assertThat(outcome.defect()).isEmpty();
                assertThat(outcome.refusal().orElseThrow()).hasSizeLessThan(400).doesNotContain("\n");
            }
        }
    }
}
