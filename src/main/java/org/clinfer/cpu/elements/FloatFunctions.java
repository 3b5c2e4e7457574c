package org.clinfer.cpu.elements;

/**
 * Functions in float arithmetic, wrong by no more than three units in the last place, for loops over many elements: no
 * calls, no tables, no branches that depend on the element.
 */
final class FloatFunctions {

    /*
     * exp(x) = 2^n * exp(r) with n the integer nearest to x / ln 2, so that |r| <= ln 2 / 2, and exp(r) by its Taylor
     * polynomial of degree 7, whose first term left out is below 6e-9. ln 2 is taken in two parts (Cody and Waite), the
     * first with few bits, so that n * HIGH is exact. To add and subtract 1.5 * 2^23 rounds to an integer. 2^n is made in
     * two steps, because n may be 128 and, for results below the smallest normal number, -150.
     */
    private static final float PER_LN2 = 0x1.715476p+0f;
    private static final float ROUNDING = 12582912f;
    private static final float HIGH = 0x1.63p-1f;
    private static final float LOW = -0x1.bd0106p-13f;
    private static final float LARGEST = 89f;
    private static final float SMALLEST = -104f;

    /** From here on tanh is 1 in float. */
    private static final float ONE_FROM = 9.02f;

    /** Below this 1 - 2 / (exp + 1) would lose digits; there, a minimax polynomial of x^2 (Cephes, tanhf.c). */
    private static final float SERIES = 0.6f;

    private FloatFunctions() {}

    /** The exponential. */
    static float exp(float x) {
        float within = Math.min(Math.max(x, SMALLEST), LARGEST);
        float shifted = within * PER_LN2 + ROUNDING;
        int n = Float.floatToRawIntBits(shifted) - Float.floatToRawIntBits(ROUNDING);
        float whole = shifted - ROUNDING;
        float r = within - whole * HIGH - whole * LOW;
        float sum = 1 / 5040f;
        sum = sum * r + 1 / 720f;
        sum = sum * r + 1 / 120f;
        sum = sum * r + 1 / 24f;
        sum = sum * r + 1 / 6f;
        sum = sum * r + 0.5f;
        sum = sum * r * r + r + 1;
        int half = n >> 1;
        float first = Float.intBitsToFloat((half + 127) << 23);
        float second = Float.intBitsToFloat((n - half + 127) << 23);
        float result = sum * first * second;
        return Float.isNaN(x) ? x : result;
    }

    /** The hyperbolic tangent. */
    static float tanh(float x) {
        float size = Math.min(Math.abs(x), ONE_FROM);
        if (size < SERIES) {
            float square = x * x;
            float sum = -0x1.75e1d4p-8f;
            sum = sum * square + 0x1.52269cp-6f;
            sum = sum * square - 0x1.b83c5ap-5f;
            sum = sum * square + 0x1.110726p-3f;
            sum = sum * square - 0x1.555532p-2f;
            return Math.copySign(sum * square * x + x, x);
        }
        return Math.copySign(1 - 2 / (exp(2 * size) + 1), x);
    }
}
