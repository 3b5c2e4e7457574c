package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.ncnn.NcnnNet.random;
import static org.clinfer.importer.ncnn.NcnnNet.same;
import static org.clinfer.importer.ncnn.NcnnNet.unsupported;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Elements between others, and columns of windows, against ncnn's loops written out here. */
class NcnnSamplingLayersTest {

    private static final int CHANNELS = 2;
    private static final int HEIGHT = 4;
    private static final int WIDTH = 5;

    @TempDir
    Path folder;

    /** The coordinate along an axis at which ncnn looks. */
    private static double place(double at, int size, int padding, boolean aligned) {
        return mirrored(aligned ? (at + 1) / 2 * (size - 1) : ((at + 1) * size - 1) / 2, size, padding, aligned);
    }

    private static double mirrored(double place, int size, int padding, boolean aligned) {
        double found = place;
        if (padding == 3) {
            double high = aligned ? size - 1 : size;
            double shift = aligned ? 0 : 0.5;
            found = high - Math.abs(Math.abs(place + shift) - high) - shift;
        }
        boolean clamped = padding == 2 || (padding == 3 && !aligned);
        return clamped ? Math.min(size - 1, Math.max(found, 0)) : found;
    }

    private static double pixel(float[] x, int channel, double row, double column) {
        boolean inside = row >= 0 && column >= 0 && row < HEIGHT && column < WIDTH;
        return inside ? x[(channel * HEIGHT + (int) row) * WIDTH + (int) column] : 0;
    }

    private static double sampled(float[] x, int channel, double atRow, double atColumn, int[] mode) {
        boolean aligned = mode[2] == 1;
        double row = place(atRow, HEIGHT, mode[1], aligned);
        double column = place(atColumn, WIDTH, mode[1], aligned);
        if (mode[0] == 2) {
            return pixel(x, channel, Math.floor(row + 0.5), Math.floor(column + 0.5));
        }
        if (mode[0] == 1) {
            double top = Math.floor(row);
            double left = Math.floor(column);
            double down = row - top;
            double across = column - left;
            return pixel(x, channel, top, left) * (1 - down) * (1 - across)
                    + pixel(x, channel, top, left + 1) * (1 - down) * across
                    + pixel(x, channel, top + 1, left) * down * (1 - across)
                    + pixel(x, channel, top + 1, left + 1) * down * across;
        }
        double rawRow = place(atRow, HEIGHT, 1, aligned);
        double rawColumn = place(atColumn, WIDTH, 1, aligned);
        double sum = 0;
        for (int i = -1; i < 3; i++) {
            for (int j = -1; j < 3; j++) {
                double r = Math.floor(rawRow) + i;
                double c = Math.floor(rawColumn) + j;
                sum += cubic(rawRow - r)
                        * cubic(rawColumn - c)
                        * pixel(
                                x,
                                channel,
                                mirrored(r, HEIGHT, mode[1], aligned),
                                mirrored(c, WIDTH, mode[1], aligned));
            }
        }
        return sum;
    }

    private static double cubic(double distance) {
        double a = -0.75;
        double x = Math.abs(distance);
        return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    }

