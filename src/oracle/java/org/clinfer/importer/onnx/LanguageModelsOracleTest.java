package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;

import ai.onnxruntime.OrtException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.conformance.OnnxRuntime;
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

    private static final double TOLERANCE = 1e-5;

    /** The features of a head of GroupQueryAttention. */
    private static final int WIDTH = 32;

    private static final Map<String, RuntimeModel> MODELS = models();

    private final List<Engine> engines = new ArrayList<>();
    private OnnxRuntime runtime;

    @TempDir
    private Path folder;

    @BeforeAll
    void open() throws OrtException {
        engines.add(Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu())));
        engines.add(Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl())));
        runtime = OnnxRuntime.open();
    }

    @AfterAll
    void close() {
        engines.forEach(Engine::close);
        runtime.close();
    }

    static Stream<String> names() {
        return MODELS.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void agrees(String name) throws OrtException {
        RuntimeModel test = Objects.requireNonNull(MODELS.get(name));
        assertAgrees(test, List.of(test.inputs()));
    }

    @Test
    void decoderReadsFiveWordsAndThenOne() throws OrtException {
        RuntimeModel test = SmallModels.decoder();
        List<Map<String, Tensor>> runs = new ArrayList<>();
        Map<String, Tensor> words = SmallModels.words(5, 0);
        words.putAll(SmallModels.emptyPast());
        runs.add(words);
        List<Tensor> outputs = runtime.run(test.model().build().toByteArray(), words);
        Map<String, Tensor> next = SmallModels.words(1, 5);
        next.putAll(SmallModels.past(outputs.subList(1, outputs.size())));
        runs.add(next);
        assertAgrees(test, runs);
    }

    @Test
    void encoderReadsSentencesOfSeveralLengths() throws OrtException {
        assertAgrees(SmallModels.encoder(), List.of(SmallModels.sentences(5), SmallModels.sentences(7)));
    }

    /** All runs are those of one session. */
    private void assertAgrees(RuntimeModel test, List<Map<String, Tensor>> runs) throws OrtException {
        byte[] bytes = test.model().build().toByteArray();
        for (Engine engine : engines) {
            try (Model model = engine.load(test.model().write(folder));
                    Session session = model.session()) {
                for (Map<String, Tensor> inputs : runs) {
                    List<Tensor> expected = runtime.run(bytes, inputs);
                    try (Result result = session.run(inputs)) {
                        assertClose(List.copyOf(result.outputs().values()), expected);
                    }
                }
            }
        }
    }

    private static void assertClose(List<Tensor> outputs, List<Tensor> expected) {
        assertThat(outputs).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertClose(outputs.get(i), expected.get(i));
        }
    }

    private static void assertClose(Tensor actual, Tensor expected) {
        assertThat(actual.shape()).isEqualTo(expected.shape());
        double largest = 0;
        for (long i = 0; i < expected.elements(); i++) {
            largest = Math.max(largest, Math.abs(expected.getDouble(i)));
        }
        assertThat(largest).isPositive();
        for (long i = 0; i < expected.elements(); i++) {
            assertThat(actual.getDouble(i)).isCloseTo(expected.getDouble(i), Offset.offset(TOLERANCE * largest));
        }
    }

    private static Map<String, RuntimeModel> models() {
        Map<String, RuntimeModel> all = new LinkedHashMap<>();
        groupQueryAttention(all);
        packedAttention(all);
        multiHeadAttention(all);
        embeddings(all);
        blocks(all);
        bytes(all);
        return all;
    }

    /** Four heads, which share two of keys. */
    private static RuntimeModel queries(Map<String, RuntimeModel> all, String name, int batch, int rows) {
        RuntimeModel model = new RuntimeModel(name.hashCode());
        all.put("GroupQueryAttention " + name, model);
        if (name.contains("any size")) {
            model.symbolic();
        }
        return model.input("q", batch, rows, 4 * WIDTH)
                .input("k", batch, rows, 2 * WIDTH)
                .input("v", batch, rows, 2 * WIDTH)
                .output("y", "nk", "nv");
    }

    private static RuntimeModel past(RuntimeModel model, int batch, int room) {
        return model.input("pk", batch, 2, room, WIDTH).input("pv", batch, 2, room, WIDTH);
    }

    private static RuntimeModel lengths(RuntimeModel model, int total, int... last) {
        return model.input("n", RuntimeModel.ints(last, last.length)).input("t", RuntimeModel.ints(new int[] {total}));
    }

    private static void attend(RuntimeModel model, String more, AttributeProto... options) {
        List<AttributeProto> attributes = new ArrayList<>(List.of(options));
        attributes.add(integer("num_heads", 4));
        attributes.add(integer("kv_num_heads", 2));
        String past = model.inputs().containsKey("pk") ? "pk,pv" : ",";
        String inputs = (model.inputs().containsKey("k") ? "q,k,v," : "q,,,") + past + ",n,t" + more;
        model.node("GroupQueryAttention", inputs, "y,nk,nv", attributes.toArray(new AttributeProto[0]));
    }

    private static RuntimeModel angles(RuntimeModel model, int places, int pairs) {
        return model.constant("c", places, pairs).constant("s", places, pairs);
    }

    private static void groupQueryAttention(Map<String, RuntimeModel> all) {
        attend(lengths(queries(all, "of a first run", 1, 5), 5, 4), "");
        attend(lengths(queries(all, "of a first run, any size", 1, 5), 5, 4), "");
        attend(lengths(past(queries(all, "of a first run with an empty past", 1, 5), 1, 0), 5, 4), "");
        attend(lengths(past(queries(all, "of a next row", 1, 1), 1, 6), 7, 6), "");
        attend(lengths(past(queries(all, "of a next row, any size", 1, 1), 1, 6), 7, 6), "");
        attend(lengths(past(queries(all, "of several next rows", 1, 3), 1, 6), 9, 8), "");
        attend(lengths(past(queries(all, "of a longer cache", 1, 1), 1, 12), 7, 6), "");
        attend(lengths(past(queries(all, "of a longer cache, any size", 1, 1), 1, 12), 7, 6), "");
        attend(lengths(past(queries(all, "of a first run with a longer cache", 1, 5), 1, 12), 5, 4), "");
        attend(lengths(past(queries(all, "of batches of several lengths", 3, 1), 3, 6), 7, 6, 3, 4), "");
        attend(lengths(past(queries(all, "of several batches of a first run", 3, 5), 3, 9), 5, 4, 4, 4), "");
        attend(lengths(past(queries(all, "of several next rows, any size", 1, 3), 1, 12), 9, 8), "");
        attend(
                lengths(past(queries(all, "of batches of several lengths in a longer cache", 3, 1), 3, 9), 7, 6, 3, 4),
                "");
        attend(
                lengths(past(queries(all, "with a scale and a cap", 2, 1), 2, 6), 7, 6, 6),
                "",
                real("scale", 0.4f),
                real("softcap", 1.5f));
        for (int window : new int[] {1, 3, 5, 20}) {
            AttributeProto size = integer("local_window_size", window);
            attend(lengths(queries(all, "of a first run in a window of " + window, 1, 7), 7, 6), "", size);
            attend(
                    lengths(past(queries(all, "of a next row in a window of " + window, 2, 1), 2, 6), 7, 6, 6),
                    "",
                    size);
        }
        for (int interleaved = 0; interleaved < 2; interleaved++) {
            AttributeProto[] turned = {integer("do_rotary", 1), integer("rotary_interleaved", interleaved)};
            String kind = interleaved == 1 ? "turned by neighbours" : "turned by halves";
            attend(angles(lengths(queries(all, kind, 1, 5), 5, 4), 20, WIDTH / 2), ",c,s", turned);
            attend(
                    angles(lengths(past(queries(all, kind + ", next row", 1, 1), 1, 6), 7, 6), 20, WIDTH / 2),
                    ",c,s",
                    turned);
            attend(
                    angles(
                            lengths(past(queries(all, kind + ", next row, any size", 2, 1), 2, 6), 7, 6, 4),
                            20,
                            WIDTH / 2),
                    ",c,s",
                    turned);
            attend(
                    angles(lengths(past(queries(all, kind + ", several next rows", 1, 3), 1, 6), 9, 8), 20, WIDTH / 2),
                    ",c,s",
                    turned);
        }
        AttributeProto turned = integer("do_rotary", 1);
        attend(angles(lengths(past(queries(all, "turned in part", 1, 2), 1, 6), 8, 7), 20, WIDTH / 4), ",c,s", turned);
        attend(
                angles(lengths(past(queries(all, "turned in part, any size", 1, 2), 1, 6), 8, 7), 20, WIDTH / 2),
                ",c,s",
                turned);
        Tensor places = Tensor.of(new long[] {2, 9}, 1, 2);
        attend(
                angles(lengths(past(queries(all, "of given positions", 1, 2), 1, 6), 8, 7), 20, WIDTH / 2)
                        .input("p", places),
                ",c,s,p",
                turned);
        packedQueries(all);
        attend(
                lengths(past(queries(all, "with a bias", 1, 2), 1, 6), 8, 7).input("b", 1, 4, 2, 8),
                ",,,,b",
                real("softcap", 1.5f));
        attend(
                lengths(past(queries(all, "with a bias for all heads", 2, 1), 2, 6), 7, 6, 6)
                        .input("b", 1, 1, 1, 7),
                ",,,,b");
        attend(
                lengths(past(queries(all, "with a smooth softmax", 2, 1), 2, 6), 7, 6, 4),
                "",
                integer("smooth_softmax", 1));
        attend(lengths(past(queries(all, "with sinks", 1, 2), 1, 6), 8, 7).constant("h", 4), ",,,,,h");
    }

    private static void packedQueries(Map<String, RuntimeModel> all) {
        RuntimeModel model = new RuntimeModel(7);
        all.put("GroupQueryAttention of one input", model);
        model.input("q", 2, 5, 8 * WIDTH).output("y", "nk", "nv");
        attend(lengths(model, 5, 4, 4), "");
        RuntimeModel turned = new RuntimeModel(8);
        all.put("GroupQueryAttention of one input, turned", turned);
        turned.input("q", 1, 2, 8 * WIDTH).output("y", "nk", "nv");
        attend(angles(lengths(past(turned, 1, 6), 8, 7), 20, WIDTH / 2), ",c,s", integer("do_rotary", 1));
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
                .constant("w", codes.codes(DType.INT8, 24, 96))
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

    private static void blocks(Map<String, RuntimeModel> all) {
        for (int bits : new int[] {4, 8}) {
            for (int size : new int[] {16, 32, 64, 128}) {
                product(all, bits, size, "none", 150);
                product(all, bits, size, "codes", 150);
            }
            product(all, bits, 32, "none", 64);
            product(all, bits, 32, "codes", 64);
        }
        product(all, 4, 16, "reals", 150);
        product(all, 4, 64, "reals", 150);
        for (DType type : List.of(DType.UINT4, DType.INT4, DType.UINT8)) {
            for (int zeros = 0; zeros < 2; zeros++) {
                rows(all, type, 4, 96, zeros == 1);
                rows(all, type, 4, 88, zeros == 1);
            }
        }
        rows(all, DType.UINT8, 8, 96, true);
        rows(all, DType.UINT8, 8, 96, false);
    }

    private static void product(Map<String, RuntimeModel> all, int bits, int size, String zeros, int rows) {
        String name = "MatMulNBits of " + rows + " rows, " + bits + " bits, blocks of " + size + ", zeros " + zeros;
        RuntimeModel model = new RuntimeModel(name.hashCode());
        all.put(name, model);
        int blocks = (rows + size - 1) / size;
        model.input("x", 2, 3, rows)
                .constant("w", model.codes(DType.UINT8, 37, blocks, size * bits / 8))
                .constant("s", model.normal(0.1, 37, blocks))
                .constant("b", 37)
                .output("y");
        switch (zeros) {
            case "codes" -> model.constant("z", model.codes(DType.UINT8, 37, (blocks * bits + 7) / 8));
            case "reals" -> model.constant("z", model.normal(3, 37, blocks));
            default -> {}
        }
        model.node(
                "MatMulNBits",
                zeros.equals("none") ? "x,w,s,,,b" : "x,w,s,z,,b",
                "y",
                integer("K", rows),
                integer("N", 37),
                integer("bits", bits),
                integer("block_size", size));
    }

    private static void rows(Map<String, RuntimeModel> all, DType type, int bits, int width, boolean zeros) {
        String name = "GatherBlockQuantized of " + width + " " + type.label() + " of " + bits + " bits"
                + (zeros ? " with zeros" : "");
        RuntimeModel model = new RuntimeModel(name.hashCode());
        all.put(name, model);
        boolean packed = type == DType.UINT8;
        int blocks = (width + 31) / 32;
        model.constant("w", model.codes(type, 11, packed ? width * bits / 8 : width))
                .input("i", Tensor.of(new long[] {3, 10, 0, 3}, 2, 2))
                .constant("s", model.normal(1, 11, blocks))
                .output("y");
        if (zeros) {
            model.constant("z", model.codes(type, 11, packed ? (blocks * bits + 7) / 8 : blocks));
        }
        model.node(
                "GatherBlockQuantized",
                zeros ? "w,i,s,z" : "w,i,s",
                "y",
                integer("bits", bits),
                integer("quantize_axis", 1),
                integer("block_size", 32));
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
                        .constant("w", dynamic.codes(type, 40, 7))
                        .constant("s", dynamic.normal(0.01, dims))
                        .constant("z", dynamic.codes(type, dims))
                        .constant("b", 7)
                        .output("y")
                        .node("DynamicQuantizeMatMul", "x,w,s,z,b", "y");
                RuntimeModel given = new RuntimeModel(of.hashCode());
                all.put("MatMulIntegerToFloat" + of, given);
                given.input("x", given.codes(DType.UINT8, 2, 3, 40))
                        .constant("w", given.codes(type, 40, 7))
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
}
