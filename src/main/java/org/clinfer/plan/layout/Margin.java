package org.clinfer.plan.layout;

import org.clinfer.expr.ExpressionValue;

/** Rows and columns around a tensor: of zeros, as operators need them for padding, or left out of it. */
record Margin(long top, long left, long bottom, long right) {

    static final Margin NONE = new Margin(0, 0, 0, 0);

    /** From a list of four numbers in this order. */
    static Margin of(long... sides) {
        return new Margin(sides[0], sides[1], sides[2], sides[3]);
    }

    Margin max(Margin other) {
        return new Margin(
                Math.max(top, other.top),
                Math.max(left, other.left),
                Math.max(bottom, other.bottom),
                Math.max(right, other.right));
    }

    /** The rest of this margin beyond {@code needed}, which is no wider on any side. */
    Margin beyond(Margin needed) {
        return new Margin(top - needed.top, left - needed.left, bottom - needed.bottom, right - needed.right);
    }

    long rows() {
        return top + bottom;
    }

    long columns() {
        return left + right;
    }

    ExpressionValue value() {
        return ExpressionValue.ints(new long[] {top, left, bottom, right});
    }
}
