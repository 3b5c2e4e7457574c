package org.clinfer.cpu;

import java.util.Arrays;
import org.clinfer.graph.Parameters;

/**
 * How one axis is resampled: every output coordinate is a weighted sum of input coordinates (ONNX Resize).
 *
 * @param taps input coordinates by output coordinate, clamped to the input
 * @param weights their weights
 * @param outside output coordinates that take the extrapolation value
 */
@SuppressWarnings("ArrayRecordComponent")
record ResizeAxis(int in, int[][] taps, double[][] weights, boolean[] outside) {

    /** What the resampling of one axis depends on besides the operator's own parameters. */
    record Extent(int in, int out, double scale, double roiBegin, double roiEnd) {}

    /** The mode of one axis: {@code simple} goes up where the axis shrinks, else down. */
    private static String nearestMode(String mode, double scale) {
        return mode.equals("simple") ? (scale < 1 ? "ceil" : "floor") : mode;
    }

    static ResizeAxis of(Extent extent, Parameters parameters) {
        Rule rule = new Rule(
                parameters.text("mode"),
                parameters.text("coordinate_mode"),
                nearestMode(parameters.text("nearest_mode"), extent.scale),
                parameters.flag("antialias") ? Math.min(extent.scale, 1) : 1,
                parameters.real("cubic_coeff_a"),
                parameters.flag("exclude_outside"));
        ResizeAxis axis =
                new ResizeAxis(extent.in, new int[extent.out][], new double[extent.out][], new boolean[extent.out]);
        for (int o = 0; o < extent.out; o++) {
            double x = rule.coordinate(o, extent);
            axis.outside[o] = rule.coordinates.equals("tf_crop_and_resize") && (x < 0 || x > extent.in - 1);
            rule.fill(axis, o, x);
        }
        return axis;
    }

    boolean isIdentity() {
        if (in != taps.length) {
            return false;
        }
        for (int o = 0; o < taps.length; o++) {
            if (taps[o].length != 1 || taps[o][0] != o || outside[o]) {
                return false;
            }
        }
        return true;
    }

    /** The parameters of the operator; {@code filterScale} below 1 widens the filter. */
    private record Rule(
            String mode,
            String coordinates,
            String nearest,
            double filterScale,
            double cubicA,
            boolean excludeOutside) {

        /** The input coordinate of an output coordinate. */
        double coordinate(int o, Extent e) {
            double length = e.scale * e.in;
            boolean single = Math.abs(length - 1) < 1e-9;
            return switch (coordinates) {
                case "asymmetric" -> o / e.scale;
                case "align_corners" -> single ? 0 : o * (e.in - 1) / (length - 1);
                case "tf_crop_and_resize" -> {
                    double span = (e.roiEnd - e.roiBegin) * (e.in - 1);
                    yield e.roiBegin * (e.in - 1) + (e.out == 1 ? span / 2 : o * span / (e.out - 1));
                }
                case "pytorch_half_pixel" -> e.out == 1 ? 0 : (o + 0.5) / e.scale - 0.5;
                case "half_pixel_symmetric" -> e.in / 2.0 * (1 - e.out / length) + (o + 0.5) / e.scale - 0.5;
                case "tf_half_pixel_for_nn" -> (o + 0.5) / e.scale;
                case "half_pixel" -> (o + 0.5) / e.scale - 0.5;
                default -> throw new IllegalArgumentException("coordinate_mode " + coordinates + " is not known");
            };
        }

        void fill(ResizeAxis axis, int o, double x) {
            int floor = (int) Math.floor(x);
            double ratio = x - floor;
            if (mode.equals("nearest")) {
                axis.taps[o] = new int[] {clamp(floor + nearestStep(ratio), axis.in)};
                axis.weights[o] = new double[] {1};
                return;
            }
            int reach = mode.equals("cubic") ? 2 : 1;
            int start = (int) Math.floor(-reach / filterScale) + 1;
            int count = 2 - 2 * start;
            int[] taps = new int[count];
            double[] weights = new double[count];
            for (int i = 0; i < count; i++) {
                int at = floor + start + i;
                double distance = Math.abs((start + i - ratio) * filterScale);
                boolean left = excludeOutside && (at < 0 || at >= axis.in);
                weights[i] = left ? 0 : reach == 1 ? Math.max(0, 1 - distance) : cubic(distance);
                taps[i] = clamp(at, axis.in);
            }
            double sum = Arrays.stream(weights).sum();
            for (int i = 0; i < count; i++) {
                weights[i] /= sum;
            }
            reduce(axis, o, taps, weights);
        }

        /** Keeps one tap where it has all the weight, so that neighbours of no weight cannot bring in NaN. */
        private static void reduce(ResizeAxis axis, int o, int[] taps, double[] weights) {
            int kept = 0;
            int[] keptTaps = new int[taps.length];
            double[] keptWeights = new double[taps.length];
            for (int i = 0; i < taps.length; i++) {
                if (weights[i] != 0) {
                    keptTaps[kept] = taps[i];
                    keptWeights[kept++] = weights[i];
                }
            }
            axis.taps[o] = Arrays.copyOf(keptTaps, kept);
            axis.weights[o] = Arrays.copyOf(keptWeights, kept);
        }

        private int nearestStep(double ratio) {
            return switch (nearest) {
                case "floor" -> 0;
                case "ceil" -> ratio > 0 ? 1 : 0;
                case "round_prefer_ceil" -> ratio >= 0.5 ? 1 : 0;
                case "round_prefer_floor" -> ratio > 0.5 ? 1 : 0;
                default -> throw new IllegalArgumentException("nearest_mode " + nearest + " is not known");
            };
        }

        private double cubic(double x) {
            if (x <= 1) {
                return ((cubicA + 2) * x - (cubicA + 3)) * x * x + 1;
            }
            return x < 2 ? ((cubicA * x - 5 * cubicA) * x + 8 * cubicA) * x - 4 * cubicA : 0;
        }

        private static int clamp(int at, int size) {
            return Math.max(0, Math.min(size - 1, at));
        }
    }
}