    /** Places from -4 to 4, and some halfway between pixels. */
    @ParameterizedTest
    @CsvSource({
        "1,1,0,0", "1,1,1,0", "1,2,0,0", "1,2,1,1", "1,3,0,0", "1,3,1,1", "2,1,0,0", "2,1,1,0", "2,2,0,1", "2,2,1,0",
        "2,3,0,0", "2,3,1,0", "3,1,0,0", "3,1,1,1", "3,2,0,0", "3,2,1,0"
    })
    void gridSample(int type, int padding, int aligned, int permuted) throws IOException {
        int rows = 6;
        int columns = 7;
        float[] x = random(1, CHANNELS * HEIGHT * WIDTH);
        float[] places = random(2, rows * columns * 2);
        for (int i = 0; i < places.length; i++) {
            places[i] *= 2; // so that some would be mirrored twice
        }
        for (int i = 0; i < 16; i++) {
            // edges between two pixels, where edges are at -1 and 1
            places[i] = i % 2 == 0 ? 1 - i % 4 : -1 + 0.125f * (i - i % 2);
        }
        float[] grid = new float[places.length];
        for (int i = 0; i < rows * columns; i++) {
            for (int axis = 0; axis < 2; axis++) {
                grid[permuted == 1 ? axis * rows * columns + i : 2 * i + axis] = places[2 * i + axis];
            }
        }
        long[] dims = permuted == 1 ? new long[] {1, 2, rows, columns} : new long[] {1, rows, columns, 2};
        NcnnNet net = NcnnNet.of(WIDTH, HEIGHT, CHANNELS)
                .line("Input g 0 1 g 0=" + dims[3] + " 1=" + dims[2] + " 2=" + dims[1])
                .line("GridSample l 2 1 x g y 0=" + type + " 1=" + padding + " 2=" + aligned + " 3=" + permuted);
        Tensor y =
                net.output(folder, Map.of("x", Tensor.of(x, 1, CHANNELS, HEIGHT, WIDTH), "g", Tensor.of(grid, dims)));
        assertThat(y.shape()).hasToString("1x2x6x7");
        double[] wanted = new double[CHANNELS * rows * columns];
        for (int i = 0; i < wanted.length; i++) {
            int place = i % (rows * columns);
            int channel = i / (rows * columns);
            wanted[i] =
                    sampled(x, channel, places[2 * place + 1], places[2 * place], new int[] {type, padding, aligned});
        }
        same(y, wanted);
    }

    @Test
    void volumesAreSampledByThreeNumbers() throws IOException {
        float[] x = random(1, 2 * 3 * 4);
        NcnnNet net = new NcnnNet()
                .line("Input in 0 1 x 0=4 1=3 11=2 2=1")
                .line("Input g 0 1 g 0=3 1=2 11=1 2=1")
                .line("GridSample l 2 1 x g y 2=1");
        float[] grid = {-1, 1, -1, 1, -1, 1};
        Tensor y = net.output(folder, Map.of("x", Tensor.of(x, 1, 1, 2, 3, 4), "g", Tensor.of(grid, 1, 1, 1, 2, 3)));
        assertThat(y.shape()).hasToString("1x1x1x1x2");
        same(y, x[2 * 4], x[3 * 4 + 3]);
        unsupported(
                folder,
                new NcnnNet()
                        .line("Input in 0 1 x 0=4 1=3 11=2 2=1")
                        .line("Input g 0 1 g 0=3 1=2 11=1 2=1")
                        .line("GridSample l 2 1 x g y 0=3"),
                "blobs of 4 and 4 axes in mode 3");
    }

