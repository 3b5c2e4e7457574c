// Brings the operands of a product of matrices into the order in which common/product.h reads them.
//
// pack_columns: B, any number of matrices [k, n] that follow one another, becomes [matrix, n / 32, k, 32], with zeros
//               beyond the last column. An item takes 16 rows of one panel.
// pack_rows:    A [m, k], one matrix, becomes [m, pitch]; what is beyond k stays as it is. An item takes 16 x 16.
// Layout: panels and packed are dense, sources are walked with [row, column] strides, one of which is 1.
// Assumes: fewer than 2^31 elements in every tensor. Global size [ceil(k / 16), ceil(n / 32), matrices], and
//          [ceil(k / 16), ceil(m / 16)].
// Macros: none.
#include "common/product.h"

#define PACK_STEP 16

__kernel void pack_columns(
        __global const float *b,
        __global float *panels,
        const int k,
        const int n,
        const int2 b_strides) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int row = at.x * PACK_STEP;
    const int column = at.y * PRODUCT_WIDTH;
    const int rows = min(k - row, PACK_STEP);
    const int columns = min(n - column, PRODUCT_WIDTH);
    const int panel = at.z * ((n + PRODUCT_WIDTH - 1) / PRODUCT_WIDTH) + at.y;
    __global const float *from = b + at.z * k * n + row * b_strides.x + column * b_strides.y;
    __global float *to = panels + (panel * k + row) * PRODUCT_WIDTH;
    if (b_strides.y == 1 && columns == PRODUCT_WIDTH) {
        for (int r = 0; r < rows; ++r) {
            const float16 front = blocked_load(from + r * b_strides.x);
            const float16 back = blocked_load(from + r * b_strides.x + 16);
            blocked_store(front, to + r * PRODUCT_WIDTH);
            blocked_store(back, to + r * PRODUCT_WIDTH + 16);
        }
        return;
    }
    float block[PACK_STEP * PRODUCT_WIDTH];
    for (int lane = 0; lane < PRODUCT_WIDTH; ++lane) {
        for (int r = 0; r < PACK_STEP; ++r) {
            block[r * PRODUCT_WIDTH + lane] =
                    lane < columns && r < rows ? from[lane * b_strides.y + r * b_strides.x] : 0.0f;
        }
    }
    for (int r = 0; r < rows; ++r) {
        blocked_store(vload16(0, block + r * PRODUCT_WIDTH), to + r * PRODUCT_WIDTH);
        blocked_store(vload16(1, block + r * PRODUCT_WIDTH), to + r * PRODUCT_WIDTH + 16);
    }
}

__kernel void pack_rows(
        __global const float *a,
        __global float *packed,
        const int m,
        const int k,
        const int pitch,
        const int2 a_strides) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int first = at.x * PACK_STEP;
    const int row = at.y * PACK_STEP;
    const int count = min(k - first, PACK_STEP);
    const int rows = min(m - row, PACK_STEP);
    __global const float *from = a + row * a_strides.x + first * a_strides.y;
    __global float *to = packed + row * pitch + first;
    if (a_strides.y == 1 && count == PACK_STEP) {
        for (int r = 0; r < rows; ++r) {
            blocked_store(blocked_load(from + r * a_strides.x), to + r * pitch);
        }
        return;
    }
    for (int r = 0; r < rows; ++r) {
        for (int i = 0; i < count; ++i) {
            to[r * pitch + i] = from[r * a_strides.x + i * a_strides.y];
        }
    }
}
