package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.clinfer.importer.ncnn.NcnnNet.random;
import static org.clinfer.importer.ncnn.NcnnNet.same;
import static org.clinfer.importer.ncnn.NcnnNet.unsupported;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Regions against ncnn's loops written out here. */
class NcnnRegionLayersTest {

    private static final int HEIGHT = 7;
    private static final int WIDTH = 9;

    @TempDir
    Path folder;

    private Tensor windows(String type, int channels, float[] x, float[] region, String params) throws IOException {
        return NcnnNet.of(WIDTH, HEIGHT, channels)
                .line("Input r 0 1 r 0=4")
                .line(type + " l 2 1 x r y " + params)
                .output(folder, Map.of("x", Tensor.of(x, 1, channels, HEIGHT, WIDTH), "r", Tensor.of(region, 1, 4)));
    }

    private static int clamped(double value, int most) {
        return (int) Math.min(Math.max(value, 0), most);
    }

    @ParameterizedTest
    @CsvSource({"2.4,3.5,13.7,9.2", "-3,-2,5,30", "5,5,5,5", "40,40,50,50"})
    void regionsHaveMaxima(float left, float top, float right, float bottom) throws IOException {
        float[] x = random(1, 2 * HEIGHT * WIDTH);
        float[] region = {left, top, right, bottom};
        Tensor y = windows("ROIPooling", 2, x, region, "0=3 1=2 2=0.5");
        assertThat(y.shape()).hasToString("1x2x2x3");
        int[] edges = new int[4];
        for (int i = 0; i < 4; i++) {
            double scaled = region[i] * 0.5;
            edges[i] = (int) (scaled < 0 ? -Math.round(-scaled) : Math.round(scaled));
        }
        double width = Math.max(edges[2] - edges[0] + 1, 1) / 3.0;
        double height = Math.max(edges[3] - edges[1] + 1, 1) / 2.0;
        double[] wanted = new double[12];
        for (int i = 0; i < 12; i++) {
            int row = i / 3 % 2;
            int column = i % 3;
            int firstRow = clamped(edges[1] + Math.floor(row * height), HEIGHT);
            int lastRow = clamped(edges[1] + Math.ceil((row + 1) * height), HEIGHT);
            int firstColumn = clamped(edges[0] + Math.floor(column * width), WIDTH);
            int lastColumn = clamped(edges[0] + Math.ceil((column + 1) * width), WIDTH);
            double most = lastRow <= firstRow || lastColumn <= firstColumn ? 0 : -100;
            for (int h = firstRow; h < lastRow; h++) {
                for (int w = firstColumn; w < lastColumn; w++) {
                    most = Math.max(most, x[(i / 6 * HEIGHT + h) * WIDTH + w]);
                }
            }
            wanted[i] = most;
        }
        same(y, wanted);
    }

    @ParameterizedTest
    @CsvSource({"2.4,3.5,13.7,9.2", "-3,-2,5,30", "40,40,50,50"})
    void windowsOfTheirOwnChannelsHaveMeans(float left, float top, float right, float bottom) throws IOException {
        float[] x = random(1, 8 * HEIGHT * WIDTH);
        Tensor y = windows("PSROIPooling", 8, x, new float[] {left, top, right, bottom}, "0=2 1=2 2=0.5 3=2");
        assertThat(y.shape()).hasToString("1x2x2x2");
        double firstX = Math.round(left) * 0.5;
        double firstY = Math.round(top) * 0.5;
        double width = Math.max(Math.round(right + 1) * 0.5 - firstX, 0.1) / 2;
        double height = Math.max(Math.round(bottom + 1) * 0.5 - firstY, 0.1) / 2;
        double[] wanted = new double[8];
        for (int i = 0; i < 8; i++) {
            int row = i / 2 % 2;
            int column = i % 2;
            int firstRow = clamped(Math.floor(firstY + row * height), HEIGHT);
            int lastRow = clamped(Math.ceil(firstY + (row + 1) * height), HEIGHT);
            int firstColumn = clamped(Math.floor(firstX + column * width), WIDTH);
            int lastColumn = clamped(Math.ceil(firstX + (column + 1) * width), WIDTH);
            int area = (lastRow - firstRow) * (lastColumn - firstColumn);
            double sum = 0;
            for (int h = firstRow; h < lastRow; h++) {
                for (int w = firstColumn; w < lastColumn; w++) {
                    sum += x[(i * HEIGHT + h) * WIDTH + w];
                }
            }
            wanted[i] = area <= 0 ? 0 : sum / area;
        }
        same(y, wanted);
    }

    private static double between(float[] x, double row, double column) {
        if (row < -1 || row > HEIGHT || column < -1 || column > WIDTH) {
            return 0;
        }
        double y = Math.max(row, 0);
        double at = Math.max(column, 0);
        int top = (int) y;
        int left = (int) at;
        double down = top + 1 >= HEIGHT ? 0 : y - top;
        double across = left + 1 >= WIDTH ? 0 : at - left;
        int below = Math.min(top + 1, HEIGHT - 1);
        int beside = Math.min(left + 1, WIDTH - 1);
        return (1 - down) * ((1 - across) * x[top * WIDTH + left] + across * x[top * WIDTH + beside])
                + down * ((1 - across) * x[below * WIDTH + left] + across * x[below * WIDTH + beside]);
    }

