package org.clinfer.conformance;

import java.util.Arrays;

/** Padding as numpy's {@code pad} does it, the axes one after another; negative widths cut. */
final class PadReference {

    private PadReference() {}

    static Array pad(Call call) {
        Array x = call.input(0);
        int rank = x.rank();
        long[] widths = widths(call, rank);
        double value = call.hasInput(2) ? call.input(2).flat(0) : call.real("constant_value", 0);
        double[] all = new double[2 * rank];
        Arrays.fill(all, value);
        double[] values = call.reals("constant_values", all);
        String mode = call.text("mode", "CONSTANT");
        Array padded = x;
        for (int axis = 0; axis < rank; axis++) {
            padded = padAxis(padded, axis, widths, mode, values);
        }
        return padded;
    }

    private static Array padAxis(Array x, int axis, long[] widths, String mode, double[] values) {
        long size = x.dim(axis);
        long before = widths[2 * axis];
        long[] dims = Indices.with(x.dims(), axis, size + before + widths[2 * axis + 1]);
        return Array.of(dims, at -> {
            long place = at[axis] - before;
            if (mode.equals("CONSTANT") && (place < 0 || place >= size)) {
                return values[place < 0 ? 2 * axis : 2 * axis + 1];
            }
            return x.at(Indices.with(at, axis, source(place, size, mode)));
        });
    }

    private static long source(long place, long size, String mode) {
        if (place >= 0 && place < size) {
            return place;
        }
        return switch (mode) {
            case "REFLECT" -> place < 0 ? -place : 2 * size - 2 - place;
            case "SYMMETRIC" -> place < 0 ? -place - 1 : 2 * size - 1 - place;
            case "EDGE" -> place < 0 ? 0 : size - 1;
            case "WRAP" -> Math.floorMod(place, size);
            default -> throw new IllegalArgumentException(mode);
        };
    }

    /** Before and after per axis, from {@code pad_with}, or from {@code pads}: all before, then all after, of axes. */
    private static long[] widths(Call call, int rank) {
        if (call.has("pad_with")) {
            return call.ints("pad_with");
        }
        long[] pads = LayoutReferences.list(call, "pads", 1);
        long[] axes = LayoutReferences.list(call, "axes", 3);
        long[] widths = new long[2 * rank];
        for (int i = 0; i < pads.length / 2; i++) {
            int axis = (int) (axes.length == 0 ? i : Math.floorMod(axes[i], (long) rank));
            widths[2 * axis] = pads[i];
            widths[2 * axis + 1] = pads[i + pads.length / 2];
        }
        return widths;
    }
}
