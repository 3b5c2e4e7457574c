package org.clinfer.conformance;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/** Operators that read between elements, at places that tensors give. */
final class SamplingReferences {

    private SamplingReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "GridSample", Reference.single(SamplingReferences::gridSample),
                "RoiAlign", Reference.single(SamplingReferences::roiAlign),
                "DeformConv", Reference.single(SamplingReferences::deformConv));
    }

    /** Mirrored at a and b until it is between them, one mirror at a time. */
    private static double mirrored(double x, double a, double b) {
        double inside = x;
        while (a < b && (inside < a || inside > b)) {
            inside = inside < a ? 2 * a - inside : 2 * b - inside;
        }
        return a < b ? inside : a;
    }

    private static Array gridSample(Call call) {
        Array x = call.input(0);
        Array grid = call.input(1);
        int axes = x.rank() - 2;
        boolean corners = call.flag("align_corners", false);
        String mode = call.text("mode", "linear");
        String padding = call.text("padding_mode", "zeros");
        long[] dims = Indices.join(x.dim(0), x.dim(1), Arrays.copyOfRange(grid.dims(), 1, axes + 1));
        return Array.of(dims, out -> {
            double[] at = new double[axes];
            for (int axis = 0; axis < axes; axis++) {
                long[] place = Arrays.copyOf(out, axes + 2);
                System.arraycopy(out, 2, place, 1, axes);
                place[axes + 1] = axes - 1L - axis;
                double size = x.dim(axis + 2);
                double v = grid.at(place);
                at[axis] = corners ? (v + 1) / 2 * (size - 1) : ((v + 1) * size - 1) / 2;
                at[axis] = mode.equals("nearest") ? Math.rint(at[axis]) : at[axis];
                double low = corners ? 0 : -0.5;
                // in PyTorch, ONNX Runtime and OpenVINO; ONNX's reference implementation moves places of a cubic curve,
                // too
                boolean isMoved = !mode.equals("cubic") && (at[axis] < low || at[axis] > size - 1 - low);
                if (isMoved) {
                    at[axis] = padding.equals("border")
                            ? Math.max(0, Math.min(size - 1, at[axis]))
                            : padding.equals("reflection") ? mirrored(at[axis], low, size - 1 - low) : at[axis];
                }
            }
            return interpolated(x, out, at, new long[0], mode, padding, corners);
        });
    }

    /** The weighted sum over one axis after another; {@code chosen} are the elements along those before. */
    private static double interpolated(
            Array x, long[] out, double[] at, long[] chosen, String mode, String padding, boolean corners) {
        int axis = chosen.length;
        if (axis == at.length) {
            return x.at(Indices.join(out[0], out[1], chosen));
        }
        double size = x.dim(axis + 2);
        double sum = 0;
        for (double k = Math.floor(at[axis]) - 1; k <= Math.floor(at[axis]) + 2; k++) {
            double weight = weight(Math.abs(at[axis] - k), mode);
            double place = k;
            if (k < 0 || k > size - 1) {
                double low = corners ? 0 : -0.5;
                place = padding.equals("border")
                        ? Math.max(0, Math.min(size - 1, k))
                        : padding.equals("reflection") ? mirrored(k, low, size - 1 - low) : -1;
            }
            if (weight != 0 && place >= 0) {
                sum += weight
                        * interpolated(
                                x, out, at, Indices.inserted(chosen, axis, (long) place), mode, padding, corners);
            }
        }
        return sum;
    }

    private static double weight(double distance, String mode) {
        double a = -0.75;
        double d = distance;
        return switch (mode) {
            case "nearest" -> d == 0 ? 1 : 0;
            case "linear" -> Math.max(0, 1 - d);
            default ->
                d <= 1
                        ? (a + 2) * d * d * d - (a + 3) * d * d + 1
                        : d < 2 ? a * d * d * d - 5 * a * d * d + 8 * a * d - 4 * a : 0;
        };
    }

    private static Array roiAlign(Call call) {
        Array x = call.input(0);
        Array rois = call.input(1);
        boolean half = call.text("coordinate_transformation_mode", "half_pixel").equals("half_pixel");
        boolean largest = call.text("mode", "avg").equals("max");
        double scale = call.real("spatial_scale", 1);
        long[] windows = {call.integer("output_height", 1), call.integer("output_width", 1)};
        long ratio = call.integer("sampling_ratio", 0);
        return Array.of(new long[] {rois.dim(0), x.dim(1), windows[0], windows[1]}, out -> {
            double[] start = new double[2];
            double[] bin = new double[2];
            int[] samples = new int[2];
            for (int axis = 0; axis < 2; axis++) {
                start[axis] = rois.at(out[0], 1 - axis) * scale - (half ? 0.5 : 0);
                double length = rois.at(out[0], 3 - axis) * scale - (half ? 0.5 : 0) - start[axis];
                bin[axis] = (half ? length : Math.max(length, 1)) / windows[axis];
                samples[axis] = (int) (ratio > 0 ? ratio : Math.ceil(bin[axis]));
            }
            double sum = 0;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < samples[0]; i++) {
                for (int j = 0; j < samples[1]; j++) {
                    double row = start[0] + (out[2] + (i + 0.5) / samples[0]) * bin[0];
                    double column = start[1] + (out[3] + (j + 0.5) / samples[1]) * bin[1];
                    double[] four = four(x, (long) call.input(2).at(out[0]), out[1], row, column);
                    sum += Arrays.stream(four).sum();
                    most = Math.max(most, Arrays.stream(four).max().orElseThrow());
                }
            }
            int count = Math.max(samples[0], 0) * Math.max(samples[1], 0);
            return count == 0 ? 0 : largest ? most : sum / count;
        });
    }

    /** The four pixels around a place times their weights; zeros more than a pixel outside. */
    private static double[] four(Array x, long image, long channel, double row, double column) {
        double height = x.dim(2);
        double width = x.dim(3);
        if (row < -1 || row > height || column < -1 || column > width) {
            return new double[4];
        }
        double y = Math.min(Math.max(row, 0), height - 1);
        double w = Math.min(Math.max(column, 0), width - 1);
        return IntStream.range(0, 4)
                .mapToDouble(i -> {
                    int below = i / 2;
                    int right = i % 2;
                    double top = Math.floor(y) + below;
                    double left = Math.floor(w) + right;
                    double weight = (1 - Math.abs(y - top)) * (1 - Math.abs(w - left));
                    return weight == 0 ? 0 : weight * x.at(image, channel, (long) top, (long) left);
                })
                .toArray();
    }

    private static Array deformConv(Call call) {
        Array x = call.input(0);
        Array weights = call.input(1);
        Array offset = call.input(2);
        long group = call.integer("group", 1);
        long offsetGroups = call.integer("offset_group", 1);
        long[] strides = call.ints("strides", 1, 1);
        long[] dilations = call.ints("dilations", 1, 1);
        long[] pads = call.ints("pads", 0, 0, 0, 0);
        long kernelWidth = weights.dim(3);
        long taps = weights.dim(2) * kernelWidth;
        long[] dims = {x.dim(0), weights.dim(0), offset.dim(2), offset.dim(3)};
        return Array.of(dims, out -> {
            double sum = call.hasInput(3) ? call.input(3).at(out[1]) : 0;
            for (long c = 0; c < weights.dim(1); c++) {
                long channel = out[1] / (weights.dim(0) / group) * weights.dim(1) + c;
                long own = channel / (x.dim(1) / offsetGroups);
                for (long tap = 0; tap < taps; tap++) {
                    long i = tap / kernelWidth;
                    long j = tap % kernelWidth;
                    long at = (own * taps + tap) * 2;
                    double row =
                            out[2] * strides[0] - pads[0] + i * dilations[0] + offset.at(out[0], at, out[2], out[3]);
                    double column = out[3] * strides[1]
                            - pads[1]
                            + j * dilations[1]
                            + offset.at(out[0], at + 1, out[2], out[3]);
                    double mask = call.hasInput(4) ? call.input(4).at(out[0], own * taps + tap, out[2], out[3]) : 1;
                    sum += weights.at(out[1], c, i, j) * mask * between(x, out[0], channel, row, column);
                }
            }
            return sum;
        });
    }

    /** Interpolated between pixels, of which there are zeros around the picture. */
    private static double between(Array x, long image, long channel, double row, double column) {
        double sum = 0;
        for (long h = 0; h < x.dim(2); h++) {
            for (long w = 0; w < x.dim(3); w++) {
                double weight = Math.max(0, 1 - Math.abs(row - h)) * Math.max(0, 1 - Math.abs(column - w));
                sum += weight * x.at(image, channel, h, w);
            }
        }
        return sum;
    }
}