    private static double between(float[] x, int channel, double row, double column) {
        return row > -1 && column > -1 && row < HEIGHT && column < WIDTH
                ? pixel(x, channel, Math.floor(row), Math.floor(column))
                                * (Math.floor(row) + 1 - row)
                                * (Math.floor(column) + 1 - column)
                        + pixel(x, channel, Math.floor(row), Math.floor(column) + 1)
                                * (Math.floor(row) + 1 - row)
                                * (column - Math.floor(column))
                        + pixel(x, channel, Math.floor(row) + 1, Math.floor(column))
                                * (row - Math.floor(row))
                                * (Math.floor(column) + 1 - column)
                        + pixel(x, channel, Math.floor(row) + 1, Math.floor(column) + 1)
                                * (row - Math.floor(row))
                                * (column - Math.floor(column))
                : 0;
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void deformableConvolution(boolean masked) throws IOException {
        int outputs = 3;
        int rows = 3; // (4 + 1 + 2 - 2) / 2 + 1
        int columns = 4; // 5 + 1 + 1 - 2 * 2 - 1 + 2
        int taps = 2 * 3;
        float[] x = random(1, CHANNELS * HEIGHT * WIDTH);
        float[] offsets = random(2, 2 * taps * rows * columns);
        float[] mask = random(3, taps * rows * columns);
        float[] weights = random(4, outputs * CHANNELS * taps);
        float[] bias = random(5, outputs);
        NcnnNet net = NcnnNet.of(WIDTH, HEIGHT, CHANNELS)
                .line("Input o 0 1 o 0=" + columns + " 1=" + rows + " 2=" + 2 * taps)
                .line("Input m 0 1 m 0=" + columns + " 1=" + rows + " 2=" + taps)
                .line("DeformableConv2D l " + (masked ? "3 1 x o m" : "2 1 x o")
                        + " y 0=3 1=3 11=2 2=2 12=1 3=1 13=2 4=1 15=2 14=1 16=2 5=1 6=36 9=1")
                .line("Noop n 1 1 m z")
                .tagged(weights)
                .raw(bias);
        Tensor y = net.output(
                folder,
                Map.of(
                        "x", Tensor.of(x, 1, CHANNELS, HEIGHT, WIDTH),
                        "o", Tensor.of(offsets, 1, 2L * taps, rows, columns),
                        "m", Tensor.of(mask, 1, taps, rows, columns)));
        double[] wanted = new double[outputs * rows * columns];
        for (int i = 0; i < wanted.length; i++) {
            int place = i % (rows * columns);
            int output = i / (rows * columns);
            double sum = bias[output];
            for (int tap = 0; tap < taps; tap++) {
                int line = place / columns * 2 - 1 + tap / 3;
                double row = line + offsets[2 * tap * rows * columns + place];
                double column = place % columns - 1 + tap % 3 * 2 + offsets[(2 * tap + 1) * rows * columns + place];
                double factor = masked ? mask[tap * rows * columns + place] : 1;
                for (int channel = 0; channel < CHANNELS; channel++) {
                    sum += factor
                            * weights[(output * CHANNELS + channel) * taps + tap]
                            * between(x, channel, row, column);
                }
            }
            wanted[i] = Math.max(sum, 0);
        }
        same(y, wanted);
    }

    private static final String WINDOW = "1=2 11=3 2=2 12=1 3=2 13=1 4=1 15=2 14=0 16=1";

    /** An element of a column in the picture with its border, of 4 + 1 rows and 5 + 3 columns. */
    private static int[] source(int tap, int place) {
        return new int[] {place / 3 + tap / 2, place % 3 * 2 + tap % 2 * 2 - 1};
    }

    @Test
    void unfold() throws IOException {
        float[] x = random(1, CHANNELS * HEIGHT * WIDTH);
        Tensor y = NcnnNet.of(WIDTH, HEIGHT, CHANNELS)
                .layer("Unfold", WINDOW + " 18=7.5")
                .run(folder, x, 1, CHANNELS, HEIGHT, WIDTH);
        assertThat(y.shape()).hasToString("1x12x9");
        double[] wanted = new double[12 * 9];
        for (int i = 0; i < wanted.length; i++) {
            int channel = i / 9 / 6;
            int[] at = source(i / 9 % 6, i % 9);
            boolean inside = at[0] < HEIGHT && at[1] >= 0 && at[1] < WIDTH;
            wanted[i] = inside ? pixel(x, channel, at[0], at[1]) : 7.5;
        }
        same(y, wanted);
        unsupported(folder, NcnnNet.of(9, 9, 2).layer("Unfold", "1=2 4=-233"), "padding [-233, -233, -233, -233]");
        unsupported(folder, NcnnNet.of(9, 9, 2).layer("Unfold", "1=65 11=64"), "a window of more than 4096 elements");
    }

    @Test
    void fold() throws IOException {
        float[] x = random(1, 12 * 9);
        Tensor y = NcnnNet.of(9, 12).layer("Fold", WINDOW + " 20=5 21=4").run(folder, x, 1, 12, 9);
        assertThat(y.shape()).hasToString("1x2x4x5");
        double[] wanted = new double[CHANNELS * HEIGHT * WIDTH];
        for (int i = 0; i < x.length; i++) {
            int[] at = source(i / 9 % 6, i % 9);
            if (at[0] < HEIGHT && at[1] >= 0 && at[1] < WIDTH) {
                wanted[(i / 9 / 6 * HEIGHT + at[0]) * WIDTH + at[1]] += x[i];
            }
        }
        same(y, wanted);
    }
}
