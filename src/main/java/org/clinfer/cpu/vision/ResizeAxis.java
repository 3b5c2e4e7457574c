package org.clinfer.cpu.vision;

import java.util.Arrays;
import org.clinfer.graph.Parameters;

/**
 * The resampling of one axis: every output coordinate is a weighted sum of input coordinates (ONNX Resize).
 *
 * @param taps input coordinates by output coordinate, clamped to the input
 * @param weights their weights
 * @param outside output coordinates that take the extrapolation value
 */
@SuppressWarnings("ArrayRecordComponent")
public record ResizeAxis(int in, int[][] taps, double[][] weights, boolean[] outside) {

    /** A coordinate this far outside of the axis still counts as its edge. */
    private static final double EDGE_ERROR = 1e-5;

    /** The extent of one axis, on which its resampling depends besides the operator's own parameters. */
    public record Extent(int in, int out, double scale, double roiBegin, double roiEnd) {}

    /** The mode of one axis: {@code simple} goes up where the axis shrinks, else down. */
    private static String nearestMode(String mode, double scale) {
        return mode.equals("simple") ? (scale < 1 ? "ceil" : "floor") : mode;
    }

    public static ResizeAxis of(Extent extent, Parameters parameters) {
        Rule rule = new Rule(
                parameters.text("filter"),
                parameters.text("coordinates"),
                nearestMode(parameters.text("rounding"), extent.scale),
                parameters.flag("widens") ? Math.min(extent.scale, 1) : 1,
                parameters.real("cubic_a"),
                parameters.flag("excludes"));
        ResizeAxis axis =
                new ResizeAxis(extent.in, new int[extent.out][], new double[extent.out][], new boolean[extent.out]);
        for (int o = 0; o < extent.out; o++) {
            if (rule.copies(extent)) {
                axis.taps[o] = new int[] {o};
                axis.weights[o] = new double[] {1};
                continue;
            }
            double x = rule.coordinate(o, extent);
            axis.outside[o] = rule.crops() && (x < -EDGE_ERROR || x > extent.in - 1 + EDGE_ERROR);
            rule.fill(axis, o, x);
        }
        return axis;
    }

    /** {@return whether every output coordinate takes one element as it is} */
    boolean copies() {
        return Arrays.stream(taps).allMatch(sources -> sources.length == 1);
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

        boolean crops() {
            return coordinates.equals("tf_crop_and_resize");
        }

        /** {@return whether the axis is not resampled at all, wherever the coordinates would lie} */
        boolean copies(Extent e) {
            return e.in == e.out && e.scale == 1 && !crops();
        }

        /** The input coordinate of an output coordinate. */
        double coordinate(int o, Extent e) {
            double length = e.scale * e.in;
            boolean single = Math.abs(length - 1) < 1e-6;
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
            if (mode.equals("nearest")) {
                axis.taps[o] = new int[] {clamp(nearest(x), axis.in)};
                axis.weights[o] = new double[] {1};
                return;
            }
            int floor = (int) Math.floor(x);
            double ratio = x - floor;
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

        /** A coordinate that is a rounding error of its scale away from a multiple of 1/2 counts as that multiple. */
        private int nearest(double coordinate) {
            double x = Ties.snapped(coordinate, Math.min(5e-7 * (1 + Math.abs(coordinate)), 5e-4));
            return (int)
                    switch (nearest) {
                        case "floor" -> Math.floor(x);
                        case "ceil" -> Math.ceil(x);
                        case "round_prefer_ceil" -> Math.floor(x + 0.5);
                        case "round_prefer_floor" -> Math.ceil(x - 0.5);
                        default -> throw new IllegalArgumentException("rounding " + nearest + " is not known");
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
