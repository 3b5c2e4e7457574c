package org.clinfer.importer.onnx;

import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;

import java.nio.file.Path;
import java.util.List;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * An encoder of texts as exporters write it: {@code input_ids, attention_mask, token_type_ids → last_hidden_state}, all of
 * named sizes. Its weights are made up.
 */
public final class Encoder {

    private static final float HIDDEN = -3.4028235e38f;

    private final RuntimeModel model;
    private final Sizes sizes;

    /**
     * Sizes of an encoder.
     *
     * @param width of a token's vector
     */
    public record Sizes(int layers, int width, int heads, int inner, int words, int places) {

        /** Those of all-MiniLM-L6-v2. */
        public static Sizes miniLm() {
            return new Sizes(6, 384, 12, 1536, 30522, 512);
        }
    }

    private Encoder(Sizes sizes) {
        this.sizes = sizes;
        this.model = new RuntimeModel(11);
    }

    /** Writes the model into a folder. */
    public static Path write(Sizes sizes, Path folder) {
        return new Encoder(sizes).build().write(folder);
    }

    private TestModel build() {
        for (String input : List.of("input_ids", "attention_mask", "token_type_ids")) {
            input(input);
        }
        model.output("last_hidden_state");
        model.constant("words", model.normal(0.5, sizes.words(), sizes.width()))
                .constant("kinds", model.normal(0.5, 2, sizes.width()))
                .constant("places", model.normal(0.5, sizes.places(), sizes.width()))
                .constant("zero", Tensor.scalar(0L))
                .constant("one", Tensor.scalar(1L))
                .standard("Gather", "words,input_ids", "of_words")
                .standard("Gather", "kinds,token_type_ids", "of_kinds")
                .standard("Shape", "input_ids", "ids_shape")
                .standard("Gather", "ids_shape,one", "tokens", integer("axis", 0))
                .standard("Range", "zero,tokens,one", "position_ids")
                .standard("Gather", "places,position_ids", "of_places")
                .standard("Add", "of_words,of_kinds", "of_both")
                .standard("Add", "of_both,of_places", "sum");
        norm("sum", "x0");
        model.model()
                .longs("mask_axes", 1, 2)
                .longs("split", 0, 0, sizes.heads(), sizes.width() / sizes.heads())
                .longs("joined", 0, 0, sizes.width());
        model.constant("whole", Tensor.scalar(1f))
                .constant("hidden", Tensor.scalar(HIDDEN))
                .constant("scale", Tensor.scalar((float) Math.sqrt((double) sizes.width() / sizes.heads())))
                .standard("Unsqueeze", "attention_mask,mask_axes", "mask4")
                .standard("Cast", "mask4", "seen", integer("to", 1))
                .standard("Sub", "whole,seen", "unseen")
                .standard("Mul", "unseen,hidden", "mask");
        for (int layer = 0; layer < sizes.layers(); layer++) {
            boolean isLast = layer == sizes.layers() - 1;
            layer("_" + layer, "x" + layer, isLast ? "last_hidden_state" : "x" + (layer + 1));
        }
        return model.model();
    }

    private void input(String name) {
        model.model().typed(name, OnnxElementTypes.number(DType.INT64));
        model.model()
                .graph()
                .getInputBuilder(model.model().graph().getInputCount() - 1)
                .getTypeBuilder()
                .getTensorTypeBuilder()
                .setShape(TensorShapeProto.newBuilder()
                        .addDim(TensorShapeProto.Dimension.newBuilder().setDimParam("batch"))
                        .addDim(TensorShapeProto.Dimension.newBuilder().setDimParam("tokens")));
    }

    private void norm(String x, String y) {
        model.constant(y + "_g", model.normal(0.3, sizes.width()))
                .constant(y + "_b", model.normal(0.05, sizes.width()))
                .standard(
                        "LayerNormalization",
                        x + "," + y + "_g," + y + "_b",
                        y,
                        integer("axis", -1),
                        real("epsilon", 1e-12f));
    }

    private void linear(String x, String y, int rows, int columns) {
        model.constant(y + "_w", model.normal(1 / Math.sqrt(rows), rows, columns))
                .constant(y + "_bias", model.normal(0.02, columns))
                .standard("MatMul", x + "," + y + "_w", y + "_product")
                .standard("Add", y + "_bias," + y + "_product", y);
    }

    private void layer(String end, String x, String y) {
        for (String part : List.of("q", "k", "v")) {
            linear(x, part + end, sizes.width(), sizes.width());
            model.standard("Reshape", part + end + ",split", part + "s" + end)
                    .standard(
                            "Transpose",
                            part + "s" + end,
                            part + "h" + end,
                            part.equals("k") ? ints("perm", 0, 2, 3, 1) : ints("perm", 0, 2, 1, 3));
        }
        model.standard("MatMul", "qh" + end + ",kh" + end, "products" + end)
                .standard("Div", "products" + end + ",scale", "scaled" + end)
                .standard("Add", "scaled" + end + ",mask", "scores" + end)
                .standard("Softmax", "scores" + end, "shares" + end, integer("axis", -1))
                .standard("MatMul", "shares" + end + ",vh" + end, "context" + end)
                .standard("Transpose", "context" + end, "rows" + end, ints("perm", 0, 2, 1, 3))
                .standard("Reshape", "rows" + end + ",joined", "attended" + end);
        linear("attended" + end, "o" + end, sizes.width(), sizes.width());
        model.standard("Add", "o" + end + "," + x, "middle" + end);
        norm("middle" + end, "inner" + end);
        linear("inner" + end, "wide" + end, sizes.width(), sizes.inner());
        model.standard("Gelu", "wide" + end, "bent" + end);
        linear("bent" + end, "down" + end, sizes.inner(), sizes.width());
        model.standard("Add", "down" + end + ",inner" + end, "all" + end);
        norm("all" + end, y);
    }
}
