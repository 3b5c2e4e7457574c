// Layer normalisation, and the one by the root of the mean square; LANES items of a work-group for each row, which read
// neighbouring elements.
//
// Layout: x and y are [rows, size]; scale and bias are [size], bias may be NULL; mean and inverse_deviation are [rows]
//         and may be NULL.
// Assumes: fewer than 2^31 elements; global size [ceil(rows * LANES / GROUP_SIZE) * GROUP_SIZE], local size [GROUP_SIZE].
// Macros: ELEMENT (common/element.h): float32, float16 or bfloat16; GROUP_SIZE, LANES
//         (common/group_fold.h); KEPT (common/group_moments.h).
#include "common/element.h"
#include "common/group_fold.h"
#include "common/group_moments.h"

// Items without a row help to fold the last one, and store nothing.
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void layer_norm_groups(
        __global const STORED *x,
        __global const STORED *scale,
        __global const STORED *bias,
        __global STORED *y,
        __global float *mean,
        __global float *inverse_deviation,
        const int rows,
        const int size,
        const float epsilon) {
    __local WIDE shared[GROUP_SIZE];
    __local WIDE2 pairs[GROUP_SIZE];
    const int row = min(group_result(), rows - 1);
    const int begin = row * size;
    WIDE kept[KEPT];
    keep_row(kept, x, begin, size);
    const Moments moments = row_moments(kept, x, begin, size, shared, pairs);
    const WIDE factor = 1 / sqrt(moments.variance + epsilon);
    if (group_result() >= rows) {
        return;
    }
    EACH_OF_ROW(i, value, begin, size, {
        const WIDE shift = bias ? load_element(bias, i) : 0;
        store_element(from_mean(value, moments) * factor * load_element(scale, i) + shift, y, begin + i);
    })
    if (mean && group_lane() == 0) {
        mean[row] = moments.centre + moments.residue;
    }
    if (inverse_deviation && group_lane() == 0) {
        inverse_deviation[row] = factor;
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void rms_norm_groups(
        __global const STORED *x,
        __global const STORED *scale,
        __global STORED *y,
        const int rows,
        const int size,
        const float epsilon) {
    __local WIDE shared[GROUP_SIZE];
    const int row = min(group_result(), rows - 1);
    const int begin = row * size;
    WIDE kept[KEPT];
    keep_row(kept, x, begin, size);
    WIDE squares = 0;
    EACH_OF_ROW(i, value, begin, size, squares += value * value;)
    const WIDE factor = 1 / sqrt(added(squares, shared) / (WIDE)size + epsilon);
    const int end = group_result() < rows ? size : 0;
    EACH_OF_ROW(i, value, begin, end, store_element(value * factor * load_element(scale, i), y, begin + i);)
}
