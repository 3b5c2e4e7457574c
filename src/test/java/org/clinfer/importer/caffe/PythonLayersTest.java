package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs in Python against the layers in C++ that do the same, their arguments, and dropout that goes on in tests. */
class PythonLayersTest {

    @TempDir
    Path folder;

    private static String proposal(String inputs, String layer) {
        return inputs + "layer { name: 'p' bottom: 's' bottom: 'd' bottom: 'i' top: 'r' top: 'q' " + layer + " }\n";
    }

    private Graph read(String definition) throws IOException {
        return Importers.builtIn().read(CaffeNet.of(definition).write(folder, "net"));
    }

    private static Node only(Graph graph, String op) {
        return graph.nodes().stream()
                .filter(node -> node.op().equals(op))
                .findFirst()
                .orElseThrow();
    }

    private static String program(String module, String layer, String arguments) {
        return "type: 'Python' python_param { module: '" + module + "' layer: '" + layer + "' param_str: \"" + arguments
                + "\" }";
    }

    /** The first network of py-faster-rcnn writes no scales, the one for COCO a tuple of them. */
    @ParameterizedTest
    @CsvSource({
        "'''feat_stride'': 16', 9, 'ratio: 0.5 ratio: 1 ratio: 2 scale: 8 scale: 16 scale: 32'",
        "'''feat_stride'': 16 \\n''scales'': !!python/tuple [4, 8, 16, 32]', 12,"
                + "'ratio: 0.5 ratio: 1 ratio: 2 scale: 4 scale: 8 scale: 16 scale: 32'"
    })
    void proposalsAreThoseOfTheLayer(String arguments, int boxes, String params) throws IOException {
        String inputs = """
                input: 's' input_shape { dim: 1 dim: %d dim: 14 dim: 14 }
                input: 'd' input_shape { dim: 1 dim: %d dim: 14 dim: 14 }
                input: 'i' input_shape { dim: 1 dim: 3 }
                """.formatted(2 * boxes, 4 * boxes);
        Node python =
                only(read(proposal(inputs, program("rpn.proposal_layer", "ProposalLayer", arguments))), "Proposal");
        Node written = only(
                read(proposal(
                        inputs,
                        "type: 'Proposal' proposal_param { feat_stride: 16 base_size: 16 min_size: 16 pre_nms_topn: 6000"
                                + " post_nms_topn: 300 nms_thresh: 0.7 " + params + " }")),
                "Proposal");
        // what is not written is the operator's own value
        Map<String, Object> defaults = Map.of(
                "feat_stride", 16L, "base_size", 16L, "min_size", 16.0, "pre_nms_topn", 6000L, "post_nms_topn", 300L);
        assertThat(python.inputs()).isEqualTo(written.inputs());
        assertThat(written.params()).containsAllEntriesOf(python.params());
        assertThat(written.params().keySet())
                .containsAll(defaults.keySet())
                .contains("nms_thresh", "ratio", "scale")
                .hasSize(8);
    }

    @Test
    void reorganizesAsTheLayerDoes() throws IOException {
        String input = "input: 'x' input_shape { dim: 1 dim: 4 dim: 4 dim: 2 }\n";
        String ends = " bottom: 'x' top: 'y' }\n";
        Tensor x = Tensor.allocate(DType.FLOAT32, 1, 4, 4, 2);
        for (long i = 0; i < x.elements(); i++) {
            x.setDouble(i, (double) i);
        }
        String python = "layer { name: 'p' " + program("yolov2", "darknet_reorg", "") + ends;
        String written = "layer { name: 'p' type: 'Reorg' reorg_param { stride: 2 }" + ends;
        assertThat(run(input + python, x)).containsExactly(run(input + written, x));
    }

    private float[] run(String definition, Tensor x) throws IOException {
        Map<String, Tensor> outputs = CaffeNet.run(CaffeNet.of(definition).write(folder, "net"), Map.of("x", x));
        return Objects.requireNonNull(outputs.get("y")).toFloatArray();
    }

