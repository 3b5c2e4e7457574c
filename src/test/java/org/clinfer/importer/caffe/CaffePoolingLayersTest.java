package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.caffe.CaffeLayersTest.assertValues;
import static org.clinfer.importer.caffe.CaffeLayersTest.dims;
import static org.clinfer.importer.caffe.CaffeLayersTest.floats;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.clinfer.graph.GraphException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pools, whose windows are rounded up, and their masks. */
class CaffePoolingLayersTest {

    @TempDir
    Path folder;

    @Test
    void maximaAreRoundedUpAndClippedOnlyWithPadding() throws IOException {
        String plain = "pooling_param { kernel_size: 2 stride: 2 }";
        float[] five = floats(1, 2, 3, 4, 5);

        assertValues(
                CaffeNet.input(1, 1, 1, 5)
                        .layer("Pooling", "pooling_param { kernel_h: 1 kernel_w: 2 stride_w: 2 stride_h: 1 }")
                        .run(folder, five, 1, 1, 1, 5),
                dims(1, 1, 1, 3),
                2,
                4,
                5);
        assertValues(
                CaffeNet.input(1, 1, 2, 2).layer("Pooling", plain).run(folder, floats(1, 2, 3, 4), 1, 1, 2, 2),
                dims(1, 1, 1, 1),
                4);
        assertValues(
                CaffeNet.input(1, 1, 1, 4)
                        .layer(
                                "Pooling",
                                "pooling_param { kernel_h: 1 kernel_w: 2 stride_h: 1 stride_w: 2 pad_h: 0 pad_w: 1 }")
                        .run(folder, floats(1, 2, 3, 4), 1, 1, 1, 4),
                dims(1, 1, 1, 3),
                1,
                3,
                4);
        assertValues(
                CaffeNet.input(1, 1, 1, 5)
                        .layer(
                                "Pooling",
                                "pooling_param { kernel_h: 1 kernel_w: 2 stride_h: 1 stride_w: 2 round_mode: FLOOR }")
                        .run(folder, five, 1, 1, 1, 5),
                dims(1, 1, 1, 2),
                2,
                4);
    }

    @Test
    void meansCountPaddingInsideThePaddedPicture() throws IOException {
        assertValues(
                CaffeNet.input(1, 1, 1, 4)
                        .layer(
                                "Pooling",
                                "pooling_param { pool: AVE kernel_h: 1 kernel_w: 3 stride_h: 1 stride_w: 2 pad_h: 0 pad_w: 1 }")
                        .run(folder, floats(3, 6, 9, 12), 1, 1, 1, 4),
                dims(1, 1, 1, 3),
                3,
                9,
                6);
    }

    /** The last windows reach beyond the picture, and are means of what it has of them. */
    @Test
    void meansOfCutWindows() throws IOException {
        float[] numbers = new float[49];
        for (int i = 0; i < 49; i++) {
            numbers[i] = i + 1f;
        }
        assertValues(
                CaffeNet.input(1, 1, 7, 7)
                        .layer("Pooling", "pooling_param { pool: AVE kernel_size: 2 stride: 3 }")
                        .run(folder, numbers, 1, 1, 7, 7),
                dims(1, 1, 3, 3),
                5,
                8,
                10.5,
                26,
                29,
                31.5,
                43.5,
                46.5,
                49);
    }

    @Test
    void stochasticPoolsAreWeightedMeans() throws IOException {
        assertValues(
                CaffeNet.input(1, 1, 1, 4)
                        .layer(
                                "Pooling",
                                "pooling_param { pool: STOCHASTIC kernel_h: 1 kernel_w: 2 stride_h: 1 stride_w: 2 }")
                        .run(folder, floats(1, 3, 0, 0), 1, 1, 1, 4),
                dims(1, 1, 1, 2),
                2.5,
                0);
    }

