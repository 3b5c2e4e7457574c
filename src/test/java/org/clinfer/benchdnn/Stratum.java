package org.clinfer.benchdnn;

import java.util.Locale;

/** What kind of convolution a problem is, in every respect that decides how it is computed. */
record Stratum(
        boolean transposed,
        int spatial,
        Groups groups,
        boolean strided,
        boolean dilated,
        boolean pointwise,
        Padding padding) {

    /** How channels are grouped. */
    enum Groups {
        DENSE,
        GROUPED,
        DEPTHWISE
    }

    /** What is added around the larger side. */
    enum Padding {
        NONE,
        SYMMETRIC,
        ASYMMETRIC
    }

    static Stratum of(Problem problem) {
        return new Stratum(
                problem.transposed(),
                problem.spatial(),
                problem.isDepthwise() ? Groups.DEPTHWISE : problem.groups() > 1 ? Groups.GROUPED : Groups.DENSE,
                problem.axes().stream().anyMatch(axis -> axis.stride() > 1),
                problem.axes().stream().anyMatch(axis -> axis.dilation() > 1),
                problem.axes().stream().allMatch(axis -> axis.kernel() == 1),
                padding(problem));
    }

    private static Padding padding(Problem problem) {
        boolean any = false;
        for (Axis axis : problem.axes()) {
            long end = Math.max(axis.padEnd(problem.transposed()), 0);
            if (end != axis.padBegin()) {
                return Padding.ASYMMETRIC;
            }
            any |= end > 0;
        }
        return any ? Padding.SYMMETRIC : Padding.NONE;
    }

    /** The coarser kind that is one test: {@code conv 2-D dense}. */
    String group() {
        return (transposed ? "deconv " : "conv ") + spatial + "-D "
                + groups.toString().toLowerCase(Locale.ROOT);
    }
}
