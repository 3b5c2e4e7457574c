// y = alpha * A B' + beta * C (gemm), or A B' (matmul), where B is stored transposed: dot products of rows, 16 lanes
// wide. A matrix times one column is one row times it, stored transposed.
//
// Layout: A [m, k], B [n, k], y [m, n], all dense; C is walked with [row, column] strides and may be NULL.
// Assumes: fewer than 2^31 elements in every tensor. Global size [ceil(n / 4), ceil(m / ROWS)].
// Macros: ROWS  rows of A per item, 1 or 4.
#ifndef ROWS
#define ROWS 4
#endif

static inline float lane_sum(float16 v) {
    float lanes[16];
    vstore16(v, 0, lanes);
    float sum = 0.0f;
    for (int lane = 0; lane < 16; ++lane) {
        sum += lanes[lane];
    }
    return sum;
}

#define COLUMNS 4

static inline void dot_rows(
        __global const float *a,
        __global const float *b,
        __global const float *c,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int2 c_strides,
        const float alpha,
        const float beta,
        const int2 at) {
    const int column = at.x * COLUMNS;
    const int row = at.y * ROWS;
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
    dot_rows(a, b, c, y, m, n, k, c_strides, alpha, beta, (int2)(get_global_id(0), get_global_id(1)));
}

__kernel void matmul_rows(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int m,
        const int n,
        const int k) {
    dot_rows(a, b, 0, y, m, n, k, (int2)(0, 0), 1.0f, 0.0f, (int2)(get_global_id(0), get_global_id(1)));
}
