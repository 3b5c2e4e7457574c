package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Regions, deformable convolutions and texts against OpenVINO's reference, whose loops are written out here. */
class OpenVinoRegionLayersTest {

    private static final int HEIGHT = 6;
    private static final int WIDTH = 7;

    @TempDir
    Path folder;

    private static void assertClose(Tensor actual, double... expected) {
        assertThat(actual.toDoubleArray()).containsExactly(expected, within(2e-4));
    }

    @Test
    void windowsOfTheirOwnChannels() throws IOException {
        float[] regions = {0, 1.6f, 2.4f, 9.5f, 8.2f, 1, 0, 0, 13, 11};
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,8," + HEIGHT + "," + WIDTH);
        String attributes =
                "output_dim=2 group_size=2 spatial_scale=0.5 mode=average spatial_bins_x=1 spatial_bins_y=1";
        Out y = net.add("PSROIPooling", attributes, "f32:2,2,2,2", x, net.floats("2,5", regions));
        Tensor given = IrNet.random(1, 2, 8, HEIGHT, WIDTH);
        double[] wanted = new double[16];
        for (int i = 0; i < 16; i++) {
            int box = i / 8 * 5;
            double left = Math.round(regions[box + 1]) * 0.5;
            double top = Math.round(regions[box + 2]) * 0.5;
            double width = ((Math.round(regions[box + 3]) + 1) * 0.5 - left) / 2;
            double height = ((Math.round(regions[box + 4]) + 1) * 0.5 - top) / 2;
            int row = i / 2 % 2;
            int column = i % 2;
            int firstRow = (int) Math.min(Math.floor(top + row * height), HEIGHT - 1);
            int lastRow = (int) Math.min(Math.ceil(top + (row + 1) * height), HEIGHT);
            int firstColumn = (int) Math.min(Math.floor(left + column * width), WIDTH - 1);
            int lastColumn = (int) Math.min(Math.ceil(left + (column + 1) * width), WIDTH);
            for (int h = firstRow; h < lastRow; h++) {
                for (int w = firstColumn; w < lastColumn; w++) {
                    int place = ((((int) regions[box]) * 8 + i % 8) * HEIGHT + h) * WIDTH + w;
                    wanted[i] += given.getDouble(place) / ((lastRow - firstRow) * (lastColumn - firstColumn));
                }
            }
        }
        assertClose(net.results(y).run(folder, given), wanted);
        IrNet uneven = new IrNet();
        Out channels = uneven.parameter("f32", "1,9,4,4");
        Out z = uneven.add("PSROIPooling", attributes, "f32:2,2,2,2", channels, uneven.floats("2,5", regions));
        uneven.results(z).refused(folder, "it has 9 channels, not those of output_dim=2 and group_size=2");
    }

    private record Box(List<Double> corners, double score) {

        private double area() {
            return (corners.get(2) - corners.get(0) + 1) * (corners.get(3) - corners.get(1) + 1);
        }

        double overlap(Box other) {
            double width =
                    Math.min(corners.get(2), other.corners.get(2)) - Math.max(corners.get(0), other.corners.get(0)) + 1;
            double height =
                    Math.min(corners.get(3), other.corners.get(3)) - Math.max(corners.get(1), other.corners.get(1)) + 1;
            double common = Math.max(width, 0) * Math.max(height, 0);
            return common / (area() + other.area() - common);
        }
    }

    private static List<Box> boxes(Tensor scores, Tensor deltas, int image, double[] scales) {
        double[] ratios = {0.5, 2};
        double[] enlarged = {2, 4};
        int places = 12;
        List<Box> boxes = new ArrayList<>();
        for (int i = 0; i < places; i++) {
            for (int anchor = 0; anchor < 4; anchor++) {
                int row = i / 4;
                double width = Math.floor(Math.sqrt(64 / ratios[anchor / 2]) + 0.5);
                double height = Math.floor(width * ratios[anchor / 2] + 0.5) * enlarged[anchor % 2];
                width *= enlarged[anchor % 2];
                long delta = (image * 16L + 4L * anchor) * places + i;
                double left = i % 4 * 16 + 3.5 - (width - 1) / 2;
                double top = row * 16 + 3.5 - (height - 1) / 2;
                double x = left + 0.5 * width + deltas.getDouble(delta) / scales[0] * width;
                double y = top + 0.5 * height + deltas.getDouble(delta + places) / scales[0] * height;
                double halfWidth = Math.exp(deltas.getDouble(delta + 2L * places) / scales[1]) * width / 2;
                double halfHeight = Math.exp(deltas.getDouble(delta + 3L * places) / scales[1]) * height / 2;
                double[] corners = {x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight};
                for (int side = 0; side < 4; side++) {
                    corners[side] = Math.max(0, Math.min(corners[side], side % 2 == 0 ? 63 : 47));
                }
                if (Math.min(corners[2] - corners[0], corners[3] - corners[1]) + 1 >= 4 * 1.5) {
                    boxes.add(new Box(
                            Arrays.stream(corners).boxed().toList(),
                            scores.getDouble((image * 8L + 4 + anchor) * places + i)));
                }
            }
        }
        boxes.sort(Comparator.comparingDouble((Box box) -> -box.score()));
        return boxes;
    }

