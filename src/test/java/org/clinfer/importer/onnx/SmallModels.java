package org.clinfer.importer.onnx;

import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.real;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Language models of two layers as exporters write them for ONNX Runtime, with sizes that the caller chooses. */
final class SmallModels {

    private static final int LAYERS = 2;
    private static final int HEADS = 4;
    private static final int KEY_HEADS = 2;
    private static final int FEATURES = 16;
    private static final int WIDTH = HEADS * FEATURES;
    private static final int INNER = 96;
    private static final int WORDS = 50;
    private static final int PLACES = 32;
    private static final int BLOCK = 32;

    private final RuntimeModel model;

    private SmallModels(long seed) {
        model = new RuntimeModel(seed).symbolic();
    }

    /** A decoder with weights of 4 bits: words, a mask of them and what came before to scores of words and a cache. */
    static RuntimeModel decoder() {
        return new SmallModels(1).buildDecoder();
    }

    private RuntimeModel buildDecoder() {
        words(1, 0).forEach(model::input);
        emptyPast().forEach(model::input);
        model.output("scores");
        model.model().longs("second", 1).longs("one", 1);
        model.standard("ReduceSum", "mask,second", "counts", integer("keepdims", 0))
                .standard("Sub", "counts,one", "last64")
                .standard("Cast", "last64", "last", integer("to", 6))
                .standard("Shape", "mask", "sizes")
                .standard("Gather", "sizes,second", "total64")
                .standard("Cast", "total64", "total", integer("to", 6));
        angles();
        int blocks = WIDTH / BLOCK;
        model.constant("table", model.codes(DType.UINT8, WORDS, WIDTH / 2))
                .constant("table_scales", model.normal(0.2, WORDS, blocks))
                .node(
                        "GatherBlockQuantized",
                        "table,words,table_scales",
                        "x0",
                        integer("bits", 4),
                        integer("block_size", BLOCK),
                        integer("quantize_axis", 1));
        model.constant("g0", WIDTH)
                .standard("SimplifiedLayerNormalization", "x0,g0", "n0", real("epsilon", 1e-6f), integer("axis", -1));
        String x = "x0";
        String normal = "n0";
        for (int layer = 0; layer < LAYERS; layer++) {
            String end = String.valueOf(layer);
            product(normal, "q" + end, WIDTH, WIDTH);
            product(normal, "k" + end, WIDTH, KEY_HEADS * FEATURES);
            product(normal, "v" + end, WIDTH, KEY_HEADS * FEATURES);
            model.node(
                    "GroupQueryAttention",
                    "q@,k@,v@,past_key@,past_value@,last,total,cosines,sines".replace("@", end),
                    "a@,key@,value@".replace("@", end),
                    integer("num_heads", HEADS),
                    integer("kv_num_heads", KEY_HEADS),
                    integer("do_rotary", 1),
                    real("scale", 0.25f));
            model.output("key" + end, "value" + end);
            product("a" + end, "o" + end, WIDTH, WIDTH);
            String middle = sum(x, "o" + end);
            product(middle + "_n", "gate" + end, WIDTH, INNER);
            product(middle + "_n", "up" + end, WIDTH, INNER);
            model.standard("Sigmoid", "gate@".replace("@", end), "open" + end)
                    .standard("Mul", "gate@,open@".replace("@", end), "silu" + end)
                    .standard("Mul", "silu@,up@".replace("@", end), "wide" + end);
            product("wide" + end, "down" + end, INNER, WIDTH);
            x = sum(middle, "down" + end);
            normal = x + "_n";
        }
        product(normal, "scores", WIDTH, WORDS);
        return model;
    }

    private void angles() {
        Tensor cosines = Tensor.allocate(DType.FLOAT32, PLACES, FEATURES / 2);
        Tensor sines = Tensor.allocate(DType.FLOAT32, PLACES, FEATURES / 2);
        for (int i = 0; i < cosines.elements(); i++) {
            int place = i / (FEATURES / 2);
            double angle = place * Math.pow(10000, -(i % (FEATURES / 2)) / (FEATURES / 2.0));
            cosines.setDouble(i, Math.cos(angle));
            sines.setDouble(i, Math.sin(angle));
        }
        model.constant("cosines", cosines).constant("sines", sines);
    }

    /** A product with weights of 4 bits. */
    private void product(String x, String y, int rows, int columns) {
        int blocks = rows / BLOCK;
        model.constant(y + "_w", model.codes(DType.UINT8, columns, blocks, BLOCK / 2))
                .constant(y + "_s", model.normal(0.03, columns, blocks))
                .node(
                        "MatMulNBits",
                        "@,#_w,#_s".replace("@", x).replace("#", y),
                        y,
                        integer("K", rows),
                        integer("N", columns),
                        integer("bits", 4),
                        integer("block_size", BLOCK));
    }

