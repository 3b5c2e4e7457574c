package org.clinfer.importer.caffe;

import static org.clinfer.importer.caffe.CaffeLayersTest.assertValues;
import static org.clinfer.importer.caffe.CaffeLayersTest.dims;
import static org.clinfer.importer.caffe.CaffeLayersTest.floats;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
