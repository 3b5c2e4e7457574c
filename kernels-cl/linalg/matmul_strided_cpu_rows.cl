// y = alpha * A B of few rows and matrices that lie with strides, each read once where it is: strided_terms where terms of a
// column of B are neighbours, strided_columns where columns of a term are.
//
// Layout: A [matrices, m, k] with neighbouring terms and a_stride between rows; B [matrices, k, n] with b_stride between
//         columns (strided_terms) or terms (strided_columns); y [matrices, m, n] with strides of its rows and columns.
// Assumes: fewer than 2^31 elements in every tensor. The n columns are divided into `items` pieces. Global size [items,
//          matrices].
// Macros: none.
#include "common/index.h"

#define STRIDED_COLUMNS 4
#define STRIDED_BLOCK 64

static inline float strided_sum(float16 v) {
    const float8 eight = v.lo + v.hi;
    const float4 four = eight.lo + eight.hi;
    const float2 two = four.lo + four.hi;
    return two.x + two.y;
}

// The products of a row with `count` columns, of which one begins every b_stride elements.
static inline void strided_dots(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int count,
        const int k,
        const int b_stride,
        const int y_stride,
        const float alpha) {
    int column = 0;
    for (; column + STRIDED_COLUMNS <= count; column += STRIDED_COLUMNS) {
        __global const float *b0 = b + column * b_stride;
        float16 s0 = 0.0f;
        float16 s1 = 0.0f;
        float16 s2 = 0.0f;
        float16 s3 = 0.0f;
        int i = 0;
        for (; i + 16 <= k; i += 16) {
            const float16 left = vload16(0, a + i);
            s0 += left * vload16(0, b0 + i);
            s1 += left * vload16(0, b0 + b_stride + i);
            s2 += left * vload16(0, b0 + 2 * b_stride + i);
            s3 += left * vload16(0, b0 + 3 * b_stride + i);
        }
        float t0 = strided_sum(s0);
        float t1 = strided_sum(s1);
        float t2 = strided_sum(s2);
        float t3 = strided_sum(s3);
        for (; i < k; ++i) {
            t0 += a[i] * b0[i];
            t1 += a[i] * b0[b_stride + i];
            t2 += a[i] * b0[2 * b_stride + i];
            t3 += a[i] * b0[3 * b_stride + i];
        }
        y[column * y_stride] = alpha * t0;
        y[(column + 1) * y_stride] = alpha * t1;
        y[(column + 2) * y_stride] = alpha * t2;
        y[(column + 3) * y_stride] = alpha * t3;
    }
    for (; column < count; ++column) {
        float total = 0.0f;
        for (int i = 0; i < k; ++i) {
            total += a[i] * b[column * b_stride + i];
        }
        y[column * y_stride] = alpha * total;
    }
}

static inline void strided_store(const float16 sums, __global float *y, const int y_stride) {
    if (y_stride == 1) {
        vstore16(sums, 0, y);
        return;
    }
    float lanes[16];
    vstore16(sums, 0, lanes);
    for (int lane = 0; lane < 16; ++lane) {
        y[lane * y_stride] = lanes[lane];
    }
}

// The products of a row with `count` columns, of which the next term is b_stride elements further.
static inline void strided_sums(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int count,
        const int k,
        const int b_stride,
        const int y_stride,
        const float alpha) {
    int column = 0;
    for (; column + STRIDED_BLOCK <= count; column += STRIDED_BLOCK) {
        float16 s0 = 0.0f;
        float16 s1 = 0.0f;
        float16 s2 = 0.0f;
        float16 s3 = 0.0f;
        for (int i = 0; i < k; ++i) {
            __global const float *line = b + i * b_stride + column;
            const float16 left = a[i];
            s0 += left * vload16(0, line);
            s1 += left * vload16(1, line);
            s2 += left * vload16(2, line);
            s3 += left * vload16(3, line);
        }
        strided_store(alpha * s0, y + column * y_stride, y_stride);
        strided_store(alpha * s1, y + (column + 16) * y_stride, y_stride);
        strided_store(alpha * s2, y + (column + 32) * y_stride, y_stride);
        strided_store(alpha * s3, y + (column + 48) * y_stride, y_stride);
    }
    for (; column + 16 <= count; column += 16) {
        float16 sums = 0.0f;
        for (int i = 0; i < k; ++i) {
            sums += a[i] * vload16(0, b + i * b_stride + column);
        }
        strided_store(alpha * sums, y + column * y_stride, y_stride);
    }
    for (; column < count; ++column) {
        float total = 0.0f;
        for (int i = 0; i < k; ++i) {
            total += a[i] * b[i * b_stride + column];
        }
        y[column * y_stride] = alpha * total;
    }
}

__kernel void strided_terms(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int a_offset,
        const int b_offset,
        const int a_stride,
        const int b_stride,
        const int2 y_strides,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides,
        const int8 y_batch_strides,
        const float alpha,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int first = (int)((long)n * at.x / items);
    const int count = (int)((long)n * (at.x + 1) / items) - first;
    __global const float *left = a + a_offset + strided_offset(at.y, batch_dims, a_batch_strides);
    __global const float *right = b + b_offset + strided_offset(at.y, batch_dims, b_batch_strides) + first * b_stride;
    __global float *to = y + strided_offset(at.y, batch_dims, y_batch_strides) + first * y_strides.y;
    for (int row = 0; row < m; ++row) {
        strided_dots(left + row * a_stride, right, to + row * y_strides.x, count, k, b_stride, y_strides.y, alpha);
    }
}

__kernel void strided_columns(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int a_offset,
        const int b_offset,
        const int a_stride,
        const int b_stride,
        const int2 y_strides,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides,
        const int8 y_batch_strides,
        const float alpha,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int first = (int)((long)n * at.x / items);
    const int count = (int)((long)n * (at.x + 1) / items) - first;
    __global const float *left = a + a_offset + strided_offset(at.y, batch_dims, a_batch_strides);
    __global const float *right = b + b_offset + strided_offset(at.y, batch_dims, b_batch_strides) + first;
    __global float *to = y + strided_offset(at.y, batch_dims, y_batch_strides) + first * y_strides.y;
    for (int row = 0; row < m; ++row) {
        strided_sums(left + row * a_stride, right, to + row * y_strides.x, count, k, b_stride, y_strides.y, alpha);
    }
}
