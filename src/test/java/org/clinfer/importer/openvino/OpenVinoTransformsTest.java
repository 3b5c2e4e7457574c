package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fourier transforms, patches, bags and bounds against OpenVINO's reference, whose loops are written out here. */
class OpenVinoTransformsTest {

    @TempDir
    Path folder;

    private static void assertClose(Tensor actual, double... expected) {
        assertThat(actual.toDoubleArray()).containsExactly(expected, within(1e-4));
    }

    /** Frequency (i, j) of the transform of a matrix of complex numbers, cut or with zeros to its sizes. */
    private static double[] frequency(Tensor x, int parts, long[] given, long[] sizes, int i, int j, int sign) {
        double[] sum = new double[2];
        for (int k = 0; k < Math.min(given[0], sizes[0]); k++) {
            for (int l = 0; l < Math.min(given[1], sizes[1]); l++) {
                double turn = -sign * 2 * Math.PI * ((double) i * k / sizes[0] + (double) j * l / sizes[1]);
                long at = (k * given[1] + l) * parts;
                double real = x.getDouble(at);
                double imaginary = parts == 2 ? x.getDouble(at + 1) : 0;
                sum[0] += real * Math.cos(turn) - imaginary * Math.sin(turn);
                sum[1] += real * Math.sin(turn) + imaginary * Math.cos(turn);
            }
        }
        double scale = sign < 0 ? 1.0 / (sizes[0] * sizes[1]) : 1;
        return new double[] {sum[0] * scale, sum[1] * scale};
    }

