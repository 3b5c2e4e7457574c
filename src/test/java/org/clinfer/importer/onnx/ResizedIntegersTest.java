package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.onnx.TestModel.integer;
import static org.clinfer.importer.onnx.TestModel.text;

import java.util.Arrays;
import java.util.Objects;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResizedIntegersTest extends OnnxRuns {

    private static final int UINT8 = 2;
    private static final int INT8 = 3;

    /** A weighted sum of equal numbers is that number, though float32 may compute it a little short. */
    @ParameterizedTest
    @CsvSource({"UINT8, 1", "UINT8, 7", "UINT8, 100", "UINT8, 255", "INT8, -7", "INT8, -128", "INT8, 127"})
    void aPictureOfOneColourKeepsIt(DType dtype, long value) {
        for (float scale : new float[] {0.3f, 0.77f, 1.3f, 2.3f, 3.7f}) {
            for (int antialias : new int[] {0, 1}) {
                Tensor flat = Tensor.allocate(dtype, 1, 1, 9, 11);
                for (long i = 0; i < flat.elements(); i++) {
                    flat.setLong(i, value);
                }
                Tensor y = resized(flat, dtype == DType.UINT8 ? UINT8 : INT8, scale, antialias);
                assertThat(y.dtype()).isEqualTo(dtype);
                assertThat(Arrays.stream(y.toLongArray()).distinct())
                        .as("scale %s, antialias %s", scale, antialias)
                        .containsExactly(value);
            }
        }
    }

    /** Halves of 1: cut with plain weights, rounded with those of antialiasing, which are the same where a picture grows. */
    @Test
    void sumsAreCutAndWithAntialiasingRounded() {
        Tensor x = Tensor.of(DType.UINT8, new int[] {0, 1, 3, 0}, 1, 1, 1, 4);
        assertThat(resized(x, UINT8, 2, 0).toLongArray()).startsWith(0, 0, 0, 1, 2, 2, 0, 0);
        assertThat(resized(x, UINT8, 2, 1).toLongArray()).startsWith(0, 0, 1, 2, 2, 2, 1, 0);
    }

    private Tensor resized(Tensor x, int type, float scale, int antialias) {
        TestModel model = TestModel.opset(19);
        given(model, "x", type, x);
        model.reals("scales", 1, 1, scale, scale)
                .output("y")
                .node("Resize", "x,,scales", "y", text("mode", "linear"), integer("antialias", antialias));
        return Objects.requireNonNull(run(model).get("y"));
    }
}
