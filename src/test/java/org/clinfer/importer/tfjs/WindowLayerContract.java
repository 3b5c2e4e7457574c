package org.clinfer.importer.tfjs;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.clinfer.DeviceChoice;
import org.clinfer.importer.tfjs.KerasReference.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Convolutions and pools of Keras. */
abstract class WindowLayerContract extends LayerContract {

    WindowLayerContract(DeviceChoice device) {
        super(device);
    }

    private static long[] longs(String list) {
        return Arrays.stream(ints(list)).asLongStream().toArray();
    }

    /** The permutation that puts the channels second. */
    private static int[] second(int rank) {
        return IntStream.range(0, rank)
                .map(axis -> axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1)
                .toArray();
    }

    private static String window(Window window, String more) {
        return "'kernel_size':" + Arrays.toString(window.kernel()) + ",'strides':" + Arrays.toString(window.strides())
                + ",'dilation_rate':" + Arrays.toString(window.dilations()) + ",'padding':'"
                + (window.same() ? "same" : "valid") + "'" + more;
    }

    private static Window window(String kernel, String strides, String dilations, String padding) {
        int spatial = ints(kernel).length - 2;
        return new Window(Arrays.copyOf(ints(kernel), spatial), ints(strides), ints(dilations), padding.equals("same"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2x9x3     | 3x3x4     | 1     | 1     | valid | 1",
                "1x10x2    | 4x2x3     | 3     | 1     | same  | 1",
                "1x11x2    | 3x2x2     | 1     | 3     | same  | 1",
                "1x7x6x3   | 3x3x3x5   | 1,1   | 1,1   | same  | 1",
                "2x7x8x3   | 3x2x3x4   | 2,2   | 1,1   | same  | 1",
                "1x8x8x2   | 5x5x2x3   | 2,3   | 1,1   | valid | 1",
                "1x9x9x4   | 3x3x2x6   | 1,1   | 2,1   | same  | 2",
                "1x2x3x3   | 4x4x3x2   | 2,2   | 1,1   | same  | 1",
                "1x6x6x3   | 1x1x3x17  | 3,2   | 1,1   | same  | 1",
                "1x5x6x4x2 | 3x3x3x2x5 | 1,1,1 | 1,1,1 | same  | 1",
                "1x5x6x4x1 | 3x3x3x1x4 | 2,1,2 | 1,1,1 | same  | 1",
                "2x9x8x7x5 | 3x3x3x5x5 | 1,1,1 | 4,2,1 | same  | 1",
                "1x5x5x6x2 | 2x3x2x2x3 | 2,1,1 | 1,1,2 | valid | 1",
                "1x4x4x4x6 | 1x1x1x6x3 | 1,1,1 | 1,1,1 | same  | 1",
            })
    void convolutions(String x, String kernel, String strides, String dilations, String padding, int groups)
            throws IOException {
        Volume input = random(ints(x));
        Window window = window(kernel, strides, dilations, padding);
        int spatial = input.rank() - 2;
        long filters = ints(kernel)[spatial + 1];
        String config = window(window, ",'groups':" + groups + ",'filters':" + filters);
        for (boolean bias : new boolean[] {true, false}) {
            TfjsModel model = taking(input)
                    .weight("c/kernel", longs(kernel))
                    .weight("c/bias", filters)
                    .layer("Conv" + spatial + "D", "c", config + ",'use_bias':" + bias, "x");
            Volume expected = KerasReference.convolution(
                    input, weight(model, "c/kernel"), bias ? weight(model, "c/bias") : null, window, groups);
            check(model, input, expected);
        }
        TfjsModel first = taking(input.permuted(second(input.rank())))
                .weight("c/kernel", longs(kernel))
                .layer("Conv" + spatial + "D", "c", config + ",'use_bias':false,'data_format':'channels_first'", "x");
        Volume expected = KerasReference.convolution(input, weight(first, "c/kernel"), null, window, groups);
        check(first, input.permuted(second(input.rank())), expected.permuted(second(input.rank())));
    }

    @Test
    void causalConvolution() throws IOException {
        Volume x = random(1, 9, 2);
        TfjsModel model = taking(x)
                .weight("c/kernel", 3, 2, 4)
                .layer(
                        "Conv1D",
                        "c",
                        "'filters':4,'kernel_size':[3],'padding':'causal','dilation_rate':[2],'use_bias':false",
                        "x");
        Volume padded = Volume.of(new int[] {1, 13, 2}, at -> at[1] < 4 ? 0 : x.at(0, at[1] - 4, at[2]));
        Window valid = new Window(new int[] {3}, new int[] {1}, new int[] {2}, false);
        check(model, x, KerasReference.convolution(padded, weight(model, "c/kernel"), null, valid, 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1x7x8x5 | 3x3x5x1 | 1,1 | 1,1 | same  | depthwise_kernel",
                "2x7x7x3 | 3x3x3x2 | 2,2 | 1,1 | same  | depthwise_kernel",
                "1x8x6x2 | 3x2x2x3 | 1,1 | 2,1 | valid | kernel",
                "1x9x4   | 3x4x2   | 2   | 1   | same  | depthwise_kernel",
            })
    void depthwiseConvolutions(String x, String kernel, String strides, String dilations, String padding, String weight)
            throws IOException {
        Volume input = random(ints(x));
        Window window = window(kernel, strides, dilations, padding);
        int spatial = input.rank() - 2;
        int multiplier = ints(kernel)[spatial + 1];
        int channels = ints(kernel)[spatial];
        TfjsModel model = taking(input)
                .weight("c/" + weight, longs(kernel))
                .weight("c/bias", (long) channels * multiplier)
                .layer("DepthwiseConv" + spatial + "D", "c", window(window, ",'depth_multiplier':" + multiplier), "x");
        Volume expected =
                KerasReference.depthwise(input, weight(model, "c/" + weight), weight(model, "c/bias"), window);
        check(model, input, expected);
    }

    @Test
    void separableConvolution() throws IOException {
        Volume x = random(1, 7, 6, 3);
        Window window = new Window(new int[] {3, 3}, new int[] {2, 2}, new int[] {1, 1}, true);
        TfjsModel model = taking(x)
                .weight("c/depthwise_kernel", 3, 3, 3, 2)
                .weight("c/pointwise_kernel", 1, 1, 6, 4)
                .weight("c/bias", 4)
                .layer(
                        "SeparableConv2D",
                        "c",
                        window(window, ",'depth_multiplier':2,'filters':4,'activation':'relu'"),
                        "x");
        Volume each = KerasReference.depthwise(x, weight(model, "c/depthwise_kernel"), null, window);
        Window point = new Window(new int[] {1, 1}, new int[] {1, 1}, new int[] {1, 1}, false);
        Volume mixed = KerasReference.convolution(
                each, weight(model, "c/pointwise_kernel"), weight(model, "c/bias"), point, 1);
        check(model, x, mixed.map(value -> Math.max(value, 0)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1x5x3     | 4x2x3     | 2     | 1     | same  |",
                "1x5x3     | 4x2x3     | 2     | 1     | valid |",
                "1x5x3     | 2x2x3     | 3     | 1     | valid |",
                "1x5x3     | 2x2x3     | 3     | 1     | same  |",
                "2x4x5x3   | 3x3x4x3   | 2,2   | 1,1   | same  |",
                "1x4x5x3   | 3x3x4x3   | 2,2   | 1,1   | valid |",
                "1x4x4x2   | 5x4x3x2   | 1,2   | 1,1   | same  |",
                "1x4x4x2   | 3x3x3x2   | 1,1   | 2,2   | same  |",
                "1x4x4x2   | 3x3x3x2   | 2,2   | 1,1   | same  | 1,1",
                "1x4x4x2   | 3x2x3x2   | 3,2   | 1,1   | valid | 2,1",
                "1x3x4x2x3 | 3x3x3x2x3 | 2,2,2 | 1,1,1 | same  |",
                "1x3x2x2x3 | 2x2x2x4x3 | 2,2,2 | 1,1,1 | valid |",
                "1x2x2x3x2 | 2x1x3x2x2 | 3,2,1 | 1,1,1 | valid |",
            })
    void transposedConvolutions(
            String x, String kernel, String strides, String dilations, String padding, String outputPadding)
            throws IOException {
        Volume input = random(ints(x));
        Window window = window(kernel, strides, dilations, padding);
        int spatial = input.rank() - 2;
        int filters = ints(kernel)[spatial];
        int[] extra = outputPadding == null ? new int[0] : ints(outputPadding);
        String more = ",'filters':" + filters
                + (extra.length == 0 ? ",'output_padding':null" : ",'output_padding':" + Arrays.toString(extra));
        TfjsModel model = taking(input)
                .weight("c/kernel", longs(kernel))
                .weight("c/bias", filters)
                .layer("Conv" + spatial + "DTranspose", "c", window(window, more), "x");
        Volume expected =
                KerasReference.transposed(input, weight(model, "c/kernel"), weight(model, "c/bias"), window, extra);
        check(model, input, expected);
    }

    @Test
    void transposedConvolutionWithChannelsFirst() throws IOException {
        Volume x = random(1, 4, 5, 3);
        Window window = new Window(new int[] {3, 3}, new int[] {2, 2}, new int[] {1, 1}, true);
        TfjsModel model = taking(x.permuted(0, 3, 1, 2))
                .weight("c/kernel", 3, 3, 2, 3)
                .weight("c/bias", 2)
                .layer("Conv2DTranspose", "c", window(window, ",'filters':2,'data_format':'channels_first'"), "x");
        Volume expected = KerasReference.transposed(x, weight(model, "c/kernel"), weight(model, "c/bias"), window);
        check(model, x.permuted(0, 3, 1, 2), expected.permuted(0, 3, 1, 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2x9x3     | 2     | 2     | valid",
                "1x9x3     | 3     | 2     | same",
                "1x7x8x3   | 2,2   | 2,2   | valid",
                "1x7x8x3   | 3,3   | 2,2   | same",
                "2x6x5x2   | 3,2   | 1,3   | same",
                "1x5x6x5x3 | 2,2,2 | 2,2,2 | valid",
                "1x5x6x5x3 | 3,2,3 | 2,1,2 | same",
            })
    void pools(String x, String size, String strides, String padding) throws IOException {
        Volume input = random(ints(x));
        int spatial = input.rank() - 2;
        int[] ones = IntStream.generate(() -> 1).limit(spatial).toArray();
        Window window = new Window(ints(size), ints(strides), ones, padding.equals("same"));
        for (boolean max : new boolean[] {true, false}) {
            String kind = (max ? "MaxPooling" : "AveragePooling") + spatial + "D";
            String config = "'pool_size':" + Arrays.toString(ints(size)) + ",'padding':'" + padding + "','strides':"
                    + (size.equals(strides) ? "null" : Arrays.toString(ints(strides)));
            Volume expected = KerasReference.pool(input, window, max);
            check(taking(input).layer(kind, "p", config, "x"), input, expected);
            int[] second = second(input.rank());
            Volume moved = input.permuted(second);
            TfjsModel first = taking(moved).layer(kind, "p", config + ",'data_format':'channels_first'", "x");
            check(first, moved, expected.permuted(second));
        }
    }

    @Test
    void globalPools() throws IOException {
        for (int spatial = 1; spatial <= 3; spatial++) {
            Volume x = random(Arrays.copyOf(new int[] {2, 4, 5, 3, 6}, spatial + 2));
            int channels = x.dim(-1);
            int[] flat = {2, x.values().length / 2 / channels, channels};
            Volume rows = new Volume(flat, x.values());
            Window all = new Window(new int[] {flat[1]}, new int[] {1}, new int[] {1}, false);
            Volume max = new Volume(
                    new int[] {2, channels},
                    KerasReference.pool(rows, all, true).values());
            Volume mean = new Volume(
                    new int[] {2, channels},
                    KerasReference.pool(rows, all, false).values());
            check(taking(x).layer("GlobalMaxPooling" + spatial + "D", "p", "", "x"), x, max);
            check(taking(x).layer("GlobalAveragePooling" + spatial + "D", "p", "'keepdims':false", "x"), x, mean);
            Volume moved = x.permuted(second(x.rank()));
            String first = "'data_format':'channels_first','keepdims':true";
            int[] kept = moved.dims().clone();
            Arrays.fill(kept, 2, kept.length, 1);
            check(
                    taking(moved).layer("GlobalMaxPooling" + spatial + "D", "p", first, "x"),
                    moved,
                    new Volume(kept, max.values()));
        }
    }
}
