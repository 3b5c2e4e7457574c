package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.clinfer.importer.onnx.TestModel.INT64;
import static org.clinfer.importer.onnx.TestModel.integer;

import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** STFT against its sum, also of a real signal without an axis for the parts. */
class ShortTransformsTest extends OnnxRuns {

    @ParameterizedTest
    @CsvSource({"1,true", "0,true", "1,false", "0,false"})
    void parts(int half, boolean axis) {
        int samples = 12;
        int length = 5;
        int step = 3;
        TestModel model = model().initializer(TestModel.tensor("step", INT64).addInt64Data(step));
        Tensor x = axis ? random(model, "x", 2, samples, 1) : random(model, "x", 2, samples);
        Tensor window = random(model, "w", length);
        model.node("STFT", "x,step,w", "y", integer("onesided", half));
        Tensor y = only(model, "y");
        int frames = (samples - length) / step + 1;
        int most = half == 1 ? length / 2 + 1 : length;
        assertThat(y.shape()).isEqualTo(Shape.of(2, frames, most, 2));
        for (int i = 0; i < 2 * frames * most; i++) {
            int k = i % most;
            int from = i / most / frames * samples + i / most % frames * step;
            double real = 0;
            double imaginary = 0;
            for (int j = 0; j < length; j++) {
                double angle = -2 * Math.PI * k * j / length;
                double value = x.getDouble(from + j) * window.getDouble(j);
                real += value * Math.cos(angle);
                imaginary += value * Math.sin(angle);
            }
            assertThat(y.getDouble(2L * i)).isCloseTo(real, within(2e-5));
            assertThat(y.getDouble(2L * i + 1)).isCloseTo(imaginary, within(2e-5));
        }
    }
}
