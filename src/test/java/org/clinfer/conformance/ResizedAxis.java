package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.List;

/**
 * One axis of ONNX Resize.
 *
 * @param in size of the input
 * @param out size of the output
 * @param scale by which it grows
 * @param length size of the output before it is rounded to a whole number
 * @param begin of the region of interest, as a part of the input
 * @param end of the region of interest, as a part of the input
 */
record ResizedAxis(long in, long out, double scale, double length, double begin, double end) {

    /** The input positions that an output position is made of; {@code outside}: of none, it is extrapolated. */
    record Taps(List<Long> positions, List<Double> weights, boolean outside) {}

    /** An axis that is not resized: no coordinate mode moves its elements. */
    static ResizedAxis unchanged(long size) {
        return new ResizedAxis(size, size, Double.NaN, size, 0, 1);
    }

    Taps taps(long position, Call call) {
        if (Double.isNaN(scale)) {
            return new Taps(List.of(position), List.of(1.0), false);
        }
        String coordinates = call.text("coordinate_mode", "half_pixel");
        String mode = call.text("mode", "nearest");
        double x = coordinate(position, coordinates);
        boolean outside = coordinates.equals("tf_crop_and_resize") && (x < 0 || x > in - 1);
        if (mode.equals("nearest")) {
            long nearest = nearest(x, call.text("nearest_mode", "round_prefer_floor"));
            return new Taps(List.of(inside(nearest)), List.of(1.0), outside);
        }
        return filtered(x, mode.equals("cubic"), outside, call);
    }

    private long inside(long at) {
        return Math.max(0, Math.min(in - 1, at));
    }

    /** The input coordinate of an output position. */
    private double coordinate(long position, String coordinates) {
        double halfPixel = (position + 0.5) / scale - 0.5;
        return switch (coordinates) {
            case "half_pixel" -> halfPixel;
            case "half_pixel_symmetric" -> in / 2.0 * (1 - out / length) + halfPixel;
            case "pytorch_half_pixel" -> out > 1 ? halfPixel : 0;
            case "align_corners" -> length == 1 ? 0 : position * (in - 1) / (length - 1);
            case "asymmetric" -> position / scale;
            case "tf_half_pixel_for_nn" -> (position + 0.5) / scale;
            case "tf_crop_and_resize" ->
                out > 1
                        ? begin * (in - 1) + position * (end - begin) * (in - 1) / (out - 1)
                        : 0.5 * (begin + end) * (in - 1);
            default -> throw new IllegalArgumentException(coordinates);
        };
    }

    private long nearest(double x, String mode) {
        return (long)
                switch (mode) {
                    case "round_prefer_floor" -> Math.ceil(x - 0.5);
                    case "round_prefer_ceil" -> Math.floor(x + 0.5);
                    case "floor" -> Math.floor(x);
                    case "ceil" -> Math.ceil(x);
                    case "simple" -> scale < 1 ? Math.ceil(x) : Math.floor(x);
                    default -> throw new IllegalArgumentException(mode);
                };
    }

    /** All positions within the reach of the filter, which antialiasing widens where the axis shrinks. */
    private Taps filtered(double x, boolean cubic, boolean outside, Call call) {
        double narrow = call.flag("antialias", false) ? Math.min(1, scale) : 1;
        double reach = (cubic ? 2 : 1) / narrow;
        boolean exclude = call.flag("exclude_outside", false);
        List<Long> positions = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        double sum = 0;
        for (long at = (long) Math.floor(x - reach); at <= Math.ceil(x + reach); at++) {
            double distance = Math.abs(at - x) * narrow;
            double weight = cubic ? cubic(distance, call.real("cubic_coeff_a", -0.75)) : Math.max(0, 1 - distance);
            if (weight != 0 && !(exclude && (at < 0 || at >= in))) {
                positions.add(inside(at));
                weights.add(weight);
                sum += weight;
            }
        }
        double whole = sum;
        return new Taps(positions, weights.stream().map(w -> w / whole).toList(), outside);
    }

    /** Keys' cubic convolution. */
    private static double cubic(double x, double a) {
        if (x <= 1) {
            return (a + 2) * x * x * x - (a + 3) * x * x + 1;
        }
        return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0;
    }
}
