// y = alpha * A B' + beta * C where B is stored transposed: dot products of rows, 16 lanes wide.
//
// Layout: A [m, k], B [n, k], y [m, n], all dense; C is walked with [row, column] strides and may be NULL.
// Assumes: fewer than 2^31 elements in every tensor. Global size [ceil(n / 4), ceil(m / ROWS)].
// Macros: ROWS  rows of A per item, 1 or 4.
#ifndef ROWS
#define ROWS 4
#endif

static inline float lane_sum(float16 v) {
    const float8 half8 = v.lo + v.hi;
    const float4 half4 = half8.lo + half8.hi;
    return half4.x + half4.y + half4.z + half4.w;
}

#define COLUMNS 4

__kernel void gemm_rows(
        __global const float *a,
        __global const float *b,
        __global const float *c,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int2 c_strides,
        const float alpha,
        const float beta) {
    const int column = get_global_id(0) * COLUMNS;
    const int row = get_global_id(1) * ROWS;
    float16 wide[ROWS][COLUMNS];
    float total[ROWS][COLUMNS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
        for (int o = 0; o < COLUMNS; ++o) {
            wide[r][o] = 0.0f;
            total[r][o] = 0.0f;
        }
    }
    int i = 0;
    for (; i + 16 <= k; i += 16) {
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            const float16 left = vload16(0, a + min(row + r, m - 1) * k + i);
#pragma unroll
            for (int o = 0; o < COLUMNS; ++o) {
                wide[r][o] += left * vload16(0, b + min(column + o, n - 1) * k + i);
            }
        }
    }
    for (; i < k; ++i) {
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
#pragma unroll
            for (int o = 0; o < COLUMNS; ++o) {
                total[r][o] += a[min(row + r, m - 1) * k + i] * b[min(column + o, n - 1) * k + i];
            }
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
        for (int o = 0; o < COLUMNS; ++o) {
            if (row + r < m && column + o < n) {
                const float product = lane_sum(wide[r][o]) + total[r][o];
                const float added = c ? beta * c[(row + r) * c_strides.x + (column + o) * c_strides.y] : 0.0f;
                y[(row + r) * n + column + o] = alpha * product + added;
            }
        }
    }
}
