// Layer normalisation, and the one by the root of the mean square; one row of `size` elements per item.
//
// Layout: x and y are [rows, size]; scale and bias are [size], bias may be NULL; mean and inverse_deviation are [rows] and
//         may be NULL.
// Assumes: fewer than 2^31 elements; the global size is at least rows.
// Macros: ELEMENT (common/element.h), a floating type.
#include "common/element.h"

__kernel void layer_norm(
        __global const STORED *x,
        __global const STORED *scale,
        __global const STORED *bias,
        __global STORED *y,
        __global float *mean,
        __global float *inverse_deviation,
        const int rows,
        const int size,
        const REAL epsilon) {
    const int row = get_global_id(0);
    if (row >= rows) {
        return;
    }
    const int begin = row * size;
    REAL sum = 0;
    for (int i = 0; i < size; ++i) {
        sum += load_element(x, begin + i);
    }
    // The mean as rounded leaves a residue, which matters where the mean is large against the deviation.
    const REAL centre = sum / (REAL)size;
    REAL residue = 0;
    REAL squares = 0;
    for (int i = 0; i < size; ++i) {
        const REAL distance = load_element(x, begin + i) - centre;
        residue += distance;
        squares += distance * distance;
    }
    residue /= (REAL)size;
    const REAL factor = 1 / sqrt(squares / (REAL)size - residue * residue + epsilon);
    for (int i = 0; i < size; ++i) {
        const REAL shift = bias ? load_element(bias, i) : 0;
        const REAL distance = load_element(x, begin + i) - centre - residue;
        store_element(distance * factor * load_element(scale, i) + shift, y, begin + i);
    }
    if (mean) {
        mean[row] = centre + residue;
    }
    if (inverse_deviation) {
        inverse_deviation[row] = factor;
    }
}

__kernel void rms_norm(
        __global const STORED *x,
        __global const STORED *scale,
        __global STORED *y,
        const int rows,
        const int size,
        const REAL epsilon) {
    const int row = get_global_id(0);
    if (row >= rows) {
        return;
    }
    const int begin = row * size;
    REAL squares = 0;
    for (int i = 0; i < size; ++i) {
        squares += load_element(x, begin + i) * load_element(x, begin + i);
    }
    const REAL factor = 1 / sqrt(squares / (REAL)size + epsilon);
    for (int i = 0; i < size; ++i) {
        store_element(load_element(x, begin + i) * factor * load_element(scale, i), y, begin + i);
    }
}
