// Instance normalisation; LANES items of a work-group for each row, which read neighbouring elements.
//
// Layout: x and y are [batch, channels, inner]; scale and bias are [channels].
// Assumes: fewer than 2^31 elements; rows = batch * channels; global size [ceil(rows * LANES / GROUP_SIZE) * GROUP_SIZE],
//          local size [GROUP_SIZE].
// Macros: ELEMENT (common/element.h): float32, float16 or bfloat16; GROUP_SIZE, LANES
//         (common/group_fold.h); KEPT (common/group_moments.h).
#include "common/element.h"
#include "common/group_fold.h"
#include "common/group_moments.h"

// Items without a row help to fold the last one, and store nothing.
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void instance_norm_groups(
        __global const STORED *x,
        __global const STORED *scale,
        __global const STORED *bias,
        __global STORED *y,
        const int rows,
        const int channels,
        const int inner,
        const float epsilon) {
    __local WIDE shared[GROUP_SIZE];
    __local WIDE2 pairs[GROUP_SIZE];
    const int row = min(group_result(), rows - 1);
    const int begin = row * inner;
    WIDE kept[KEPT];
    keep_row(kept, x, begin, inner);
    const Moments moments = row_moments(kept, x, begin, inner, shared, pairs);
    const WIDE factor = load_element(scale, row % channels) / sqrt(moments.variance + epsilon);
    const WIDE shift = load_element(bias, row % channels);
    const int end = group_result() < rows ? inner : 0;
    EACH_OF_ROW(i, value, begin, end, store_element(from_mean(value, moments) * factor + shift, y, begin + i);)
}
