package org.clinfer.importer.onnx;

import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;
import static org.clinfer.importer.onnx.TestModel.text;

import ai.onnxruntime.OrtException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What language models are made of gives what ONNX Runtime computes, on the device and on the CPU. */
@TestInstance(Lifecycle.PER_CLASS)
class LanguageModelsOracleTest {

    private static final Map<String, RuntimeModel> MODELS = models();

    private PeerComparison peer;

    @TempDir
    private Path folder;

    @BeforeAll
    void open() throws OrtException {
        peer = PeerComparison.open(new DeviceChoice.Cpu(), new DeviceChoice.FirstOpenCl());
    }

    @AfterAll
    void close() {
        peer.close();
    }

    static Stream<String> names() {
        return MODELS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void agrees(String name) throws OrtException {
        RuntimeModel test = Objects.requireNonNull(MODELS.get(name));
        peer.assertAgrees(test.model(), folder, List.of(test.inputs()));
    }

    @Test
    void decoderReadsFiveWordsAndThenOne() throws OrtException {
        RuntimeModel test = SmallModels.decoder();
        List<Map<String, Tensor>> runs = new ArrayList<>();
        Map<String, Tensor> words = SmallModels.words(5, 0);
        words.putAll(SmallModels.emptyPast());
        runs.add(words);
        List<Tensor> outputs = peer.expected(test.model(), words);
        Map<String, Tensor> next = SmallModels.words(1, 5);
        next.putAll(SmallModels.past(outputs.subList(1, outputs.size())));
        runs.add(next);
        peer.assertAgrees(test.model(), folder, runs);
    }

    @Test
    void encoderReadsSentencesOfSeveralLengths() throws OrtException {
        peer.assertAgrees(
                SmallModels.encoder().model(), folder, List.of(SmallModels.sentences(5), SmallModels.sentences(7)));
    }

    private static Map<String, RuntimeModel> models() {
        Map<String, RuntimeModel> all = new LinkedHashMap<>();
        GroupQueryAttentionModels.add(all);
        packedAttention(all);
        multiHeadAttention(all);
        embeddings(all);
        BlockQuantizedModels.add(all);
        bytes(all);
        recurrent(all);
        return all;
    }

    private static RuntimeModel packed(Map<String, RuntimeModel> all, String name, int batch, int rows) {
        RuntimeModel model = new RuntimeModel(name.hashCode());
        all.put("Attention " + name, model);
        return model.input("x", batch, rows, 24)
                .constant("w", model.normal(0.3, 24, 96))
                .constant("b", 96)
                .output("y");
    }

    private static void packedAttention(Map<String, RuntimeModel> all) {
        AttributeProto heads = integer("num_heads", 4);
        packed(all, "plain", 2, 5).node("Attention", "x,w,b", "y", heads);
        packed(all, "with a scale", 2, 5).node("Attention", "x,w,b", "y", heads, real("scale", 0.7f));
        packed(all, "that looks back", 2, 5).node("Attention", "x,w,b", "y", heads, integer("unidirectional", 1));
        packed(all, "of several widths", 2, 5)
                .node("Attention", "x,w,b", "y", heads, ints("qkv_hidden_sizes", 24, 24, 48));
        packed(all, "with ends", 2, 5)
                .input("m", RuntimeModel.ints(new int[] {3, 5}, 2))
                .node("Attention", "x,w,b,m", "y", heads);
        packed(all, "with ends and a filter", 2, 5)
                .input("m", RuntimeModel.ints(new int[] {3, 5}, 2))
                .node("Attention", "x,w,b,m", "y", heads, real("mask_filter_value", -2));
        packed(all, "with ends and starts", 2, 5)
                .input("m", RuntimeModel.ints(new int[] {3, 5, 1, 2}, 4))
                .node("Attention", "x,w,b,m", "y", heads);
        packed(all, "with a mask of keys", 2, 5)
                .input("m", RuntimeModel.ints(new int[] {1, 1, 0, 1, 0, 1, 1, 1, 1, 0}, 2, 5))
                .node("Attention", "x,w,b,m", "y", heads);
        packed(all, "with a mask of keys that hides all, and looks back", 2, 3)
                .input("m", RuntimeModel.ints(new int[] {0, 0, 0, 1, 1, 0}, 2, 3))
                .node("Attention", "x,w,b,m", "y", heads, integer("unidirectional", 1));
        packed(all, "with a mask of queries and keys", 1, 3)
                .input("m", RuntimeModel.ints(new int[] {1, 0, 0, 1, 1, 0, 0, 1, 1}, 1, 3, 3))
                .node("Attention", "x,w,b,m", "y", heads);
        packed(all, "with a past", 2, 3)
                .input("p", 2, 2, 4, 4, 8)
                .node("Attention", "x,w,b,,p", "y,np", heads, integer("unidirectional", 1))
                .output("np");
        packed(all, "with a past and a mask", 2, 2)
                .input("p", 2, 2, 4, 2, 8)
                .input("m", RuntimeModel.ints(new int[] {1, 1, 0, 1, 0, 1, 1, 1}, 2, 4))
                .node("Attention", "x,w,b,m,p", "y,np", heads)
                .output("np");
        packed(all, "with a bias of its scores", 2, 5)
                .input("s", 2, 4, 5, 5)
                .node("Attention", "x,w,b,,,s", "y", heads);
        packed(all, "with a bias of all scores", 2, 5)
                .input("s", 1, 1, 5, 5)
                .node("Attention", "x,w,b,,,s", "y", heads);
        RuntimeModel codes = new RuntimeModel(5);
        all.put("QAttention", codes);
        codes.input("x", codes.codes(DType.UINT8, 2, 5, 24))
                .constant("w", codes.weights(DType.INT8, 24, 96))
                .constant("b", 96)
                .constant("xs", Tensor.scalar(0.01f))
                .constant("ws", Tensor.scalar(0.003f))
                .input("m", RuntimeModel.ints(new int[] {3, 5}, 2))
                .constant("xz", codes.codes(DType.UINT8))
                .constant("wz", codes.codes(DType.INT8))
                .output("y")
                .node("QAttention", "x,w,b,xs,ws,m,xz,wz", "y", heads);
    }

    private static void multiHeadAttention(Map<String, RuntimeModel> all) {
        AttributeProto heads = integer("num_heads", 4);
        Map<String, Tensor> masks = new LinkedHashMap<>();
        masks.put("ends", RuntimeModel.ints(new int[] {4, 6}, 2));
        masks.put("a mask of keys", RuntimeModel.ints(new int[] {1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1}, 2, 6));
        masks.put(
                "a mask of queries and keys",
                RuntimeModel.ints(
                        new int[] {1, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1}, 2, 2, 6));
        masks.forEach((name, mask) -> {
            RuntimeModel model = new RuntimeModel(name.hashCode());
            all.put("MultiHeadAttention with " + name, model);
            model.input("q", 2, 2, 32)
                    .input("k", 2, 6, 32)
                    .input("v", 2, 6, 48)
                    .input("m", mask)
                    .output("y")
                    .node("MultiHeadAttention", "q,k,v,,m", "y", heads);
        });
        RuntimeModel apart = new RuntimeModel(3);
        all.put("MultiHeadAttention with heads of keys apart", apart);
        apart.input("q", 2, 2, 32)
                .input("k", 2, 4, 6, 8)
                .input("v", 2, 4, 6, 8)
                .output("y")
                .node("MultiHeadAttention", "q,k,v", "y", heads);
    }

    private static RuntimeModel words(Map<String, RuntimeModel> all, String name) {
        RuntimeModel model = new RuntimeModel(name.hashCode());
        all.put(name, model);
        return model.input("i", RuntimeModel.ints(new int[] {3, 1, 4, 1, 5, 9, 2, 6}, 2, 4))
                .constant("w", 10, 16)
                .constant("p", 7, 16)
                .constant("g", 16)
                .constant("b", 16)
                .output("y");
    }

    private static void embeddings(Map<String, RuntimeModel> all) {
        words(all, "EmbedLayerNormalization").node("EmbedLayerNormalization", "i,,w,p,,g,b", "y,n");
        words(all, "EmbedLayerNormalization of segments")
                .input("s", RuntimeModel.ints(new int[] {0, 0, 1, 1, 0, 1, 1, 1}, 2, 4))
                .constant("t", 2, 16)
                .input("m", RuntimeModel.ints(new int[] {1, 1, 1, 0, 1, 1, 0, 0}, 2, 4))
                .node("EmbedLayerNormalization", "i,s,w,p,t,g,b,m", "y,n,sum", real("epsilon", 1e-5f))
                .output("n", "sum");
        words(all, "EmbedLayerNormalization of positions")
                .input("o", RuntimeModel.ints(new int[] {6, 5, 4, 3, 1, 1, 2, 0}, 2, 4))
                .node("EmbedLayerNormalization", "i,,w,p,,g,b,,o", "y,n");
        for (int interleaved = 0; interleaved < 2; interleaved++) {
            String kind = interleaved == 1 ? " of neighbours" : " of halves";
            AttributeProto how = integer("interleaved", interleaved);
            rotary(all, kind + ", joined", 2, 3, 32)
                    .input("p", Tensor.of(new long[] {4}, 1))
                    .node("RotaryEmbedding", "x,p,c,s", "y", how);
            rotary(all, kind + ", positions", 2, 3, 32)
                    .input("p", Tensor.of(new long[] {4, 1, 0, 7, 7, 2}, 2, 3))
                    .node("RotaryEmbedding", "x,p,c,s", "y", how);
            rotary(all, kind + ", apart", 2, 4, 3, 8)
                    .input("p", Tensor.of(new long[] {4}, 1))
                    .node("RotaryEmbedding", "x,p,c,s", "y", how);
            rotary(all, kind + ", in part", 2, 3, 48)
                    .input("p", Tensor.of(new long[] {4, 1, 0, 7, 7, 2}, 2, 3))
                    .node(
                            "RotaryEmbedding",
                            "x,p,c,s",
                            "y",
                            how,
                            integer("num_heads", 4),
                            integer("rotary_embedding_dim", 8));
        }
    }

    private static RuntimeModel rotary(Map<String, RuntimeModel> all, String name, long... dims) {
        RuntimeModel model = new RuntimeModel(name.hashCode());
        all.put("RotaryEmbedding" + name, model);
        return model.input("x", dims).constant("c", 9, 4).constant("s", 9, 4).output("y");
    }

    /** Products of codes of 8 bits; the weights have one scale, or one for each column. */
    private static void bytes(Map<String, RuntimeModel> all) {
        for (int scales : new int[] {1, 7}) {
            for (DType type : List.of(DType.INT8, DType.UINT8)) {
                String of = " of " + type.label() + " with scales " + scales;
                long[] dims = scales == 1 ? new long[0] : new long[] {scales};
                RuntimeModel dynamic = new RuntimeModel(of.hashCode());
                all.put("DynamicQuantizeMatMul" + of, dynamic);
                dynamic.input("x", 2, 3, 40)
                        .constant("w", dynamic.weights(type, 40, 7))
                        .constant("s", dynamic.normal(0.01, dims))
                        .constant("z", dynamic.codes(type, dims))
                        .constant("b", 7)
                        .output("y")
                        .node("DynamicQuantizeMatMul", "x,w,s,z,b", "y");
                RuntimeModel given = new RuntimeModel(of.hashCode());
                all.put("MatMulIntegerToFloat" + of, given);
                given.input("x", given.codes(DType.UINT8, 2, 3, 40))
                        .constant("w", given.weights(type, 40, 7))
                        .constant("xs", Tensor.scalar(0.02f))
                        .constant("s", given.normal(0.01, dims))
                        .constant("xz", given.codes(DType.UINT8))
                        .constant("z", given.codes(type, dims))
                        .constant("b", 7)
                        .output("y")
                        .node("MatMulIntegerToFloat", "x,w,xs,s,xz,z,b", "y");
            }
        }
    }

    /**
     * One step of layers whose weights are quantized. ONNX Runtime quantizes x and the state too: x is of integers from 0 to
     * 255 here, and the state 0, so that nothing is lost.
     */
    private static void recurrent(Map<String, RuntimeModel> all) {
        for (int directions : new int[] {1, 2}) {
            for (DType type : List.of(DType.INT8, DType.UINT8)) {
                for (boolean isOfChannels : new boolean[] {false, true}) {
                    String of = " of " + type.label() + " in directions " + directions
                            + (isOfChannels ? ", by channel" : "");
                    RuntimeModel model = new RuntimeModel(of.hashCode());
                    all.put("DynamicQuantizeLSTM" + of, model);
                    long[] scales = isOfChannels ? new long[] {directions, 20} : new long[] {directions};
                    Tensor x = Tensor.allocate(DType.FLOAT32, 1, 3, 8);
                    for (int i = 0; i < x.elements(); i++) {
                        x.setDouble(i, i * 11 % 256);
                    }
                    x.setDouble(1, 255);
                    model.input("x", x)
                            .constant("w", model.weights(type, directions, 8, 20))
                            .constant("r", model.weights(type, directions, 5, 20))
                            .constant("b", directions, 40)
                            .constant("h", Tensor.allocate(DType.FLOAT32, directions, 3, 5))
                            .constant("c", directions, 3, 5)
                            .constant("ws", model.normal(0.00001, scales))
                            .constant("rs", model.normal(0.00001, scales))
                            .constant(
                                    "z",
                                    type == DType.INT8 || isOfChannels
                                            ? Tensor.allocate(type, scales)
                                            : model.codes(type, scales))
                            .output("y", "yh", "yc")
                            .node(
                                    "DynamicQuantizeLSTM",
                                    "x,w,r,b,,h,c,,ws,z,rs,z",
                                    "y,yh,yc",
                                    integer("hidden_size", 5),
                                    text("direction", directions == 1 ? "forward" : "bidirectional"));
                }
            }
        }
    }
}