    @Test
    void masksPutElementsBack() throws IOException {
        CaffeNet net = CaffeNet.of("""
                input: 'x' input_dim: 1 input_dim: 1 input_dim: 3 input_dim: 4
                layer { name: 'p' type: 'Pooling' bottom: 'x' top: 'p' top: 'm' pooling_param { kernel_size: 2 stride: 2 } }
                layer { name: 'u' type: 'Upsample' bottom: 'p' bottom: 'm' top: 'y'
                        upsample_param { scale: 2 upsample_h: 3 upsample_w: 4 } }
                """);
        assertValues(
                net.run(folder, floats(1, 5, 2, 2, 3, 4, 2, 2, -7, -6, 8, 9), 1, 1, 3, 4),
                dims(1, 1, 3, 4),
                0,
                5,
                2,
                0,
                0,
                0,
                0,
                0,
                0,
                -6,
                0,
                9);
    }

    private static int up(int numerator, int denominator) {
        return (numerator + denominator - 1) / denominator;
    }

    /** The windows of a level in Caffe's loops: half of what is missing in front, all of one size. */
    private static List<Double> level(float[] x, int channels, int height, int width, int bins, boolean mean) {
        int rows = up(height, bins);
        int columns = up(width, bins);
        int top = (rows * bins - height + 1) / 2;
        int left = (columns * bins - width + 1) / 2;
        List<Double> all = new ArrayList<>();
        for (int c = 0; c < channels; c++) {
            for (int row = 0; row < bins; row++) {
                for (int column = 0; column < bins; column++) {
                    double sum = 0;
                    double most = -Float.MAX_VALUE;
                    int lastRow = Math.min(row * rows - top + rows, height);
                    int lastColumn = Math.min(column * columns - left + columns, width);
                    for (int h = Math.max(row * rows - top, 0); h < lastRow; h++) {
                        for (int w = Math.max(column * columns - left, 0); w < lastColumn; w++) {
                            sum += x[(c * height + h) * width + w];
                            most = Math.max(most, x[(c * height + h) * width + w]);
                        }
                    }
                    all.add(mean ? sum / (rows * columns) : most);
                }
            }
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"7,9,3,MAX", "7,9,3,AVE", "8,4,3,MAX", "11,6,2,AVE", "15,16,4,MAX"})
    void pyramids(int height, int width, int levels, String pool) throws IOException {
        float[] x = new float[2 * height * width];
        Random random = new Random(height);
        for (int i = 0; i < x.length; i++) {
            x[i] = random.nextFloat() - 2;
        }
        List<Double> expected = new ArrayList<>();
        for (int level = 0; level < levels; level++) {
            expected.addAll(level(x, 2, height, width, 1 << level, pool.equals("AVE")));
        }
        double[] all = expected.stream().mapToDouble(Double::doubleValue).toArray();
        String fields = "spp_param { pyramid_height: " + levels + " pool: " + pool + " }";
        assertValues(
                CaffeNet.input(1, 2, height, width).layer("SPP", fields).run(folder, x, 1, 2, height, width),
                dims(1, all.length),
                all);
        // the same network at another size than the file says
        assertValues(
                CaffeNet.input(1, 2, 32, 32).layer("SPP", fields).run(folder, x, 1, 2, height, width),
                dims(1, all.length),
                all);
    }

    @Test
    void pyramidsHaveNoWindowsInThePaddingAlone() throws IOException {
        assertValues(
                CaffeNet.input(1, 1, 1, 2)
                        .layer("SPP", "spp_param { pyramid_height: 1 }")
                        .run(folder, floats(3, 4), 1, 1, 1, 2),
                dims(1, 1, 1, 1),
                4);
        CaffeNet small = CaffeNet.input(1, 1, 8, 5).layer("SPP", "spp_param { pyramid_height: 3 }");
        assertThatThrownBy(() -> small.run(folder, new float[40], 1, 1, 8, 5))
                .isInstanceOf(GraphException.class)
                .hasMessageEndingWith("spp_param.pyramid_height: a level of 4 windows does not fit a side of 5 pixels");
        CaffeNet high = CaffeNet.input(1, 1, 8, 5).layer("SPP", "spp_param { pyramid_height: 1000000000 }");
        assertThatThrownBy(() -> high.run(folder, new float[40], 1, 1, 8, 5))
                .isInstanceOf(GraphException.class)
                .hasMessageEndingWith("spp_param.pyramid_height: 1000000000 levels are more than 12");
    }
}
