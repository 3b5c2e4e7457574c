package org.clinfer.cpu.elements;

/**
 * The Gauss error function in double precision: Taylor polynomials about nodes 1/16 apart up to 6, from where on it is
 * 1. The derivative g = 2/√π·exp(-x²) satisfies g' = -2xg, which gives the coefficients about a node c by
 * (k + 1)·b[k+1] = -2c·b[k] - 2·b[k-1].
 */
final class ErrorFunction {

    private static final int NODES_PER_UNIT = 16;
    private static final int LIMIT = 6;
    private static final int TERMS = 12;
    private static final double FRACTION_FROM = 1.5;
    private static final int FRACTION_TERMS = 100;
    private static final double[] COEFFICIENTS = coefficients();

    private ErrorFunction() {}

    static double erf(double x) {
        double magnitude = Math.abs(x);
        if (Double.isNaN(x)) {
            return x;
        }
        if (magnitude >= LIMIT) {
            return Math.copySign(1, x);
        }
        int node = (int) (magnitude * NODES_PER_UNIT + 0.5);
        double distance = magnitude - (double) node / NODES_PER_UNIT;
        int first = node * TERMS;
        double sum = COEFFICIENTS[first + TERMS - 1];
        for (int k = TERMS - 2; k >= 0; k--) {
            sum = sum * distance + COEFFICIENTS[first + k];
        }
        return Math.copySign(sum, x);
    }

    /** 1 - erf(x) with all its digits: where it is small by its continued fraction, Abramowitz and Stegun 7.1.14. */
    static double complement(double x) {
        if (!(x > FRACTION_FROM)) {
            return 1 - erf(x);
        }
        double fraction = x;
        for (int k = FRACTION_TERMS; k >= 1; k--) {
            fraction = x + k / 2.0 / fraction;
        }
        return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
    }

    private static double[] coefficients() {
        int nodes = LIMIT * NODES_PER_UNIT + 1;
        double[] all = new double[nodes * TERMS];
        for (int node = 0; node < nodes; node++) {
            double centre = (double) node / NODES_PER_UNIT;
            double derivative = 2 / Math.sqrt(Math.PI) * Math.exp(-centre * centre);
            all[node * TERMS] = series(centre, derivative);
            double before = 0;
            double current = derivative;
            for (int k = 0; k < TERMS - 1; k++) {
                all[node * TERMS + k + 1] = current / (k + 1);
                double next = (-2 * centre * current - 2 * before) / (k + 1);
                before = current;
                current = next;
            }
        }
        return all;
    }

    /** erf(x) = g(x) · Σ 2ⁿ·x²ⁿ⁺¹ / (2n + 1)!!, whose terms are all positive. */
    private static double series(double x, double derivative) {
        double term = x;
        double sum = 0;
        for (int n = 1; term > sum * 1e-18; n++) {
            sum += term;
            term *= 2 * x * x / (2 * n + 1);
        }
        return derivative * sum;
    }
}
