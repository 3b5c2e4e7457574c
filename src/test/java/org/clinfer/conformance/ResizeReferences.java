package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** ONNX Resize: every output element is a weighted sum of input elements, with the weights of each axis multiplied. */
final class ResizeReferences {

    private ResizeReferences() {}

    static Map<String, Reference> all() {
        return Map.of("Resize", Reference.single(ResizeReferences::resize));
    }

    private static Array resize(Call call) {
        Array x = call.input(0);
        List<ResizedAxis> axes = axes(call, x);
        long[] dims = axes.stream().mapToLong(ResizedAxis::out).toArray();
        double outside = call.real("extrapolation_value", 0);
        return Elements.like(x, Array.of(dims, index -> {
            List<ResizedAxis.Taps> taps = new ArrayList<>();
            for (int axis = 0; axis < dims.length; axis++) {
                taps.add(axes.get(axis).taps(index[axis], call));
            }
            return taps.stream().anyMatch(ResizedAxis.Taps::outside) ? outside : sum(x, taps, new long[dims.length], 0);
        }));
    }

    /** The weighted sum over an axis and those after it, at fixed positions along those before. */
    private static double sum(Array x, List<ResizedAxis.Taps> taps, long[] index, int axis) {
        if (axis == index.length) {
            return x.at(index);
        }
        double sum = 0;
        ResizedAxis.Taps own = taps.get(axis);
        for (int tap = 0; tap < own.positions().size(); tap++) {
            index[axis] = own.positions().get(tap);
            sum += own.weights().get(tap) * sum(x, taps, index, axis + 1);
        }
        return sum;
    }

    private static List<ResizedAxis> axes(Call call, Array x) {
        double[] scales = Values.reals(call, 2, "scales");
        long[] sizes = Values.ints(call, 3, "sizes");
        double[] roi = Values.reals(call, 1, "roi");
        long[] named = call.ints("axes");
        List<ResizedAxis> all = new ArrayList<>();
        for (int axis = 0; axis < x.rank(); axis++) {
            int place = call.has("axes") ? place(named, axis, x.rank()) : axis;
            int count = call.has("axes") ? named.length : x.rank();
            double begin = roi.length == 0 || place < 0 ? 0 : roi[place];
            double end = roi.length == 0 || place < 0 ? 1 : roi[place + count];
            long in = x.dim(axis);
            if (place < 0) {
                all.add(ResizedAxis.unchanged(in));
            } else if (sizes.length == 0) {
                double scale = scales[place];
                all.add(new ResizedAxis(in, (long) ((float) in * (float) scale), scale, in * scale, begin, end));
            } else {
                all.add(ofSize(call, x, new Extent(place, in, begin, end), sizes));
            }
        }
        return all;
    }

    private static int place(long[] named, int axis, int rank) {
        for (int place = 0; place < named.length; place++) {
            if (Values.axis(named[place], rank) == axis) {
                return place;
            }
        }
        return -1;
    }

    private record Extent(int place, long in, double begin, double end) {}

    /** By a wanted size, or by the ratio that all axes share so that none is larger, or smaller, than wanted. */
    private static ResizedAxis ofSize(Call call, Array x, Extent extent, long[] sizes) {
        String policy = call.text("keep_aspect_ratio_policy", "stretch");
        long in = extent.in();
        if (policy.equals("stretch")) {
            long out = sizes[extent.place()];
            return new ResizedAxis(in, out, (double) out / in, out, extent.begin(), extent.end());
        }
        double[] ratios = new double[sizes.length];
        long[] named = call.ints("axes");
        Arrays.setAll(ratios, k -> (double) sizes[k] / x.dim(call.has("axes") ? Values.axis(named[k], x.rank()) : k));
        double ratio = policy.equals("not_larger")
                ? Arrays.stream(ratios).min().orElseThrow()
                : Arrays.stream(ratios).max().orElseThrow();
        return new ResizedAxis(
                in, (long) Math.floor(in * ratio + 0.5), ratio, in * ratio, extent.begin(), extent.end());
    }
}