    @ParameterizedTest
    @CsvSource({"false,1,1,1", "true,10,5,4"})
    void proposals(boolean normalized, double placeScale, double sizeScale, int opset) throws IOException {
        IrNet net = new IrNet();
        Out scores = net.parameter("f32", "2,8,3,4");
        Out deltas = net.parameter("f32", "2,16,3,4");
        String attributes = "base_size=8 pre_nms_topn=30 post_nms_topn=6 nms_thresh=0.5 feat_stride=16 min_size=4"
                + " ratio=0.5,2 scale=2,4 framework= normalize=" + normalized + " clip_before_nms=true"
                + " box_coordinate_scale=" + placeScale + " box_size_scale=" + sizeScale;
        String[] outputs = opset == 4 ? new String[] {"f32:12,5", "f32:12"} : new String[] {"f32:12,5"};
        List<Out> found = net.layer(
                "Proposal:opset" + opset, attributes, List.of(scores, deltas, net.floats("3", 48, 64, 1.5f)), outputs);
        float[] chances = new float[2 * 8 * 12];
        Random random = new Random(4);
        for (int i = 0; i < chances.length; i++) {
            chances[i] = random.nextFloat();
        }
        Tensor given = Tensor.of(chances, 2, 8, 3, 4);
        Tensor moves = IrNet.random(2, 2, 16, 3, 4);
        List<Tensor> results = net.results(found.toArray(Out[]::new)).runAll(folder, given, moves);
        List<Double> rows = new ArrayList<>();
        List<Double> best = new ArrayList<>();
        for (int image = 0; image < 2; image++) {
            List<Box> all = boxes(given, moves, image, new double[] {placeScale, sizeScale});
            List<Box> kept = new ArrayList<>();
            for (Box box : all.subList(0, Math.min(30, all.size()))) {
                if (kept.size() < 6 && kept.stream().noneMatch(better -> better.overlap(box) > 0.5)) {
                    kept.add(box);
                }
            }
            assertThat(kept).hasSize(6);
            for (Box box : kept) {
                rows.add((double) image);
                for (int side = 0; side < 4; side++) {
                    rows.add(box.corners().get(side) / (normalized ? side % 2 == 0 ? 64 : 48 : 1));
                }
                best.add(box.score());
            }
        }
        assertClose(
                results.get(0), rows.stream().mapToDouble(Double::doubleValue).toArray());
        if (opset == 4) {
            assertThat(results.get(1).shape()).hasToString("12");
            assertClose(
                    results.get(1),
                    best.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    private static double between(Tensor x, int channel, double row, double column) {
        int top = (int) Math.floor(row);
        int left = (int) Math.floor(column);
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            int h = top + i / 2;
            int w = left + i % 2;
            if (h >= 0 && w >= 0 && h < HEIGHT && w < WIDTH) {
                sum += (1 - Math.abs(row - h))
                        * (1 - Math.abs(column - w))
                        * x.getDouble((channel * HEIGHT + h) * (long) WIDTH + w);
            }
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"true,1,2", "false,2,1"})
    void deformableConvolution(boolean masked, int groups, int offsetGroups) throws IOException {
        int rows = 5;
        int columns = 4;
        int places = rows * columns;
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,4," + HEIGHT + "," + WIDTH);
        Out offsets = net.parameter("f32", "1," + 8 * offsetGroups + "," + rows + "," + columns);
        Out mask = net.parameter("f32", "1," + 4 * offsetGroups + "," + rows + "," + columns);
        Tensor filters = IrNet.random(5, 2, 4 / groups, 2, 2);
        Out weights = net.floats("2," + 4 / groups + ",2,2", filters.toFloatArray());
        String attributes = "strides=1,2 pads_begin=1,0 pads_end=0,1 dilations=2,1 group=" + groups
                + " deformable_group=" + offsetGroups + " auto_pad=explicit bilinear_interpolation_pad=true";
        String type = "f32:1,2," + rows + "," + columns;
        Out y = masked
                ? net.add("DeformableConvolution:opset8", attributes, type, x, offsets, weights, mask)
                : net.add("DeformableConvolution:opset8", attributes, type, x, offsets, weights);
        Out unused = net.add("Sigmoid", "", "f32:1," + 4 * offsetGroups + "," + rows + "," + columns, mask);
        Tensor given = IrNet.random(1, 1, 4, HEIGHT, WIDTH);
        Tensor moves = IrNet.random(2, 1, 8L * offsetGroups, rows, columns);
        Tensor factors = IrNet.random(3, 1, 4L * offsetGroups, rows, columns);
        double[] wanted = new double[2 * places];
        for (int i = 0; i < wanted.length; i++) {
            int place = i % places;
            int output = i / places;
            for (int tap = 0; tap < 4; tap++) {
                for (int c = 0; c < 4 / groups; c++) {
                    int channel = (groups == 2 ? output * 2 : 0) + c;
                    int group = channel / (4 / offsetGroups);
                    long at = (group * 8L + 2L * tap) * places + place;
                    int line = place / columns - 1 + tap / 2 * 2;
                    double row = line + moves.getDouble(at);
                    double column = place % columns * 2 + tap % 2 + moves.getDouble(at + places);
                    double factor = masked ? factors.getDouble((group * 4 + tap) * (long) places + place) : 1;
                    wanted[i] += factor
                            * filters.getDouble((output * 4L / groups + c) * 4 + tap)
                            * between(given, channel, row, column);
                }
            }
        }
        assertClose(net.results(y, unused).runAll(folder, given, moves, factors).get(0), wanted);
        IrNet sharp = new IrNet();
        Out z = sharp.add(
                "DeformableConvolution",
                attributes.replace(" bilinear_interpolation_pad=true", ""),
                type,
                sharp.parameter("f32", "1,4," + HEIGHT + "," + WIDTH),
                sharp.parameter("f32", "1," + 8 * offsetGroups + "," + rows + "," + columns),
                sharp.floats("2," + 4 / groups + ",2,2", filters.toFloatArray()));
        sharp.results(z).refused(folder, "a picture that ends sharply (bilinear_interpolation_pad=false)");
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void classesOfSteps(boolean merged) throws IOException {
        int steps = 9;
        int classes = 3;
        float[][] masks = {{1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 0, 1, 1}, {0, 1, 1, 1, 1, 1, 1, 1, 1}};
        int[][] best = {{0, 0, 2, 0, 1, 1, 2, 2, 1}, {2, 1, 1, 1, 2, 0, 0, 1, 1}, {0, 1, 0, 1, 0, 1, 0, 1, 0}};
        float[] x = new float[steps * 3 * classes];
        float[] mask = new float[steps * 3];
        double[] wanted = new double[3 * steps];
        for (int n = 0; n < 3; n++) {
            int out = n * steps;
            int before = -1;
            boolean on = true;
            Arrays.fill(wanted, out, out + steps, -1);
            for (int t = 0; t < steps; t++) {
                mask[t * 3 + n] = masks[n][t];
                x[(t * 3 + n) * classes + best[n][t]] = 1;
                on &= masks[n][t] != 0;
                if (on && !(merged && before == best[n][t]) && best[n][t] < classes - 1) {
                    wanted[out++] = best[n][t];
                }
                before = best[n][t];
            }
        }
        IrNet net = new IrNet();
        Out y = net.add(
                "CTCGreedyDecoder",
                "ctc_merge_repeated=" + merged,
                "f32:3,9,1,1",
                net.parameter("f32", "9,3,3"),
                net.parameter("f32", "9,3"));
        Tensor found = net.results(y).run(folder, Tensor.of(x, steps, 3, classes), Tensor.of(mask, steps, 3));
        assertThat(found.shape()).hasToString("3x9x1x1");
        assertClose(found, wanted);
        IrNet longer = new IrNet();
        Out z = longer.add(
                "CTCGreedyDecoder",
                "",
                "f32:1,5000,1,1",
                longer.parameter("f32", "5000,1,3"),
                longer.parameter("f32", "5000,1"));
        longer.results(z).refused(folder, "5000 steps of 3 classes");
    }
}
