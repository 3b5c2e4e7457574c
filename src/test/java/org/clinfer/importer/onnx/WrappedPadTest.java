package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.text;

import org.clinfer.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pad that repeats its input. */
class WrappedPadTest extends OnnxRuns {

    /** As PyTorch's circular padding has it: 1 … 6 without the first two, and one element more than that repeats. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void wrappingRepeatsWhatIsLeft(boolean known) {
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 6);
        Tensor pads = Tensor.of(new long[] {-2, 5}, 2);
        TestModel model = model();
        given(model, "x", TestModel.FLOAT, x);
        if (known) {
            model.longs("pads", -2, 5);
        } else {
            given(model, "pads", INT64, pads);
        }
        Tensor y = only(model.node("Pad", "x,pads", "y", text("mode", "wrap")), "y");
        assertThat(y.toFloatArray()).containsExactly(3, 4, 5, 6, 3, 4, 5, 6, 3);
    }
}
