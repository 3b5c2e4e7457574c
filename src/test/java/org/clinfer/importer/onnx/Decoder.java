package org.clinfer.importer.onnx;

import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * A decoder as exporters write it: {@code input_ids, attention_mask, position_ids, past_key_values.N.key|value → logits,
 * present.N.key|value}. Its weights are made up. The cache grows by a token with each run, or has a fixed length and gets
 * the new token at its position.
 */
public final class Decoder {

    private static final float HIDDEN = -3.4028235e38f;

    private final RuntimeModel model;
    private final Sizes sizes;

    /**
     * Sizes of a decoder.
     *
     * @param width of a token's vector
     * @param capacity the fixed length of the cache; 0 for one that grows
     */
    public record Sizes(int layers, int width, int heads, int words, int places, int capacity) {

        int each() {
            return width / heads;
        }
    }

    private Decoder(Sizes sizes) {
        this.sizes = sizes;
        this.model = new RuntimeModel(7);
    }

    /** Writes the model into a folder. */
    public static Path write(Sizes sizes, Path folder) {
        return new Decoder(sizes).build().write(folder);
    }

    /** The names of caches behind {@code past_key_values.} and {@code present.}. */
    public static List<String> caches(int layers) {
        List<String> names = new ArrayList<>();
        for (int layer = 0; layer < layers; layer++) {
            names.add(layer + ".key");
            names.add(layer + ".value");
        }
        return names;
    }

    private TestModel build() {
        String past = sizes.capacity() == 0 ? "past" : String.valueOf(sizes.capacity());
        input("input_ids", DType.INT64, "batch", "tokens");
        input("attention_mask", DType.INT64, "batch", sizes.capacity() == 0 ? "total" : past);
        input("position_ids", DType.INT64, "batch", "tokens");
        for (String cache : caches(sizes.layers())) {
            input(
                    "past_key_values." + cache,
                    DType.FLOAT32,
                    "batch",
                    String.valueOf(sizes.heads()),
                    past,
                    String.valueOf(sizes.each()));
        }
        model.output("logits");
        model.constant("words", model.normal(0.5, sizes.words(), sizes.width()))
                .constant("places", model.normal(0.5, sizes.places(), sizes.width()))
                .standard("Gather", "words,input_ids", "of_words")
                .standard("Gather", "places,position_ids", "of_places")
                .standard("Add", "of_words,of_places", "x0");
        model.constant("zero", Tensor.scalar(0L)).constant("one", Tensor.scalar(1L));
        mask();
        String x = "x0";
        for (int layer = 0; layer < sizes.layers(); layer++) {
            x = layer(layer, x);
        }
        model.standard(
                        "LayerNormalization",
                        x + "," + norm("last"),
                        "final",
                        integer("axis", -1),
                        real("epsilon", 1e-5f))
                .constant("head", model.normal(0.3, sizes.width(), sizes.words()))
                .standard("MatMul", "final,head", "logits");
        return model.model();
    }

