// Instance normalisation; a work-group per row, whose items read neighbouring elements.
//
// Layout: x and y are [batch, channels, inner]; scale and bias are [channels].
// Assumes: fewer than 2^31 elements; global size [batch * channels * GROUP_SIZE], local size [GROUP_SIZE].
// Macros: ELEMENT (common/element.h): float32, float16 or bfloat16.
#include "common/element.h"
#include "common/functions2.h"
#include "common/group_fold.h"

GROUP_FOLD(added, add)

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void instance_norm_groups(
        __global const STORED *x,
        __global const STORED *scale,
        __global const STORED *bias,
        __global STORED *y,
        const int channels,
        const int inner,
        const float epsilon) {
    __local WIDE shared[GROUP_SIZE];
    const int row = get_group_id(0);
    const int begin = row * inner;
    WIDE sum = 0;
    for (int i = get_local_id(0); i < inner; i += GROUP_SIZE) {
        sum += load_element(x, begin + i);
    }
    // The mean as rounded leaves a residue, which matters where the mean is large against the deviation.
    const WIDE mean = added(sum, shared) / (WIDE)inner;
    WIDE distances = 0;
    WIDE squares = 0;
    for (int i = get_local_id(0); i < inner; i += GROUP_SIZE) {
        const WIDE distance = load_element(x, begin + i) - mean;
        distances += distance;
        squares += distance * distance;
    }
    const WIDE residue = added(distances, shared) / (WIDE)inner;
    const WIDE variance = added(squares, shared) / (WIDE)inner - residue * residue;
    const WIDE factor = load_element(scale, row % channels) / sqrt(variance + epsilon);
    const WIDE shift = load_element(bias, row % channels);
    for (int i = get_local_id(0); i < inner; i += GROUP_SIZE) {
        store_element((load_element(x, begin + i) - mean - residue) * factor + shift, y, begin + i);
    }
}
