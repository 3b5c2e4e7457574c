// y[outer, axis, inner] = the sum of x[outer, 0 ... axis, inner].
//
// Layout: x and y are [outer, axis_size, inner], dense; rows = outer * inner.
// Assumes: fewer than 2^31 elements; the global size is at least rows.
// Macros: ELEMENT (common/element.h). exclusive 1: without the element itself; reverse 1: from the end.
#include "common/element.h"

__kernel void cumulative_sum(
        __global const STORED *x,
        __global STORED *y,
        const int rows,
        const int axis_size,
        const int inner,
        const int exclusive,
        const int reverse) {
    const int row = get_global_id(0);
    if (row >= rows) {
        return;
    }
    const int first = row / inner * axis_size * inner + row % inner;
    WIDE sum = 0;
    for (int k = 0; k < axis_size; k++) {
        const int at = first + (reverse ? axis_size - 1 - k : k) * inner;
        const WIDE next = sum + load_element(x, at);
        store_element(low_bits(exclusive ? sum : next), y, at);
        sum = next;
    }
}
