package org.clinfer.cpu.elements;

/** The inverse hyperbolic functions, by logarithms of one plus what is small near 0. */
final class AreaFunctions {

    /** Squares of larger numbers overflow; one more or less does not matter to them. */
    private static final double LARGE = 1e100;

    private AreaFunctions() {}

    static double asinh(double x) {
        double size = Math.abs(x);
        double area = size > LARGE
                ? Math.log(size) + Math.log(2)
                : Math.log1p(size + size * size / (1 + Math.sqrt(1 + size * size)));
        return Math.copySign(area, x);
    }

    static double acosh(double x) {
        if (x < 1) {
            return Double.NaN;
        }
        double above = x - 1;
        return x > LARGE ? Math.log(x) + Math.log(2) : Math.log1p(above + Math.sqrt(above * (above + 2)));
    }

    static double atanh(double x) {
        double size = Math.abs(x);
        return Math.copySign(Math.log1p(2 * size / (1 - size)) / 2, x);
    }
}