    /** The sum of two values, and it normalized. */
    private String sum(String x, String y) {
        String sum = y + "_sum";
        model.constant(sum + "_g", WIDTH)
                .node(
                        "SkipSimplifiedLayerNormalization",
                        x + "," + y + "," + sum + "_g",
                        sum + "_n,,," + sum,
                        real("epsilon", 1e-6f));
        return sum;
    }

    /** Words that follow others, and a mask of all of them. */
    static Map<String, Tensor> words(int count, int before) {
        long[] words = new long[count];
        for (int i = 0; i < count; i++) {
            words[i] = (before + i) * 7L % WORDS;
        }
        Tensor mask = Tensor.allocate(DType.INT64, 1, before + count);
        for (int i = 0; i < before + count; i++) {
            mask.setLong(i, 1);
        }
        Map<String, Tensor> inputs = new HashMap<>();
        inputs.put("words", Tensor.of(words, 1, count));
        inputs.put("mask", mask);
        return inputs;
    }

    private static List<String> caches(String stem) {
        List<String> names = new ArrayList<>();
        for (int layer = 0; layer < LAYERS; layer++) {
            names.add(stem + "key" + layer);
            names.add(stem + "value" + layer);
        }
        return names;
    }

    static Map<String, Tensor> emptyPast() {
        Map<String, Tensor> past = new HashMap<>();
        caches("past_").forEach(name -> past.put(name, Tensor.allocate(DType.FLOAT32, 1, KEY_HEADS, 0, FEATURES)));
        return past;
    }

    /** The caches that a run gives, as inputs of the next one. */
    static Map<String, Tensor> past(List<Tensor> caches) {
        Map<String, Tensor> past = new HashMap<>();
        List<String> names = caches("past_");
        for (int i = 0; i < names.size(); i++) {
            past.put(names.get(i), caches.get(i));
        }
        return past;
    }

    /** An encoder of sentences that end somewhere. */
    static RuntimeModel encoder() {
        return new SmallModels(2).buildEncoder();
    }

    private RuntimeModel buildEncoder() {
        sentences(2).forEach(model::input);
        model.constant("table", WORDS, WIDTH)
                .constant("places", PLACES, WIDTH)
                .constant("kinds", 2, WIDTH)
                .constant("g", WIDTH)
                .constant("b", WIDTH)
                .node(
                        "EmbedLayerNormalization",
                        "words,kind,table,places,kinds,g,b,mask",
                        "x0,count",
                        real("epsilon", 1e-6f))
                .output("y");
        for (int layer = 0; layer < LAYERS; layer++) {
            String end = String.valueOf(layer);
            String y = layer + 1 == LAYERS ? "y" : "x" + (layer + 1);
            model.constant("qkv" + end, model.normal(0.1, WIDTH, 3 * WIDTH))
                    .constant("qkvb" + end, 3 * WIDTH)
                    .constant("o" + end, model.normal(0.1, WIDTH, WIDTH))
                    .constant("w" + end, model.normal(0.1, WIDTH, INNER))
                    .constant("wb" + end, INNER)
                    .constant("r" + end, model.normal(0.1, INNER, WIDTH))
                    .constant("rb" + end, WIDTH)
                    .node("Attention", "x@,qkv@,qkvb@,count".replace("@", end), "a" + end, integer("num_heads", HEADS))
                    .standard("MatMul", "a@,o@".replace("@", end), "ao" + end)
                    .node("SkipLayerNormalization", "ao@,x@,g,b,rb@".replace("@", end), "n" + end)
                    .standard("MatMul", "n@,w@".replace("@", end), "i" + end)
                    .node(layer == 0 ? "BiasGelu" : "FastGelu", "i@,wb@".replace("@", end), "ig" + end)
                    .standard("MatMul", "ig@,r@".replace("@", end), "io" + end)
                    .node("SkipLayerNormalization", "io@,n@,g,b,rb@".replace("@", end), y);
        }
        return model;
    }

    /** Two sentences, the second of which is shorter. */
    static Map<String, Tensor> sentences(int length) {
        int[] words = new int[2 * length];
        int[] kinds = new int[2 * length];
        int[] mask = new int[2 * length];
        for (int i = 0; i < words.length; i++) {
            words[i] = i * 13 % WORDS;
            kinds[i] = i % length > 1 ? 1 : 0;
            mask[i] = i < 2 * length - 2 ? 1 : 0;
        }
        Map<String, Tensor> inputs = new HashMap<>();
        inputs.put("words", RuntimeModel.ints(words, 2, length));
        inputs.put("kind", RuntimeModel.ints(kinds, 2, length));
        inputs.put("mask", RuntimeModel.ints(mask, 2, length));
        return inputs;
    }
}
