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
            Centre row = Centre.of(at[2], scale[0], up);
            Centre column = Centre.of(at[3], scale[1], up);
            double sum = 0;
            for (int i = 0; i < 4; i++) {
                long y = clamp(row.first + i / 2, x.dim(2));
                long z = clamp(column.first + i % 2, x.dim(3));
                sum += x.at(at[0], at[1], y, z) * row.parts(i / 2) * column.parts(i % 2);
            }
            return sum / (row.whole * column.whole);
        });
    }

    /**
     * Where the middle of an output cell lies between the middles of two input cells, in whole numbers, so that a tie of
     * integers is a tie: {@code second / whole} of the way from the cell {@code first} to the next.
     */
    private record Centre(long first, long second, long whole) {

        static Centre of(long place, long scale, boolean up) {
            long whole = up ? 2 * scale : 2;
            long parts = up ? 2 * place + 1 - scale : (2 * place + 1) * scale - 1;
            return new Centre(Math.floorDiv(parts, whole), Math.floorMod(parts, whole), whole);
        }

        long parts(int cell) {
            return cell == 0 ? whole - second : second;
        }
    }

    private static long clamp(long place, long size) {
        return Math.max(0, Math.min(place, size - 1));
    }
}