    @ParameterizedTest
    @CsvSource({"1,0", "0,0", "1,3", "0,2"})
    void regionsAreSampled(int aligned, int samples) throws IOException {
        float[] x = random(1, HEIGHT * WIDTH);
        float[] region = {1.7f, -2.4f, 12.1f, 13.6f};
        Tensor y = windows("ROIAlign", 1, x, region, "0=3 1=2 2=0.5 3=" + samples + " 4=" + aligned + " 5=1");
        double shift = aligned * 0.5;
        double left = region[0] * 0.5 - shift;
        double top = region[1] * 0.5 - shift;
        double width = region[2] * 0.5 - shift - left;
        double height = region[3] * 0.5 - shift - top;
        int down = (int) (samples > 0 ? samples : Math.ceil(height / 2));
        int across = (int) (samples > 0 ? samples : Math.ceil(width / 3));
        double[] wanted = new double[6];
        for (int i = 0; i < 6; i++) {
            int line = i / 3;
            for (int row = 0; row < down; row++) {
                for (int column = 0; column < across; column++) {
                    wanted[i] += between(
                                    x,
                                    top + (line + (row + 0.5) / down) * height / 2,
                                    left + (i % 3 + (column + 0.5) / across) * width / 3)
                            / (down * across);
                }
            }
        }
        same(y, wanted);
    }

    private static int samples(int given, double extent) {
        return given > 0 ? given : (int) Math.ceil(extent);
    }

    /** Windows are cut where the picture ends, but samples stand as far apart as in a whole one. */
    @ParameterizedTest
    @CsvSource({
        "0,0,1.7,2.4,12.1,9.6",
        "1,0,-3.7,-2.4,9,13.6",
        "0,2,-3.7,1.4,14,9.6",
        "1,3,1,2,2,3",
        "0,0,30,2,34,12",
        "1,2,8,6,3,2"
    })
    void regionsAreSampledWithinThePicture(int aligned, int given, float left, float top, float right, float bottom)
            throws IOException {
        float[] x = random(1, HEIGHT * WIDTH);
        float[] region = {left, top, right, bottom};
        Tensor y = windows("ROIAlign", 1, x, region, "0=3 1=2 2=0.5 3=" + given + " 4=" + aligned);
        double shift = aligned * 0.5;
        double least = aligned == 1 ? Double.NEGATIVE_INFINITY : 1;
        double width = Math.max((right - left) * 0.5, least) / 3;
        double height = Math.max((bottom - top) * 0.5, least) / 2;
        double[] wanted = new double[6];
        for (int i = 0; i < 6; i++) {
            int line = i / 3;
            double above = Math.min(Math.max(top * 0.5 - shift + line * height, 0), HEIGHT);
            double below = Math.min(Math.max(top * 0.5 - shift + (line + 1) * height, 0), HEIGHT);
            double before = Math.min(Math.max(left * 0.5 - shift + i % 3 * width, 0), WIDTH);
            double behind = Math.min(Math.max(left * 0.5 - shift + (i % 3 + 1) * width, 0), WIDTH);
            int down = samples(given, below - above);
            int across = samples(given, behind - before);
            for (int sample = 0; sample < down * across && below > above && behind > before; sample++) {
                int sampled = sample / across;
                double row = Math.min(above + (sampled + 0.5) * height / down, HEIGHT - 1.0);
                double column = Math.min(before + (sample % across + 0.5) * width / across, WIDTH - 1.0);
                wanted[i] += between(x, row, column) / (down * across);
            }
        }
        same(y, wanted);
    }

    private record Box(List<Double> corners, double score) {

        private double area() {
            return (corners.get(2) - corners.get(0)) * (corners.get(3) - corners.get(1));
        }

        double overlap(Box other) {
            double width =
                    Math.min(corners.get(2), other.corners.get(2)) - Math.max(corners.get(0), other.corners.get(0));
            double height =
                    Math.min(corners.get(3), other.corners.get(3)) - Math.max(corners.get(1), other.corners.get(1));
            double common = width < 0 || height < 0 ? 0 : width * height;
            return common / (area() + other.area() - common);
        }
    }