    @ParameterizedTest
    @CsvSource({"DFT,1,3,4", "IDFT,-1,3,4", "DFT,1,5,2", "IDFT,-1,2,7"})
    void complexNumbers(String type, int sign, int rows, int columns) throws IOException {
        long[] given = {3, 4};
        long[] sizes = {rows, columns};
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "3,4,2");
        Out y = net.add(
                type + ":opset7",
                "",
                "f32:" + rows + "," + columns + ",2",
                x,
                net.longs(-1, 0),
                net.longs(columns, rows));
        Tensor numbers = IrNet.random(1, 3, 4, 2);
        double[] wanted = new double[2 * rows * columns];
        for (int i = 0; i < rows * columns; i++) {
            double[] each = frequency(numbers, 2, given, sizes, i / columns, i % columns, sign);
            wanted[2 * i] = each[0];
            wanted[2 * i + 1] = each[1];
        }
        assertClose(net.results(y).run(folder, numbers), wanted);
    }

    @ParameterizedTest
    @CsvSource({"-1,-1,3,4", "5,7,5,7", "2,3,2,3"})
    void realNumbers(int rows, int columns, int height, int width) throws IOException {
        int half = width / 2 + 1;
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "3,4");
        Out y = net.add(
                "RDFT:opset9", "", "f32:" + height + "," + half + ",2", x, net.longs(0, -1), net.longs(rows, columns));
        Tensor numbers = IrNet.random(2, 3, 4);
        double[] wanted = new double[2 * height * half];
        for (int i = 0; i < height * half; i++) {
            double[] each = frequency(numbers, 1, new long[] {3, 4}, new long[] {height, width}, i / half, i % half, 1);
            wanted[2 * i] = each[0];
            wanted[2 * i + 1] = each[1];
        }
        assertClose(net.results(y).run(folder, numbers), wanted);
    }

    /** The other half of the frequencies is the mirror image of the transform along the other axes. */
    @ParameterizedTest
    @CsvSource({"-1,6", "6,6", "7,7", "3,3", "12,12"})
    void realNumbersOfFrequencies(int size, int width) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "3,4,2");
        Out y = net.add("IRDFT:opset9", "", "f32:3," + width, x, net.longs(0, 1), net.longs(-1, size));
        Tensor numbers = IrNet.random(3, 3, 4, 2);
        double[][] columns = new double[3 * width][2];
        for (int row = 0; row < 3; row++) {
            for (int j = 0; j < width; j++) {
                int from = j <= width / 2 ? j : width - j;
                for (int k = 0; k < 3 && from < 4; k++) {
                    double turn = 2 * Math.PI * row * k / 3;
                    double real = numbers.getDouble((k * 4L + from) * 2);
                    double imaginary = numbers.getDouble((k * 4L + from) * 2 + 1);
                    columns[row * width + j][0] += (real * Math.cos(turn) - imaginary * Math.sin(turn)) / 3;
                    double other = (real * Math.sin(turn) + imaginary * Math.cos(turn)) / 3;
                    columns[row * width + j][1] += j == from ? other : -other;
                }
            }
        }
        double[] wanted = new double[3 * width];
        for (int i = 0; i < wanted.length; i++) {
            for (int j = 0; j < width; j++) {
                double turn = 2 * Math.PI * j * (i % width) / width;
                double[] column = columns[i / width * width + j];
                wanted[i] += (column[0] * Math.cos(turn) - column[1] * Math.sin(turn)) / width;
            }
        }
        assertClose(net.results(y).run(folder, numbers), wanted);
    }

    @Test
    void whatIsNoTransformIsRefused() throws IOException {
        IrNet parts = new IrNet();
        Out x = parts.parameter("f32", "3,4,3");
        parts.results(parts.add("DFT:opset7", "", "f32:3,4,3", x, parts.longs(0)));
        parts.refused(folder, "has no last axis of two parts");
        IrNet twice = new IrNet();
        Out y = twice.parameter("f32", "3,4,2");
        twice.results(twice.add("IDFT:opset7", "", "f32:3,4,2", y, twice.longs(1, -1)));
        twice.refused(folder, "its axes are [1, 1]");
        IrNet sizes = new IrNet();
        Out z = sizes.parameter("f32", "3,4");
        sizes.results(sizes.add("RDFT:opset9", "", "f32:3,4,2", z, sizes.longs(0), sizes.longs(0)));
        sizes.refused(folder, "a size of 0");
        IrNet large = new IrNet();
        Out w = large.parameter("f32", "3,1000000");
        large.results(large.add("RDFT:opset9", "", "f32:3,500001,2", w, large.longs(1)));
        large.refused(folder, "a matrix of 1000000 x 1000002");
    }

    @ParameterizedTest
    @CsvSource({"valid,2,3,0,0", "same_upper,3,5,0,1", "same_lower,3,5,1,1"})
    void patches(String padding, int height, int width, int top, int left) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,2,5,5");
        String attributes = "sizes=2,3 strides=2,1 rates=1,1 auto_pad=" + padding;
        Out y = net.add("ExtractImagePatches:opset3", attributes, "f32:2,12," + height + "," + width, x);
        Tensor given = IrNet.random(4, 2, 2, 5, 5);
        double[] wanted = new double[24 * height * width];
        for (int i = 0; i < wanted.length; i++) {
            int channel = i / width / height % 12;
            int row = i / width % height * 2 - top + channel / 6;
            int column = i % width - left + channel / 2 % 3;
            if (row >= 0 && row < 5 && column >= 0 && column < 5) {
                int picture = i / width / height / 12;
                wanted[i] = given.getDouble(((picture * 2L + channel % 2) * 5 + row) * 5 + column);
            }
        }
        assertClose(net.results(y).run(folder, given), wanted);
    }

    @Test
    void aWindowThatDoesNotFitIsRefused() throws IOException {
        IrNet net = new IrNet();
        String attributes = "sizes=3,3 strides=1,1 rates=1073741823,1 auto_pad=valid";
        net.results(net.add("ExtractImagePatches:opset3", attributes, "f32:1,9,1,3", net.parameter("f32", "1,1,5,5")));
        net.refused(folder, "its window of 2147483647 does not fit 5 elements");
    }

    private static final float[] TABLE = {1, 2, 10, 20, 100, 200, 1000, 2000};

    @Test
    void bagsBetweenOffsets() throws IOException {
        IrNet net = new IrNet();
        Out table = net.parameter("f32", "4,2");
        Out indices = net.longs(3, 0, 1, 1);
        Out offsets = net.longs(1, 3, 3);
        Out sums = net.add("EmbeddingBagOffsetsSum:opset3", "", "f32:3,2", table, indices, offsets);
        Out usual = net.add(
                "EmbeddingBagOffsetsSum:opset3",
                "",
                "f32:3,2",
                table,
                indices,
                offsets,
                net.whole(2),
                net.floats("4", 9, 2, 3, 4));
        Out none = net.add(
                "EmbeddingBagOffsets:opset15", "reduction=mean", "f32:3,2", table, indices, offsets, net.whole(-1));
        var results = net.results(sums, usual, none).runAll(folder, IrNet.of(TABLE, 4, 2));
        assertClose(results.get(0), 11, 22, 0, 0, 10, 20);
        assertClose(results.get(1), 32, 64, 100, 200, 40, 80);
        assertClose(results.get(2), 5.5, 11, 0, 0, 10, 20);
    }

    @Test
    void bagsThatAreRowsOrNumbered() throws IOException {
        IrNet net = new IrNet();
        Out table = net.parameter("f32", "4,2");
        Out rows = net.longs("2,2", 3, 0, 1, 1);
        Out sums = net.add("EmbeddingBagPackedSum:opset3", "", "f32:2,2", table, rows, net.floats("2,2", 1, 2, 3, 4));
        Out means = net.add("EmbeddingBagPacked:opset15", "reduction=mean", "f32:2,2", table, rows);
        Out numbered = net.add(
                "EmbeddingSegmentsSum:opset3",
                "",
                "f32:4,2",
                table,
                net.longs(3, 0, 2),
                net.longs(0, 0, 2),
                net.whole(4),
                net.whole(1),
                net.floats("3", 1, 2, .5f));
        var results = net.results(sums, means, numbered).runAll(folder, IrNet.of(TABLE, 4, 2));
        assertClose(results.get(0), 1002, 2004, 70, 140);
        assertClose(results.get(1), 500.5, 1001, 10, 20);
        assertClose(results.get(2), 1002, 2004, 10, 20, 50, 100, 10, 20);
    }

    @Test
    void bounds() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "6");
        Out bounds = net.longs(1, 3, 3, 5);
        Out right = net.add("Bucketize:opset3", "", "i64:6", x, bounds);
        Out left = net.add("Bucketize:opset3", "with_right_bound=false output_type=i32", "i32:6", x, bounds);
        Out sorted = net.floats("2,3", 1, 2, 2, 4, 5, 6);
        Out values = net.floats("2,2", 2, 0, 9, 5);
        Out first = net.add("SearchSorted:opset15", "", "i64:2,2", sorted, values);
        Out behind = net.add("SearchSorted:opset15", "right_mode=true", "i64:2,2", sorted, values);
        var results = net.results(right, left, first, behind)
                .runAll(folder, IrNet.of(new float[] {0, 1, 3, 4, 9, Float.NaN}, 6));
        assertClose(results.get(0), 0, 0, 1, 3, 4, 0);
        assertClose(results.get(1), 0, 1, 3, 3, 4, 4);
        assertClose(results.get(2), 1, 0, 3, 1);
        assertClose(results.get(3), 3, 0, 3, 2);
    }

    @Test
    void elementsThatAreReduced() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "4");
        Out places = net.longs("3,1", 1, 1, 3);
        Out updates = net.floats("3", 2, 5, 7);
        Out less = net.add("ScatterNDUpdate:opset15", "reduction=sub", "f32:4", x, places, updates);
        Out product = net.add("ScatterNDUpdate:opset15", "reduction=prod", "f32:4", x, places, updates);
        Out most = net.add(
                "ScatterElementsUpdate:opset12",
                "reduction=max use_init_val=true",
                "f32:4",
                x,
                net.longs(1, 1, 3),
                updates,
                net.whole(0));
        var results = net.results(less, product, most).runAll(folder, IrNet.of(new float[] {1, 2, 3, 4}, 4));
        assertClose(results.get(0), 1, -5, 3, -3);
        assertClose(results.get(1), 1, 20, 3, 28);
        assertClose(results.get(2), 1, 5, 3, 7);
    }

    @Test
    void reductionsThatLeaveOutWhatWasThereAreRefused() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "4");
        Out y = net.add(
                "ScatterElementsUpdate:opset12",
                "reduction=sum use_init_val=false",
                "f32:4",
                x,
                net.longs(1, 3),
                net.floats("2", 1, 2),
                net.whole(0));
        net.results(y).refused(folder, "use_init_val");
    }
}
