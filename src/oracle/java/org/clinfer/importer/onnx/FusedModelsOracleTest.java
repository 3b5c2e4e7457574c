package org.clinfer.importer.onnx;

import static org.clinfer.importer.onnx.TestModel.floatList;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;
import static org.clinfer.importer.onnx.TestModel.text;

import ai.onnxruntime.OrtException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What ONNX Runtime's optimizer writes, and Attention, give what ONNX Runtime computes. */
@TestInstance(Lifecycle.PER_CLASS)
class FusedModelsOracleTest {

    private static final Map<String, TestModel> MODELS = models();

    private PeerComparison peer;

    @TempDir
    private Path folder;

    @BeforeAll
    void open() throws OrtException {
        peer = PeerComparison.open(new DeviceChoice.Cpu());
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
        TestModel test = Objects.requireNonNull(MODELS.get(name));
        peer.assertAgrees(test, folder, List.of(Map.of()));
    }

    private static Map<String, TestModel> models() {
        Map<String, TestModel> all = new LinkedHashMap<>();
        convolutions(all);
        products(all);
        functions(all);
        normalizations(all);
        multiHeadAttention(all);
        all.values().forEach(FusedModelsOracleTest::ofRuntime);
        standard(all);
        return all;
    }

    private static void convolutions(Map<String, TestModel> all) {
        for (String name : List.of("Relu", "Tanh", "Sigmoid", "LeakyRelu", "Clip", "HardSigmoid")) {
            float[] params = switch (name) {
                case "LeakyRelu" -> new float[] {0.3f};
                case "Clip" -> new float[] {-0.5f, 0.7f};
                case "HardSigmoid" -> new float[] {0.3f, 0.4f};
                default -> new float[0];
            };
            all.put(
                    "FusedConv " + name,
                    standard(17, "x:1x8x7x9 w:6x8x3x3 b:6")
                            .node(
                                    "FusedConv",
                                    "x,w,b",
                                    "y",
                                    ints("pads", 1, 1, 1, 1),
                                    text("activation", name),
                                    floatList("activation_params", params)));
        }
        all.put(
                "FusedConv with a sum",
                standard(17, "x:1x8x7x9 w:6x8x3x3 b:6 z:1x6x5x7")
                        .node("FusedConv", "x,w,b,z", "y", text("activation", "Relu")));
    }

    private static void products(Map<String, TestModel> all) {
        all.put(
                "FusedGemm",
                standard(17, "x:5x40 w:17x40 b:17")
                        .node(
                                "FusedGemm",
                                "x,w,b",
                                "y",
                                integer("transB", 1),
                                text("activation", "LeakyRelu"),
                                real("activation_alpha", 0.2f)));
        all.put(
                "FusedMatMul of a transposed right side",
                standard(17, "x:2x5x40 w:2x17x40")
                        .node("FusedMatMul", "x,w", "y", integer("transB", 1), real("alpha", 0.25f)));
        all.put(
                "FusedMatMul of a transposed left side",
                standard(17, "x:2x40x5 w:40x17").node("FusedMatMul", "x,w", "y", integer("transA", 1)));
    }

    private static void functions(Map<String, TestModel> all) {
        all.put("Gelu", standard(17, "x:5x40").node("Gelu", "x", "y"));
        all.put("BiasGelu", standard(17, "x:5x40 b:40").node("BiasGelu", "x,b", "y"));
        all.put("FastGelu", standard(17, "x:5x40").node("FastGelu", "x", "y"));
        all.put("FastGelu with a bias", standard(17, "x:5x40 b:40").node("FastGelu", "x,b", "y"));
        all.put("QuickGelu", standard(17, "x:5x40").node("QuickGelu", "x", "y"));
    }

