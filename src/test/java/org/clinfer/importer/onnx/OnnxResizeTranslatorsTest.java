package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.onnx.TestModel.floatList;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.real;
import static org.clinfer.importer.onnx.TestModel.text;

import java.nio.file.Path;
import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxResizeTranslatorsTest {

    @TempDir
    private Path folder;

    private static TestModel model(long opset) {
        return TestModel.opset(opset)
                .input("x", 1, 4, 8, 6)
                .reals("grow", 1, 1, 2, 3)
                .reals("shrink", 1, 1, 0.6f, 0.6f)
                .reals("both", 1, 1, 2, 0.5f)
                .longs("sizes", 1, 4, 3, 3)
                .reals("roi")
                .output("y");
    }

    private static Map<String, Attribute> legacy(String mode, String nearest) {
        return Map.of(
                "mode", Attribute.of(mode),
                "coordinate_mode", Attribute.of("asymmetric"),
                "nearest_mode", Attribute.of(nearest));
    }

    @Test
    void integersAreResizedAsTheyAre() {
        Node node = TestModel.opset(19)
                .typed("x", 2, 1, 1, 9, 11)
                .reals("scales", 1, 1, 0.3f, 0.3f)
                .output("y")
                .node("Resize", "x,,scales", "y", text("mode", "linear"), integer("antialias", 1))
                .readNode(folder);

        assertThat(node.op()).isEqualTo("Resize");
        assertThat(node.inputs().get(0)).isEqualTo("x");
    }

    @Test
    void upsampleOfEveryForm() {
        Node first = model(1).node(
                        "Upsample",
                        "x",
                        "y",
                        real("height_scale", 2),
                        real("width_scale", 1.5f),
                        text("mode", "bilinear"))
                .readNode(folder);
        Node attribute = model(7).node("Upsample", "x", "y", floatList("scales", 1, 1, 2, 2))
                .readNode(folder);
        Node input =
                model(9).node("Upsample", "x,grow", "y", text("mode", "linear")).readNode(folder);

        assertThat(first.op()).isEqualTo("Resize");
        assertThat(first.params())
                .containsAllEntriesOf(legacy("linear", "simple"))
                .containsEntry("scales", Attribute.ofReals(1, 1, 2, 1.5));
        assertThat(attribute.inputs()).containsExactly("x");
        assertThat(attribute.params())
                .containsAllEntriesOf(legacy("nearest", "simple"))
                .containsEntry("scales", Attribute.ofReals(1, 1, 2, 2));
        assertThat(input.inputs()).containsExactly("x", "", "grow");
        assertThat(input.params()).isEqualTo(legacy("linear", "simple"));
    }

    @Test
    void resize10LeavesTheDirectionToEachAxis() {
        Node grow = model(10).node("Resize", "x,grow", "y").readNode(folder);
        Node shrink = model(10).node("Resize", "x,shrink", "y").readNode(folder);

        assertThat(grow.params()).isEqualTo(legacy("nearest", "simple"));
        assertThat(shrink.params()).isEqualTo(legacy("nearest", "simple"));
        assertThat(shrink.inputs()).containsExactly("x", "", "shrink");
        assertThat(model(10).node("Resize", "x,both", "y").readNode(folder).params())
                .isEqualTo(legacy("nearest", "simple"));
    }

    @Test
    void resizeWithDefaults() {
        Node node = model(13).node("Resize", "x,roi,grow", "y").readNode(folder);

        assertThat(node.inputs()).containsExactly("x", "", "grow");
        assertThat(node.params())
                .isEqualTo(Map.of(
                        "mode", Attribute.of("nearest"),
                        "coordinate_mode", Attribute.of("half_pixel"),
                        "nearest_mode", Attribute.of("round_prefer_floor"),
                        "cubic_coeff_a", Attribute.of(-0.75),
                        "exclude_outside", Attribute.of(false),
                        "extrapolation_value", Attribute.of(0.0),
                        "antialias", Attribute.of(false),
                        "keep_aspect_ratio_policy", Attribute.of("stretch")));
    }

    @Test
    void resizeWithEverything() {
        Node node = model(19)
                .node(
                        "Resize",
                        "x,roi,,sizes",
                        "y",
                        text("mode", "cubic"),
                        text("coordinate_transformation_mode", "tf_crop_and_resize"),
                        text("nearest_mode", "ceil"),
                        real("cubic_coeff_a", -0.5f),
                        integer("exclude_outside", 1),
                        real("extrapolation_value", 7),
                        integer("antialias", 1),
                        text("keep_aspect_ratio_policy", "not_larger"),
                        ints("axes", 2, 3))
                .readNode(folder);

        assertThat(node.inputs()).containsExactly("x", "roi", "", "sizes");
        assertThat(node.params())
                .isEqualTo(Map.of(
                        "mode", Attribute.of("cubic"),
                        "coordinate_mode", Attribute.of("tf_crop_and_resize"),
                        "nearest_mode", Attribute.of("ceil"),
                        "cubic_coeff_a", Attribute.of(-0.5),
                        "exclude_outside", Attribute.of(true),
                        "extrapolation_value", Attribute.of(7.0),
                        "antialias", Attribute.of(true),
                        "keep_aspect_ratio_policy", Attribute.of("not_larger"),
                        "axes", Attribute.ofInts(2, 3)));
    }
}