    @Test
    void padsWithZeros() throws IOException {
        String definition = "input: 'x' input_shape { dim: 1 dim: 1 dim: 1 dim: 2 }\nlayer { name: 'p' "
                + program(
                        "pad",
                        "PadTensor",
                        "{\\\"pad_t\\\": 1, \\\"pad_b\\\": 0, \\\"pad_l\\\": 0, \\\"pad_r\\\": 2, \\\"pad_mode\\\":"
                                + " \\\"constant\\\"}")
                + " bottom: 'x' top: 'y' }";
        assertThat(run(definition, Tensor.of(new float[] {5, 6}, 1, 1, 1, 2))).containsExactly(0, 0, 0, 0, 5, 6, 0, 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'pad_t': 1, 'fancy': 2 | layer Python with 'fancy' is not supported",
                "'pad_mode': 'reflect' | layer Python with another 'pad_mode' than 'constant' is not supported",
                "'pad_t': 1.5 | param_str: pad_t: expected a whole number, found '1.5'",
                "pad_t | param_str: expected NAME: VALUE, found 'pad_t'",
                "'pad_t': -1 | it takes a picture, and widths from 0"
            },
            quoteCharacter = '"')
    void wrongArgumentsAreNamed(String arguments, String message) throws IOException {
        Path file = CaffeNet.of("input: 'x' input_shape { dim: 1 dim: 1 dim: 1 dim: 2 }\nlayer { name: 'p' "
                        + program("pad", "PadTensor", arguments) + " bottom: 'x' top: 'y' }")
                .write(folder, "net");
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.prototxt: layer 0 'p' (Python): " + message);
    }

    /** Programs that draw a network, or its author's, have types that Caffe does not know; they change nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"type: 'implicit'", "type: 'Python' python_param { module: 'show' layer: 'Show' }"})
    void layersThatGiveNothingAreLeftOut(String layer) throws IOException {
        Graph graph = read("""
                input: 'x' input_shape { dim: 1 dim: 2 }
                layer { name: 'a' type: 'ReLU' bottom: 'x' top: 'y' }
                layer { name: 'b' bottom: 'y' %s }
                """.formatted(layer));
        assertThat(graph.nodes()).extracting(Node::op).containsExactly("Relu");
        assertThat(graph.outputs()).containsExactly("y");
    }

    /** As PyTorch's PixelShuffle: each channel's four elements become one square. */
    @Test
    void reshapeShufflesPixels() throws IOException {
        String definition = """
                input: 'x' input_shape { dim: 1 dim: 8 dim: 1 dim: 2 }
                layer { name: 'p' type: 'Reshape' bottom: 'x' top: 'y' reshape_param { pixelshuffler: 2 } }
                """;
        float[] x = {0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 60, 61, 70, 71};
        assertThat(run(definition, Tensor.of(x, 1, 8, 1, 2)))
                .containsExactly(0, 10, 1, 11, 20, 30, 21, 31, 40, 50, 41, 51, 60, 70, 61, 71);
    }

    /** Bayesian SegNet's: half of the elements are dropped, the others are twice as large, and other ones in each picture. */
    @Test
    void dropoutThatSamplesDropsTheSameInEveryRun() throws IOException {
        String definition = """
                input: 'x' input_shape { dim: 2 dim: 1 dim: 40 dim: 50 }
                layer { name: 'p' type: 'Dropout' bottom: 'x' top: 'y'
                        dropout_param { dropout_ratio: 0.5 sample_weights_test: true } }
                """;
        float[] ones = new float[2 * 40 * 50];
        Arrays.fill(ones, 1);
        Tensor x = Tensor.of(ones, 2, 1, 40, 50);
        float[] first = run(definition, x);
        assertThat(first).containsOnly(0, 2).isEqualTo(run(definition, x));
        int dropped = 0;
        int alike = 0;
        for (int i = 0; i < first.length; i++) {
            dropped += first[i] == 0 ? 1 : 0;
            alike += i < 2000 && first[i] == first[i + 2000] ? 1 : 0;
        }
        assertThat(dropped).isBetween(1850, 2150);
        assertThat(alike).isBetween(900, 1100);
    }
}