    private void input(String name, DType dtype, String... dims) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (String dim : dims) {
            shape.addDim(
                    Character.isDigit(dim.charAt(0))
                            ? TensorShapeProto.Dimension.newBuilder().setDimValue(Long.parseLong(dim))
                            : TensorShapeProto.Dimension.newBuilder().setDimParam(dim));
        }
        model.model().typed(name, OnnxElementTypes.number(dtype));
        model.model()
                .graph()
                .getInputBuilder(model.model().graph().getInputCount() - 1)
                .getTypeBuilder()
                .getTensorTypeBuilder()
                .setShape(shape);
    }

    /** What is added to scores: a token sees those before it that the mask has. */
    private void mask() {
        model.model().longs("place_axes", 1, 3).longs("key_axes", 1, 2);
        model.constant("hidden", Tensor.scalar(HIDDEN))
                .constant("seen", Tensor.scalar(0f))
                .standard("Shape", "attention_mask", "mask_shape")
                .standard("Gather", "mask_shape,one", "total", integer("axis", 0))
                .standard("Range", "zero,total,one", "columns")
                .standard("Unsqueeze", "position_ids,place_axes", "rows")
                .standard("LessOrEqual", "columns,rows", "before")
                .standard("Cast", "attention_mask", "known", integer("to", 9))
                .standard("Unsqueeze", "known,key_axes", "known4")
                .standard("And", "before,known4", "visible")
                .standard("Where", "visible,seen,hidden", "mask");
    }

    private String norm(String name) {
        Tensor ones = Tensor.allocate(DType.FLOAT32, sizes.width());
        for (int i = 0; i < sizes.width(); i++) {
            ones.setDouble(i, 1 + 0.01 * (i % 7));
        }
        model.constant(name + "_g", ones).constant(name + "_b", model.normal(0.05, sizes.width()));
        return name + "_g," + name + "_b";
    }

    private void linear(String x, String y, int rows, int columns) {
        model.constant(y + "_w", model.normal(0.7 / Math.sqrt(rows), rows, columns))
                .constant(y + "_bias", model.normal(0.02, columns))
                .standard("MatMul", x + "," + y + "_w", y + "_product")
                .standard("Add", y + "_bias," + y + "_product", y);
    }

    private String layer(int layer, String x) {
        String end = "_" + layer;
        model.standard(
                "LayerNormalization",
                x + "," + norm("n" + end),
                "normal" + end,
                integer("axis", -1),
                real("epsilon", 1e-5f));
        if (layer == 0) {
            model.model().longs("split", 0, 0, sizes.heads(), sizes.each()).longs("joined", 0, 0, sizes.width());
            model.constant("scale", Tensor.scalar((float) (1 / Math.sqrt(sizes.each()))));
        }
        for (String part : List.of("q", "k", "v")) {
            linear("normal" + end, part + end, sizes.width(), sizes.width());
            model.standard("Reshape", part + end + ",split", part + "s" + end)
                    .standard("Transpose", part + "s" + end, part + "h" + end, ints("perm", 0, 2, 1, 3));
        }
        cache("kh" + end, layer + ".key");
        cache("vh" + end, layer + ".value");
        model.standard("Transpose", "present." + layer + ".key", "kt" + end, ints("perm", 0, 1, 3, 2))
                .standard("MatMul", "qh" + end + ",kt" + end, "products" + end)
                .standard("Mul", "products" + end + ",scale", "scaled" + end)
                .standard("Add", "scaled" + end + ",mask", "scores" + end)
                .standard("Softmax", "scores" + end, "shares" + end, integer("axis", -1))
                .standard("MatMul", "shares" + end + ",present." + layer + ".value", "context" + end)
                .standard("Transpose", "context" + end, "rows" + end, ints("perm", 0, 2, 1, 3))
                .standard("Reshape", "rows" + end + ",joined", "attended" + end);
        linear("attended" + end, "o" + end, sizes.width(), sizes.width());
        model.standard("Add", x + ",o" + end, "middle" + end)
                .standard(
                        "LayerNormalization",
                        "middle" + end + "," + norm("m" + end),
                        "inner" + end,
                        integer("axis", -1),
                        real("epsilon", 1e-5f));
        linear("inner" + end, "wide" + end, sizes.width(), 4 * sizes.width());
        model.standard("Gelu", "wide" + end, "bent" + end);
        linear("bent" + end, "down" + end, 4 * sizes.width(), sizes.width());
        model.standard("Add", "middle" + end + ",down" + end, "x" + (layer + 1));
        return "x" + (layer + 1);
    }

    /** The cache with the new tokens: behind the others, or at their positions. */
    private void cache(String added, String name) {
        String past = "past_key_values." + name;
        String present = "present." + name;
        model.output(present);
        if (sizes.capacity() == 0) {
            model.standard("Concat", past + "," + added, present, integer("axis", 2));
            return;
        }
        model.standard("Shape", added, name + "_shape")
                .standard("Unsqueeze", "position_ids,place_axes", name + "_rows")
                .standard("Expand", name + "_rows," + name + "_shape", name + "_places")
                .standard("ScatterElements", past + "," + name + "_places," + added, present, integer("axis", 2));
    }
}
