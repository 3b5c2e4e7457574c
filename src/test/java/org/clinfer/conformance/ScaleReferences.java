package org.clinfer.conformance;

import java.util.Map;

/** OpLib's Upsample and DeePhiDownsample: whole factors for rows and columns. */
final class ScaleReferences {

    private ScaleReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "Upsample", Reference.single(call -> scaled(call, true)),
                "DeePhiDownsample", Reference.single(call -> scaled(call, false)));
    }

    private static Array scaled(Call call, boolean up) {
        Array x = call.input(0);
        long[] scale = call.ints("scale", 1, 1);
        boolean nearest = call.text("mode", "BILINEAR").equals("NEAREST");
        long[] dims = x.dims();
        for (int i = 0; i < 2; i++) {
            dims[2 + i] = up ? dims[2 + i] * scale[i] : dims[2 + i] / scale[i];
        }
        return Array.of(dims, at -> {
            if (nearest) {
                long row = up ? at[2] / scale[0] : at[2] * scale[0];
                long column = up ? at[3] / scale[1] : at[3] * scale[1];
                return x.at(at[0], at[1], row, column);
            }
            double row = centre(at[2], scale[0], up);
            double column = centre(at[3], scale[1], up);
            double[] lines = new double[2];
            for (int line = 0; line < 2; line++) {
                long y = clamp((long) Math.floor(row) + line, x.dim(2));
                double left = x.at(at[0], at[1], y, clamp((long) Math.floor(column), x.dim(3)));
                double right = x.at(at[0], at[1], y, clamp((long) Math.floor(column) + 1, x.dim(3)));
                lines[line] = mixed(left, right, column - Math.floor(column));
            }
            return mixed(lines[0], lines[1], row - Math.floor(row));
        });
    }

    /** Half-pixel centres: where the middle of an output cell lies between the middles of input cells. */
    private static double centre(long place, long scale, boolean up) {
        return up ? (place + 0.5) / scale - 0.5 : (place + 0.5) * scale - 0.5;
    }

    private static long clamp(long place, long size) {
        return Math.max(0, Math.min(place, size - 1));
    }

    private static double mixed(double a, double b, double weight) {
        return a * (1 - weight) + b * weight;
    }
}
