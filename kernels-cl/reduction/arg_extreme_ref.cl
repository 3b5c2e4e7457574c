// y[outer, inner] = where along the axis the largest or smallest element of x[outer, axis, inner] stands.
//
// Layout: x is [outer, axis_size, inner], y [outer, inner] of int64, both dense.
// Assumes: axis_size >= 1, fewer than 2^31 elements; the global size is at least len.
// Macros: ELEMENT (common/element.h); FIND_LEAST, KEEP_LAST (common/extreme.h).
#include "common/element.h"
#include "common/extreme.h"

__kernel void arg_extreme(
        __global const STORED *x, __global long *y, const int len, const int axis_size, const int inner) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int first = i / inner * axis_size * inner + i % inner;
    WIDE best = load_element(x, first);
    int place = 0;
    for (int k = 1; k < axis_size; k++) {
        const WIDE v = load_element(x, first + k * inner);
        if (wins(v, best)) {
            best = v;
            place = k;
        }
    }
    y[i] = place;
}
