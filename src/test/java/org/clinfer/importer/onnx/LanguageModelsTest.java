package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.clinfer.importer.onnx.RuntimeModelRunner.assertClose;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.real;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.Model;
import org.clinfer.Session;
import org.clinfer.graph.Node;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ONNX Runtime's operators of language models against loops, and what of them is refused. */
class LanguageModelsTest extends RuntimeOperatorTests {

    private static final int FEATURES = 8;

    @Test
    void sentencesDoNotSeeTheirPadding() {
        RuntimeModel test = SmallModels.encoder();
        try (Model model = runner.load(test, folder);
                Session session = model.session()) {
            Map<String, Tensor> sentences = SmallModels.sentences(7);
            Tensor y = RuntimeModelRunner.run(session, sentences).get(0);
            Tensor words = Objects.requireNonNull(sentences.get("words"));
            words.setLong(12, 40);
            words.setLong(13, 41);
            Tensor other = RuntimeModelRunner.run(session, sentences).get(0);
            int width = (int) y.shape().size(2);
            for (int i = 0; i < 12 * width; i++) {
                assertThat(other.getDouble(i)).isEqualTo(y.getDouble(i));
            }
            assertThat(other.getDouble(13L * width)).isNotEqualTo(y.getDouble(13L * width));
        }
    }

    @Test
    void sumsThatAreNormalizedOrGoThroughGeluAreOneOperatorEach() {
        List<String> ops = SmallModels.encoder().model().read(folder).nodes().stream()
                .map(Node::op)
                .toList();
        assertThat(ops).contains("EmbedLayerNorm", "SkipLayerNorm", "BiasGelu").doesNotContain("LayerNorm", "Gelu");
    }

    /** With three keys and two queries, or the other way: the first query is at the first key. */
    @ParameterizedTest
    @CsvSource({"2, 3", "3, 2"})
    void theFirstQuerySeesTheFirstKeyAlone(int queries, int keys) {
        RuntimeModel test = new RuntimeModel(4)
                .input("q", 1, queries, FEATURES)
                .input("k", 1, keys, FEATURES)
                .input("v", 1, keys, FEATURES)
                .output("y")
                .node("MultiHeadAttention", "q,k,v", "y", integer("num_heads", 2), integer("unidirectional", 1));
        Tensor y = runner.run(test, folder).get(0);
        Tensor v = Objects.requireNonNull(test.inputs().get("v"));
        for (int i = 0; i < FEATURES; i++) {
            assertThat(y.getDouble(i)).isCloseTo(v.getDouble(i), within(1e-6));
        }
        for (int i = 0; i < y.elements(); i++) {
            assertThat(y.getDouble(i)).isFinite();
        }
    }

    @Test
    void wordsPlacesAndKindsAreAdded() {
        RuntimeModel test = new RuntimeModel(2)
                .input("i", RuntimeModel.ints(new int[] {3, 1, 4}, 1, 3))
                .input("k", RuntimeModel.ints(new int[] {0, 1, 1}, 1, 3))
                .input("m", RuntimeModel.ints(new int[] {1, 1, 0}, 1, 3))
                .input("w", 5, FEATURES)
                .input("p", 9, FEATURES)
                .input("t", 2, FEATURES)
                .constant("g", FEATURES)
                .constant("b", FEATURES)
                .output("y", "n", "sum")
                .node("EmbedLayerNormalization", "i,k,w,p,t,g,b,m", "y,n,sum");
        List<Tensor> outputs = runner.run(test, folder);
        double[] sum = new double[3 * FEATURES];
        int[] words = {3, 1, 4};
        int[] kinds = {0, 1, 1};
        for (int i = 0; i < sum.length; i++) {
            int place = i / FEATURES;
            sum[i] = row(test.inputs(), "w", words[place])[i % FEATURES]
                    + row(test.inputs(), "p", place)[i % FEATURES]
                    + row(test.inputs(), "t", kinds[place])[i % FEATURES];
        }
        assertClose(outputs.get(2), sum);
        assertThat(outputs.get(1).toLongArray()).containsExactly(2);
    }

    private static double[] row(Map<String, Tensor> inputs, String name, int row) {
        Tensor tensor = Objects.requireNonNull(inputs.get(name));
        double[] features = new double[FEATURES];
        for (int i = 0; i < FEATURES; i++) {
            features[i] = tensor.getDouble((long) row * FEATURES + i);
        }
        return features;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GroupQueryAttention|q,q,q,,,n,t|qk_output|1|GroupQueryAttention with qk_output 1",
                "GroupQueryAttention|q,q,q,,,n,t|local_window_size|0|local_window_size must be -1 or above 0",
                "GroupQueryAttention|q,q,,,,n,t|smooth_softmax|0|keys and values must be given together",
                "GroupQueryAttention|q,q,q,,,n,t|unknown|1|GroupQueryAttention with attribute 'unknown'",
                "Attention|q,w,b|do_rotary|1|Attention with do_rotary",
                "Attention|q,w,b|past_present_share_buffer|1|Attention with past_present_share_buffer",
                "Attention|q,w,b,f|scale|1|Attention with a mask of 4 axes",
                "MultiHeadAttention|f|mask|1|queries or keys of so many axes",
                "MatMulNBits|q,w,b|bits|3|MatMulNBits with bits 3",
                "MatMulNBits|q,c,b,,g|bits|4|MatMulNBits with input 4 that is no constant",
                "MatMulNBits|q,w,b|block_size|24|block_size must be a power of 2",
                "GatherBlockQuantized|c,n,b|gather_axis|1|another gather_axis than the first"
            })
    void whatIsNotTranslatedIsRefusedByName(String op, String inputs, String name, int value, String message) {
        List<AttributeProto> attributes = new ArrayList<>();
        attributes.add(name.equals("scale") ? real(name, value) : integer(name, value));
        String required = switch (op) {
            case "GroupQueryAttention" -> "num_heads 2 kv_num_heads 2";
            case "MatMulNBits" -> "K 16 N 4 block_size 16";
            case "GatherBlockQuantized" -> "block_size 16";
            default -> "num_heads 2";
        };
        String[] words = required.split(" ", -1);
        for (int i = 0; i < words.length; i += 2) {
            if (!words[i].equals(name)) {
                attributes.add(integer(words[i], Long.parseLong(words[i + 1])));
            }
        }
        RuntimeModel test = new RuntimeModel(1)
                .input("q", 1, 4, 16)
                .input("n", RuntimeModel.ints(new int[] {3}, 1))
                .input("t", RuntimeModel.ints(new int[] {4}))
                .input("f", RuntimeModel.ints(new int[16], 1, 1, 4, 4))
                .input("g", RuntimeModel.ints(new int[16], 16))
                .constant("w", 16, 48)
                .constant("b", 48)
                .output("y");
        test.constant("c", test.codes(DType.UINT8, 4, 8));
        test.node(op, inputs, "y", attributes.toArray(new AttributeProto[0]));
        assertThatThrownBy(() -> test.model().read(folder)).hasMessageContaining(message);
    }
}
