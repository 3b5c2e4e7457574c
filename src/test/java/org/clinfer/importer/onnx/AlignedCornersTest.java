package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.TestModel.ints;
import static org.clinfer.importer.onnx.TestModel.text;

import java.util.Objects;
import org.assertj.core.data.Offset;
import org.clinfer.errors.ClinferException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resize with {@code align_corners} and scales that give no whole sizes: 4 by 1.7 is 6, and the unrounded size 6.8. */
class AlignedCornersTest extends OnnxRuns {

    private static final int FLOAT = 1;
    private static final float SCALE = 1.7f;

    private static final Tensor X = Tensor.of(new float[] {1, 3, 2, 8}, 1, 1, 1, 4);

    /** The unrounded size ends beyond the last element: the last place is at 5 / 5.8 of the axis. */
    @Test
    void ofOnnxAreThoseOfTheUnroundedSize() {
        float[] y = resized(4, false, "onnx-example");
        assertThat(y).hasSize(6);
        double place = 5 * 3 / (4 * (double) SCALE - 1);
        assertThat(y[5]).isCloseTo((float) (2 + (place - 2) * 6), within());
    }

    @ParameterizedTest
    @ValueSource(longs = {4, -1})
    void ofPyTorchAreThoseOfTheSize(long width) {
        for (boolean axes : new boolean[] {false, true}) {
            float[] y = resized(width, axes, "pytorch");
            assertThat(y).hasSize(6);
            assertThat(y[0]).isEqualTo(1);
            assertThat(y[1]).isCloseTo(1 + 2 * 0.6f, within());
            assertThat(y[5]).isCloseTo(8, within());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {4, -5, 3})
    void axesThatAreWrongAreRefused(long axis) {
        TestModel model = TestModel.opset(20).typed("x", FLOAT, 1, 1, 1, 4);
        model.model().setProducerName("pytorch");
        model.reals("scales", SCALE, SCALE)
                .output("y")
                .node(
                        "Resize",
                        "x,,scales",
                        "y",
                        text("coordinate_transformation_mode", "align_corners"),
                        ints("axes", axis, axis));
        inputs.put("x", X);
        assertThatThrownBy(() -> run(model)).isInstanceOf(ClinferException.class);
    }

    private static Offset<Float> within() {
        return Offset.offset(1e-5f);
    }

    private float[] resized(long width, boolean axes, String producer) {
        TestModel model = TestModel.opset(20);
        inputs.put("x", X);
        model.typed("x", FLOAT, 1, 1, 1, width);
        model.model().setProducerName(producer);
        model.reals("scales", axes ? new float[] {SCALE} : new float[] {1, 1, 1, SCALE})
                .output("y");
        var linear = text("mode", "linear");
        var aligned = text("coordinate_transformation_mode", "align_corners");
        if (axes) {
            model.node("Resize", "x,,scales", "y", linear, aligned, ints("axes", -1));
        } else {
            model.node("Resize", "x,,scales", "y", linear, aligned);
        }
        return Objects.requireNonNull(run(model).get("y")).toFloatArray();
    }
}