    private static void normalizations(Map<String, TestModel> all) {
        all.put(
                "SkipLayerNormalization",
                standard(17, "x:2x5x40 s:2x5x40 g:40 b:40 c:40")
                        .node("SkipLayerNormalization", "x,s,g,b,c", "y,,,sum", real("epsilon", 1e-5f))
                        .output("sum"));
        all.put(
                "SkipLayerNormalization without biases",
                standard(17, "x:2x5x40 s:2x5x40 g:40").node("SkipLayerNormalization", "x,s,g", "y"));
        all.put(
                "SkipSimplifiedLayerNormalization",
                standard(17, "x:2x5x40 s:2x5x40 g:40")
                        .node("SkipSimplifiedLayerNormalization", "x,s,g", "y,,,sum", real("epsilon", 1e-5f))
                        .output("sum"));
    }

    private static void multiHeadAttention(Map<String, TestModel> all) {
        AttributeProto heads = integer("num_heads", 4);
        all.put(
                "MultiHeadAttention with a bias of its inputs",
                standard(17, "q:2x6x32 k:2x9x32 v:2x9x48 b:112").node("MultiHeadAttention", "q,k,v,b", "y", heads));
        all.put(
                "MultiHeadAttention with a bias of its scores",
                standard(17, "q:2x6x32 k:2x9x32 v:2x9x48 s:2x4x6x9")
                        .node("MultiHeadAttention", "q,k,v,,,s", "y", heads, real("scale", 0.3f)));
        all.put(
                "MultiHeadAttention that looks back",
                standard(17, "q:2x6x32 k:2x6x32 v:2x6x32")
                        .node("MultiHeadAttention", "q,k,v", "y", heads, integer("unidirectional", 1)));
        all.put(
                "MultiHeadAttention with what it saw before",
                standard(17, "q:2x6x32 k:2x6x32 v:2x6x32 b:96 pk:2x4x3x8 pv:2x4x3x8")
                        .node("MultiHeadAttention", "q,k,v,b,,,pk,pv", "y,nk,nv", heads)
                        .output("nk", "nv"));
    }

    private static void standard(Map<String, TestModel> all) {
        all.put(
                "SimplifiedLayerNormalization",
                standard(17, "x:2x5x40 g:40").node("SimplifiedLayerNormalization", "x,g", "y"));
        all.put(
                "Attention that looks back",
                standard(23, "q:2x6x32 k:2x6x32 v:2x6x32")
                        .node(
                                "Attention",
                                "q,k,v",
                                "y",
                                integer("q_num_heads", 4),
                                integer("kv_num_heads", 4),
                                integer("is_causal", 1)));
        all.put(
                "Attention of groups, with a mask and a cap",
                standard(23, "q:2x6x64 k:2x9x16 v:2x9x16 m:6x9")
                        .node(
                                "Attention",
                                "q,k,v,m",
                                "y",
                                integer("q_num_heads", 8),
                                integer("kv_num_heads", 2),
                                real("softcap", 2)));
        all.put(
                "RotaryEmbedding",
                standard(23, "x:2x4x6x8 c:2x6x4 s:2x6x4")
                        .node("RotaryEmbedding", "x,c,s", "y", integer("interleaved", 1)));
    }

    private static void ofRuntime(TestModel model) {
        model.graph().getNodeBuilderList().forEach(node -> node.setDomain(OrtQuantizedTranslators.DOMAIN));
        model.model()
                .addOpsetImport(OperatorSetIdProto.newBuilder()
                        .setDomain(OrtQuantizedTranslators.DOMAIN)
                        .setVersion(1));
    }

    /** A model with constants instead of inputs, given as {@code name:2x3}. */
    private static TestModel standard(long opset, String constants) {
        TestModel model = TestModel.opset(opset).output("y");
        Random random = new Random(constants.hashCode());
        for (String constant : constants.split(" ", -1)) {
            int colon = constant.indexOf(':');
            long[] dims = Stream.of(constant.substring(colon + 1).split("x", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            TensorProto.Builder tensor = TestModel.tensor(constant.substring(0, colon), TestModel.FLOAT, dims);
            long elements = LongStream.of(dims).reduce(1, (a, b) -> a * b);
            for (long i = 0; i < elements; i++) {
                tensor.addFloatData((float) random.nextGaussian());
            }
            model.initializer(tensor);
        }
        return model;
    }
}