    private static List<Box> boxes(float[] scores, float[] deltas, int rows, int columns, double[] info) {
        double[] ratios = {0.5, 1, 2};
        double[] scales = {8, 16, 32};
        int places = rows * columns;
        List<Box> boxes = new ArrayList<>();
        for (int q = 0; q < 9; q++) {
            double anchorWidth = Math.floor(4 / Math.sqrt(ratios[q / 3]) + 0.5);
            double anchorHeight = Math.floor(anchorWidth * ratios[q / 3] + 0.5) * scales[q % 3];
            anchorWidth *= scales[q % 3];
            for (int i = 0; i < places; i++) {
                int row = i / columns;
                double x = 2 + i % columns * 8 + anchorWidth * deltas[4 * q * places + i];
                double y = 2 + row * 8 + anchorHeight * deltas[(4 * q + 1) * places + i];
                double width = anchorWidth * Math.exp(deltas[(4 * q + 2) * places + i]) / 2;
                double height = anchorHeight * Math.exp(deltas[(4 * q + 3) * places + i]) / 2;
                double[] corners = {x - width, y - height, x + width, y + height};
                for (int side = 0; side < 4; side++) {
                    corners[side] = Math.max(Math.min(corners[side], info[side % 2 == 0 ? 1 : 0] - 1), 0);
                }
                double shorter = Math.min(corners[2] - corners[0], corners[3] - corners[1]) + 1;
                if (shorter >= 6 * info[2]) {
                    boxes.add(new Box(Arrays.stream(corners).boxed().toList(), scores[(9 + q) * places + i]));
                }
            }
        }
        boxes.sort(Comparator.comparingDouble((Box box) -> -box.score()));
        return boxes;
    }

    @ParameterizedTest
    @CsvSource({"40,10", "0,300", "1000,5"})
    void proposals(int looked, int kept) throws IOException {
        int rows = 3;
        int columns = 4;
        Random random = new Random(looked);
        float[] scores = new float[18 * rows * columns];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = random.nextFloat();
        }
        float[] deltas = random(looked + 1, 36 * rows * columns);
        for (int i = 0; i < deltas.length; i++) {
            deltas[i] *= 0.3f;
        }
        float[] info = {60, 80, 1.5f};
        Map<String, Tensor> outputs = NcnnNet.run(
                NcnnNet.of(columns, rows, 18)
                        .line("Input d 0 1 d 0=4 1=3 2=36")
                        .line("Input i 0 1 i 0=3")
                        .line("Proposal l 3 2 x d i y z 0=8 1=4 2=" + looked + " 3=" + kept + " 4=0.5 5=6")
                        .write(folder),
                Map.of(
                        "x", Tensor.of(scores, 1, 18, rows, columns),
                        "d", Tensor.of(deltas, 1, 36, rows, columns),
                        "i", Tensor.of(info, 1, 3)));
        List<Box> all = boxes(scores, deltas, rows, columns, new double[] {60, 80, 1.5});
        List<Box> wanted = new ArrayList<>();
        for (Box box : looked > 0 && looked < all.size() ? all.subList(0, looked) : all) {
            if (wanted.size() < kept && wanted.stream().noneMatch(better -> better.overlap(box) > 0.5)) {
                wanted.add(box);
            }
        }
        assertThat(all.size()).isLessThan(9 * rows * columns); // some are too small
        assertThat(wanted.size()).isGreaterThan(4);
        Tensor rois = Objects.requireNonNull(outputs.get("y"));
        assertThat(rois.shape().sizes()).containsExactly(1, wanted.size(), 1, 4);
        float[] found = rois.toFloatArray();
        for (int i = 0; i < found.length; i++) {
            assertThat((double) found[i]).isCloseTo(wanted.get(i / 4).corners().get(i % 4), within(1e-3));
        }
        same(
                Objects.requireNonNull(outputs.get("z")),
                wanted.stream().mapToDouble(Box::score).toArray());
    }

    @Test
    void usesThatAreRefused() throws IOException {
        NcnnNet align = NcnnNet.of(9, 7, 1).line("Input r 0 1 r 0=4").line("ROIAlign l 2 1 x r y 0=3 1=2 5=2");
        unsupported(folder, align, "expected 0 or 1, found 2");
        NcnnNet many = NcnnNet.of(9, 7, 1).line("Input r 0 1 r 0=4").line("ROIAlign l 2 1 x r y 0=3 1=2147483647");
        unsupported(folder, many, "2147483647 windows of 7 samples of 7 elements");
        NcnnNet uneven = NcnnNet.of(9, 7, 12).line("Input r 0 1 r 0=4").line("PSROIPooling l 2 1 x r y 0=3 1=2 3=2");
        unsupported(folder, uneven, "windows in 2 rows and 3 columns");
        NcnnNet few = NcnnNet.of(9, 7, 7).line("Input r 0 1 r 0=4").line("PSROIPooling l 2 1 x r y 0=2 1=2 3=2");
        unsupported(folder, few, "7 channels are not those of 2 outputs with 2 rows and columns of windows");
        NcnnNet proposal = NcnnNet.of(4, 3, 18)
                .line("Input d 0 1 d 0=4 1=3 2=35")
                .line("Input i 0 1 i 0=3")
                .line("Proposal l 3 1 x d i y");
        unsupported(folder, proposal, "deltas 1x36x3x4, but is given 1x18x3x4 and 1x35x3x4");
        NcnnNet large = NcnnNet.of(40000, 40000, 18)
                .line("Input d 0 1 d 0=40000 1=40000 2=36")
                .line("Input i 0 1 i 0=3")
                .line("Proposal l 3 1 x d i y");
        unsupported(folder, large, "it has 40000 x 40000 places, which are too many");
    }
}
