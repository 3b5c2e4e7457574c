package org.clinfer.demo.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The composed transposed convolution against the definition: every input value scatters a scaled kernel. */
class PolyphaseTransposedConvTest {

    private static final int INPUTS = 3;
    private static final int OUTPUTS = 2;
    private static final int HEIGHT = 5;
    private static final int WIDTH = 4;

    @ParameterizedTest
    @CsvSource({"4, 2, 1", "8, 4, 2", "4, 2, 0", "6, 3, 2"})
    void equalsScattering(int kernel, int stride, int padding) {
        Step.Window window = new Step.Window(kernel, stride, padding);
        SplittableRandom random = new SplittableRandom(1);
        float[] input = values(random, INPUTS * HEIGHT * WIDTH);
        float[] weights = values(random, INPUTS * OUTPUTS * kernel * kernel);
        float[] bias = values(random, OUTPUTS);
        try (NDManager manager = NDManager.newBaseManager()) {
            NDArray result = PolyphaseTransposedConv.apply(
                    manager.create(input, new Shape(1, INPUTS, HEIGHT, WIDTH)),
                    manager.create(weights, new Shape(INPUTS, OUTPUTS, kernel, kernel)),
                    manager.create(bias, new Shape(OUTPUTS)),
                    window);
            assertThat(result.getShape()).isEqualTo(new Shape(1, OUTPUTS, side(HEIGHT, window), side(WIDTH, window)));
            assertThat(result.toFloatArray()).containsExactly(scatter(input, weights, bias, window), within(1e-4f));
        }
    }

    @Test
    void refusesOtherKernels() {
        try (NDManager manager = NDManager.newBaseManager()) {
            NDArray any = manager.zeros(new Shape(1, 1, 3, 3));
            assertThatThrownBy(() -> PolyphaseTransposedConv.apply(any, any, any, new Step.Window(3, 2, 1)))
                    .hasMessage("kernel 3 is not twice the stride 2");
        }
    }

    private static int side(int input, Step.Window window) {
        return (input - 1) * window.stride() + window.kernel() - 2 * window.padding();
    }

    private static float[] values(SplittableRandom random, int count) {
        float[] values = new float[count];
        for (int index = 0; index < count; index++) {
            values[index] = (float) random.nextDouble(-1, 1);
        }
        return values;
    }

    private static float[] scatter(float[] input, float[] weights, float[] bias, Step.Window window) {
        int height = side(HEIGHT, window);
        int width = side(WIDTH, window);
        int kernel = window.kernel();
        float[] result = new float[OUTPUTS * height * width];
        for (int index = 0; index < result.length; index++) {
            result[index] = bias[index / (height * width)];
        }
        for (int source = 0; source < input.length; source++) {
            int channel = source / (HEIGHT * WIDTH);
            int top = source / WIDTH % HEIGHT * window.stride() - window.padding();
            int left = source % WIDTH * window.stride() - window.padding();
            for (int tap = 0; tap < OUTPUTS * kernel * kernel; tap++) {
                int y = top + tap / kernel % kernel;
                int x = left + tap % kernel;
                if (y >= 0 && y < height && x >= 0 && x < width) {
                    int target = (tap / (kernel * kernel) * height + y) * width + x;
                    result[target] += input[source] * weights[channel * OUTPUTS * kernel * kernel + tap];
                }
            }
        }
        return result;
    }
}
