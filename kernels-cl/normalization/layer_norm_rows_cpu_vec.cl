// Layer normalisation, and the one by the root of the mean square, of whole rows, 16 elements at a time; one row per item.
//
// Layout: x and y are [rows, size]; scale and bias are [size], bias may be NULL; mean and inverse_deviation are [rows] and
//         may be NULL.
// Assumes: fewer than 2^31 elements; global size [rows].
// Macros: none.
#include "common/rows.h"
#include "common/row_sums.h"

__kernel void layer_norm_rows(
        __global const float *x,
        __global const float *scale,
        __global const float *bias,
        __global float *y,
        __global float *mean,
        __global float *inverse_deviation,
        const int size,
        const float epsilon) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int row = at.x;
    __global const float *values = x + row * size;
    __global float *results = y + row * size;
    // The mean as rounded leaves a residue, which matters where the mean is large against the deviation.
    const float centre = row_sum(values, size) / (float)size;
    const float2 sums = row_distances(values, size, centre) / (float)size;
    const float residue = sums.s0;
    const float factor = 1.0f / sqrt(sums.s1 - residue * residue + epsilon);
    for (int i = 0; i < size; i += 16) {
        const int count = min(size - i, 16);
        const float16 normal = (read_piece(values + i, 1, count) - centre - residue) * factor;
        const float16 shift = bias ? read_piece(bias + i, 1, count) : (float16)0.0f;
        write_piece(normal * read_piece(scale + i, 1, count) + shift, results + i, count);
    }
    if (mean) {
        mean[row] = centre + residue;
    }
    if (inverse_deviation) {
        inverse_deviation[row] = factor;
    }
}

__kernel void rms_norm_rows(
        __global const float *x,
        __global const float *scale,
        __global float *y,
        const int size,
        const float epsilon) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int row = at.x;
    __global const float *values = x + row * size;
    const float factor = 1.0f / sqrt(row_distances(values, size, 0.0f).s1 / (float)size + epsilon);
    for (int i = 0; i < size; i += 16) {
        const int count = min(size - i, 16);
        const float16 normal = read_piece(values + i, 1, count) * factor;
        write_piece(normal * read_piece(scale + i, 1, count), y + row * size + i, count);
    }
}
