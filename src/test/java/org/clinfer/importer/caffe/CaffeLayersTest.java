package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What layers compute, with numbers worked out by their definitions in Caffe. */
class CaffeLayersTest {

    private static final double TOLERANCE = 1e-5;

    @TempDir
    Path folder;

    static float[] floats(double... values) {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) values[i];
        }
        return floats;
    }

    static void assertValues(Tensor tensor, long[] shape, double... values) {
        assertThat(tensor.shape().sizes()).containsExactly(shape);
        float[] found = tensor.toFloatArray();
        assertThat(found).as(Arrays.toString(found)).hasSize(values.length);
        for (int i = 0; i < found.length; i++) {
            assertThat((double) found[i])
                    .as("element %s of %s", i, Arrays.toString(found))
                    .isCloseTo(values[i], within(TOLERANCE));
        }
    }

    private static Tensor output(Map<String, Tensor> outputs, String name) {
        return Objects.requireNonNull(outputs.get(name));
    }

    static long[] dims(long... dims) {
        return dims;
    }

    private static CaffeNet upsampled(String fields) {
        return CaffeNet.of("""
                input: 'x' input_dim: 1 input_dim: 1 input_dim: 3 input_dim: 3
                layer { name: 'p' type: 'Pooling' bottom: 'x' top: 'p' top: 'm' pooling_param { kernel_size: 2 stride: 2 } }
                layer { name: 'u' type: 'Upsample' bottom: 'p' bottom: 'm' top: 'y' upsample_param { FIELDS } }
                """.replace("FIELDS", fields));
    }

    @Test
    void paddingOutLeavesTheLastRowAndColumnAway() throws IOException {
        float[] x = floats(1, 5, 2, 3, 4, 7, -7, -6, 8);
        assertValues(
                upsampled("scale: 2 pad_out_h: true pad_out_w: true").run(folder, x, 1, 1, 3, 3),
                dims(1, 1, 3, 3),
                0,
                5,
                0,
                0,
                0,
                7,
                0,
                -6,
                8);
        assertThat(upsampled("scale: 2 pad_out_w: true")
                        .run(folder, x, 1, 1, 3, 3)
                        .shape())
                .hasToString("1x1x4x3");
        assertThatThrownBy(() -> upsampled("scale: 3").run(folder, x, 1, 1, 3, 3))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("'scale'");
    }

    @Test
    void rectifiersMayEndAtSix() throws IOException {
        CaffeNet net = CaffeNet.input(1, 1, 1, 3).layer("ReLU", "relu_param { relu6: true }");
        assertValues(net.run(folder, floats(-1, 5, 9), 1, 1, 1, 3), dims(1, 1, 1, 3), 0, 5, 6);
        assertThatThrownBy(() -> CaffeNet.input(1, 1, 1, 3)
                        .layer("ReLU", "relu_param { relu6: true negative_slope: 0.1 }")
                        .run(folder, floats(0, 0, 0), 1, 1, 1, 3))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("'relu6'");
    }

    @Test
    void statisticsOfABatchHaveTheirOwnEpsilon() throws IOException {
        CaffeNet net = CaffeNet.input(1, 1, 1, 2)
                .layer("BN", "bn_param { var_eps: 3 }")
                .blob("l", floats(1), 1)
                .blob("l", floats(0), 1);
        // the variance of 1 and 3 is 1
        assertValues(net.run(folder, floats(1, 3), 1, 1, 1, 2), dims(1, 1, 1, 2), -0.5, 0.5);
        assertThatThrownBy(() -> CaffeNet.input(1, 1, 1, 2)
                        .layer("BN", "bn_param { eps: 3 }")
                        .blob("l", floats(1), 1)
                        .blob("l", floats(0), 1)
                        .run(folder, floats(1, 3), 1, 1, 1, 2))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("eps");
    }

    @Test
    void normalisationDividesItsSums() throws IOException {
        CaffeNet net = CaffeNet.input(1, 2, 1, 1)
                .layer("BatchNorm", "batch_norm_param { eps: 0 }")
                .blob("l", floats(4, 8), 2)
                .blob("l", floats(8, 18), 2)
                .blob("l", floats(2), 1);

        assertValues(net.run(folder, floats(4, 10), 1, 2, 1, 1), dims(1, 2, 1, 1), 1, 2);
    }

    @Test
    void statisticsOfTheBatchIfAskedFor() throws IOException {
        assertValues(
                CaffeNet.input(2, 1, 1, 1)
                        .layer("BatchNorm", "batch_norm_param { use_global_stats: false eps: 0 }")
                        .run(folder, floats(1, 5), 2, 1, 1, 1),
                dims(2, 1, 1, 1),
                -1,
                1);
    }

    @Test
    void scaleLinesUpWithItsAxis() throws IOException {
        CaffeNet net = CaffeNet.input(1, 2, 1, 2)
                .layer("Scale", "scale_param { bias_term: true }")
                .blob("l", floats(2, 3), 2)
                .blob("l", floats(10, 20), 2);
        assertValues(net.run(folder, floats(1, 2, 3, 4), 1, 2, 1, 2), dims(1, 2, 1, 2), 12, 14, 29, 32);

        CaffeNet last = CaffeNet.input(1, 2, 1, 2)
                .layer("Scale", "scale_param { axis: -1 }")
                .blob("l", floats(2, 3), 2);
        assertValues(last.run(folder, floats(1, 2, 3, 4), 1, 2, 1, 2), dims(1, 2, 1, 2), 2, 6, 6, 12);
    }

    @Test
    void eltwiseTakesCoefficients() throws IOException {
        CaffeNet net = CaffeNet.of("""
                input: 'x' input_shape { dim: 2 }
                layer { name: 'e' type: 'Eltwise' bottom: 'x' bottom: 'x' top: 'y' eltwise_param { coeff: 1 coeff: -0.5 } }
                """);
        assertValues(net.run(folder, floats(2, 4), 2), dims(2), 1, 2);
    }

    @Test
    void powersExponentialsAndLogarithms() throws IOException {
        float[] x = floats(1, 2);
        assertValues(
                CaffeNet.input(2)
                        .layer("Power", "power_param { power: 2 scale: 3 shift: 1 }")
                        .run(folder, x, 2),
                dims(2),
                16,
                49);
        assertValues(
                CaffeNet.input(2)
                        .layer("Exp", "exp_param { base: 2 scale: 2 shift: 1 }")
                        .run(folder, x, 2),
                dims(2),
                8,
                32);
        assertValues(
                CaffeNet.input(2).layer("Log", "log_param { base: 2 scale: 4 }").run(folder, x, 2), dims(2), 2, 3);
        assertValues(
                CaffeNet.input(2)
                        .layer("Threshold", "threshold_param { threshold: 1 }")
                        .run(folder, x, 2),
                dims(2),
                0,
                1);
        assertValues(
                CaffeNet.input(2).layer("BNLL", "").run(folder, x, 2),
                dims(2),
                Math.log1p(Math.E),
                Math.log1p(Math.exp(2)));
    }

    @Test
    void responsesWithinChannels() throws IOException {
        // a window of 3x3 around each of two pixels holds both squares: (1 + 9 * (4 + 16) / 9) ^ -0.5
        assertValues(
                CaffeNet.input(1, 1, 1, 2)
                        .layer("LRN", "lrn_param { norm_region: WITHIN_CHANNEL local_size: 3 alpha: 9 beta: 0.5 }")
                        .run(folder, floats(2, 4), 1, 1, 1, 2),
                dims(1, 1, 1, 2),
                2 / Math.sqrt(21),
                4 / Math.sqrt(21));
    }

    @Test
    void lengthsOfPixels() throws IOException {
        CaffeNet net = CaffeNet.input(1, 2, 1, 2)
                .layer("Normalize", "norm_param { across_spatial: false channel_shared: false eps: 0 }")
                .blob("l", floats(10, 20), 2);
        assertValues(net.run(folder, floats(3, 0, 4, 2), 1, 2, 1, 2), dims(1, 2, 1, 2), 6, 0, 16, 20);
    }

    @Test
    void placesOfMaxima() throws IOException {
        assertValues(
                CaffeNet.input(1, 3, 1, 2)
                        .layer("ArgMax", "argmax_param { axis: 1 }")
                        .run(folder, floats(1, 5, 7, 5, 2, 0), 1, 3, 1, 2),
                dims(1, 1, 1, 2),
                1,
                1);
        assertValues(
                CaffeNet.input(2, 3)
                        .layer("ArgMax", "argmax_param { out_max_val: true }")
                        .run(folder, floats(1, 5, 7, 5, 2, 0), 2, 3),
                dims(2, 2, 1),
                2,
                7,
                0,
                5);
        assertValues(
                CaffeNet.input(1, 3, 1, 2)
                        .layer("ArgMax", "argmax_param { }")
                        .run(folder, floats(1, 5, 7, 5, 2, 0), 1, 3, 1, 2),
                dims(1, 1, 1, 1),
                2);
    }

    @Test
    void reductionsTakeTheLastAxes() throws IOException {
        assertValues(
                CaffeNet.input(2, 2)
                        .layer("Reduction", "reduction_param { operation: ASUM axis: 1 coeff: 2 }")
                        .run(folder, floats(1, -2, 3, 4), 2, 2),
                dims(2),
                6,
                14);
        assertValues(
                CaffeNet.input(2, 2)
                        .layer("Reduction", "reduction_param { operation: MEAN }")
                        .run(folder, floats(1, -2, 3, 4), 2, 2),
                dims(),
                1.5);
    }

    @Test
    void shapesAreThoseOfTheRun() throws IOException {
        String reshape = "reshape_param { shape { dim: 0 dim: -1 } axis: 1 num_axes: 2 }";
        Tensor reshaped =
                CaffeNet.input(1, 2, 3, 4).layer("Reshape", reshape).run(folder, new float[2 * 2 * 3 * 5], 2, 2, 3, 5);
        assertThat(reshaped.shape().sizes()).containsExactly(2, 2, 3, 5);
        Tensor joined = CaffeNet.input(1, 2, 3, 4)
                .layer("Flatten", "flatten_param { axis: 1 end_axis: 2 }")
                .run(folder, new float[2 * 2 * 3 * 5], 2, 2, 3, 5);
        assertThat(joined.shape().sizes()).containsExactly(2, 6, 5);
        Tensor split = CaffeNet.input(1, 6, 4)
                .layer("Reshape", "reshape_param { shape { dim: 2 dim: 3 } axis: 1 num_axes: 1 }")
                .run(folder, new float[6 * 5], 1, 6, 5);
        assertThat(split.shape().sizes()).containsExactly(1, 2, 3, 5);
    }

    @Test
    void cropTakesTheSizeOfItsSecondBottom() throws IOException {
        CaffeNet net = CaffeNet.of("""
                input: 'x' input_dim: 1 input_dim: 1 input_dim: 3 input_dim: 3
                input: 'z' input_dim: 1 input_dim: 1 input_dim: 2 input_dim: 1
                layer { name: 'c' type: 'Crop' bottom: 'x' bottom: 'z' top: 'y' crop_param { axis: 2 offset: 1 offset: 2 } }
                """);
        Map<String, Tensor> outputs = CaffeNet.run(
                net.write(folder, "net"),
                Map.of(
                        "x",
                        Tensor.of(floats(0, 1, 2, 3, 4, 5, 6, 7, 8), 1, 1, 3, 3),
                        "z",
                        Tensor.of(new float[2], 1, 1, 2, 1)));
        assertValues(output(outputs, "y"), dims(1, 1, 2, 1), 5, 8);
    }

    @Test
    void slicesAndTiles() throws IOException {
        CaffeNet net = CaffeNet.of("""
                input: 'x' input_shape { dim: 1 dim: 4 }
                layer { name: 's' type: 'Slice' bottom: 'x' top: 'a' top: 'b' slice_param { slice_point: 1 } }
                layer { name: 't' type: 'Tile' bottom: 'b' top: 'c' tile_param { axis: 1 tiles: 2 } }
                """);
        Map<String, Tensor> outputs =
                CaffeNet.run(net.write(folder, "net"), Map.of("x", Tensor.of(floats(1, 2, 3, 4), 1, 4)));
        assertThat(outputs.keySet()).containsExactly("a", "c");
        assertValues(output(outputs, "c"), dims(1, 6), 2, 3, 4, 2, 3, 4);
    }

    @Test
    void interpolationBetweenCorners() throws IOException {
        assertValues(
                CaffeNet.input(1, 1, 1, 2)
                        .layer("Interp", "interp_param { zoom_factor: 3 }")
                        .run(folder, floats(0, 3), 1, 1, 1, 2),
                dims(1, 1, 1, 4),
                0,
                1,
                2,
                3);
        assertValues(
                CaffeNet.input(1, 1, 1, 3)
                        .layer("Interp", "interp_param { height: 1 width: 2 }")
                        .run(folder, floats(0, 3, 8), 1, 1, 1, 3),
                dims(1, 1, 1, 2),
                0,
                8);
    }

    @Test
    void channelsOfGroupsInTurn() throws IOException {
        assertValues(
                CaffeNet.input(1, 4, 1, 1)
                        .layer("ShuffleChannel", "shuffle_channel_param { group: 2 }")
                        .run(folder, floats(1, 2, 3, 4), 1, 4, 1, 1),
                dims(1, 4, 1, 1),
                1,
                3,
                2,
                4);
    }

    @Test
    void fullyConnectedFromAnAxisOn() throws IOException {
        CaffeNet net = CaffeNet.input(1, 2, 2)
                .layer("InnerProduct", "inner_product_param { num_output: 1 axis: 2 }")
                .blob("l", floats(2, 3), 1, 2)
                .blob("l", floats(10), 1);
        assertValues(net.run(folder, floats(1, 1, 2, 0), 1, 2, 2), dims(1, 2, 1), 15, 14);

        CaffeNet turned = CaffeNet.input(1, 2)
                .layer("InnerProduct", "inner_product_param { num_output: 2 transpose: true bias_term: false }")
                .blob("l", floats(1, 2, 3, 4), 2, 2);
        assertValues(turned.run(folder, floats(1, 10), 1, 2), dims(1, 2), 31, 42);
    }

    @Test
    void transposedConvolutionWithAFiller() throws IOException {
        CaffeNet net = CaffeNet.input(1, 1, 1, 2)
                .layer(
                        "Deconvolution",
                        "convolution_param { num_output: 1 bias_term: false kernel_size: 4 stride: 2 pad: 1"
                                + " weight_filler { type: 'bilinear' } }");
        double[] row = {0.5625, 0.9375, 1.3125, 1.125};
        assertValues(
                net.run(folder, floats(1, 2), 1, 1, 1, 2),
                dims(1, 1, 2, 4),
                row[0],
                row[1],
                row[2],
                row[3],
                row[0],
                row[1],
                row[2],
                row[3]);
    }

    @Test
    void axpyScalesChannels() throws IOException {
        CaffeNet net = CaffeNet.of("""
                input: 'a' input_dim: 1 input_dim: 2 input_dim: 1 input_dim: 1
                input: 'x' input_dim: 1 input_dim: 2 input_dim: 1 input_dim: 2
                layer { name: 'l' type: 'Axpy' bottom: 'a' bottom: 'x' bottom: 'x' top: 'y' }
                """);
        Map<String, Tensor> outputs = CaffeNet.run(
                net.write(folder, "net"),
                Map.of("a", Tensor.of(floats(2, 3), 1, 2, 1, 1), "x", Tensor.of(floats(1, 2, 3, 4), 1, 2, 1, 2)));
        assertValues(output(outputs, "y"), dims(1, 2, 1, 2), 3, 6, 12, 16);
    }

    @Test
    void priorsAroundEachPixel() throws IOException {
        CaffeNet net = CaffeNet.of("""
                input: 'f' input_dim: 1 input_dim: 1 input_dim: 1 input_dim: 2
                input: 'x' input_dim: 1 input_dim: 3 input_dim: 10 input_dim: 20
                layer { name: 'l' type: 'PriorBox' bottom: 'f' bottom: 'x' top: 'y'
                  prior_box_param { min_size: 4.9 max_size: 9 aspect_ratio: 4 flip: false variance: 0.1 variance: 0.1 variance: 0.2 variance: 0.2 } }
                """);
        Map<String, Tensor> outputs = CaffeNet.run(
                net.write(folder, "net"),
                Map.of("f", Tensor.of(floats(0, 0), 1, 1, 1, 2), "x", Tensor.of(new float[600], 1, 3, 10, 20)));
        float[] y = output(outputs, "y").toFloatArray();
        assertThat(output(outputs, "y").shape().sizes()).containsExactly(1, 2, 24);
        // steps of 10 pixels; centres at (5, 5) and (15, 5); boxes 4x4, 6x6 and 8x2
        double[] first = {
            3 / 20.0, 3 / 10.0, 7 / 20.0, 7 / 10.0, 2 / 20.0, 2 / 10.0, 8 / 20.0, 8 / 10.0, 1 / 20.0, 4 / 10.0,
            9 / 20.0, 6 / 10.0
        };
        for (int i = 0; i < first.length; i++) {
            assertThat((double) y[i]).as("element %s", i).isCloseTo(first[i], within(TOLERANCE));
            double moved = first[i] + (i % 2 == 0 ? 0.5 : 0);
            assertThat((double) y[12 + i]).as("element %s", 12 + i).isCloseTo(moved, within(TOLERANCE));
            assertThat((double) y[24 + i]).isCloseTo(i % 4 < 2 ? 0.1 : 0.2, within(TOLERANCE));
        }
    }

    @Test
    void embeddingsAreRowsOfATable() throws IOException {
        String fields = "embed_param { input_dim: 3 num_output: 2 ";
        float[] table = floats(1, 2, 3, 4, 5, 6);
        float[] words = floats(2, 0, 1, 2);
        assertValues(
                CaffeNet.input(2, 2)
                        .layer("Embed", fields + "}")
                        .blob("l", table, 3, 2)
                        .blob("l", floats(10, 20), 2)
                        .run(folder, words, 2, 2),
                dims(2, 2, 2),
                15,
                26,
                11,
                22,
                13,
                24,
                15,
                26);
        assertValues(
                CaffeNet.input(4)
                        .layer("Embed", fields + "bias_term: false }")
                        .blob("l", table, 3, 2)
                        .run(folder, words, 4),
                dims(4, 2),
                5,
                6,
                1,
                2,
                3,
                4,
                5,
                6);
    }
}
