package org.clinfer.conformance;

/** Space to depth and back. */
final class ReorgReference {

    private ReorgReference() {}

    /** Block position (i, j) of channel c is channel (i * s + j) * C + c, or with CRD c * s * s + i * s + j. */
    static Array reorg(Call call) {
        Array x = call.input(0);
        long s = call.integer("scale", 1);
        if (call.text("order", "DCR").equals("DARKNET")) {
            return darknet(x, s, call.flag("reversed", false));
        }
        boolean blockFirst = call.text("order", "DCR").equals("DCR");
        if (call.flag("reversed", false)) {
            long channels = x.dim(1) / (s * s);
            return Array.of(new long[] {x.dim(0), channels, x.dim(2) * s, x.dim(3) * s}, at -> {
                long block = at[2] % s * s + at[3] % s;
                long deep = blockFirst ? block * channels + at[1] : at[1] * s * s + block;
                return x.at(at[0], deep, at[2] / s, at[3] / s);
            });
        }
        long channels = x.dim(1);
        return Array.of(new long[] {x.dim(0), channels * s * s, x.dim(2) / s, x.dim(3) / s}, at -> {
            long block = blockFirst ? at[1] / channels : at[1] % (s * s);
            long c = blockFirst ? at[1] % channels : at[1] / (s * s);
            return x.at(at[0], c, at[2] * s + block / s, at[3] * s + block % s);
        });
    }

    /**
     * The original darknet layer on [C, H, W]: with C = s * s * G, place (c, h, w) of its buffer corresponds to place
     * (c mod G, h * s + c / G / s, w * s + c / G mod s) of a [G, H * s, W * s] view. Forward it reads x through the view,
     * reversed it writes through it; the buffer of the deep side is [C * s * s, H / s, W / s].
     */
    private static Array darknet(Array x, long s, boolean reversed) {
        long channels = reversed ? x.dim(1) / (s * s) : x.dim(1);
        long height = reversed ? x.dim(2) * s : x.dim(2);
        long width = reversed ? x.dim(3) * s : x.dim(3);
        long groups = channels / (s * s);
        long image = channels * height * width;
        double[] values = new double[x.elements()];
        for (long[] at : Indices.all(x.dim(0), channels, height, width)) {
            long offset = at[1] / groups;
            long row = at[2] * s + offset / s;
            long column = at[3] * s + offset % s;
            long viewed = at[0] * image + (at[1] % groups * height * s + row) * width * s + column;
            long plain = at[0] * image + (at[1] * height + at[2]) * width + at[3];
            values[(int) (reversed ? viewed : plain)] = x.flat(reversed ? plain : viewed);
        }
        return reversed
                ? new Array(new long[] {x.dim(0), channels, height, width}, values)
                : new Array(new long[] {x.dim(0), channels * s * s, height / s, width / s}, values);
    }
}
