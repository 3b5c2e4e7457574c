// y = alpha * A B + beta * C for few rows of A and a B that is packed in panels of 64 columns, each of which is read from
// memory once: fully connected layers.
//
// Layout: A [m, k] with a_strides, packed (conv_cpu_pack_weights.cl) is [n / 64, k, 64] with zeros beyond the last column,
//         y [m, n] dense. C is walked with [row, column] strides, the latter 0 or 1, and may be NULL.
// Assumes: fewer than 2^31 elements in every tensor; m is 1 to 8. Global size [ceil(n / 64)].
// Macros: none.
#include "common/rows.h"
#include "common/prefetch.h"

#define GEMM_PANELS_WIDTH 64

__attribute__((noinline)) static void gemm_panels_store(
        float16 sum, __global const float *c, int c_step, __global float *y, int count, float alpha, float beta) {
    const float16 total = alpha * sum;
    write_piece(c ? total + beta * read_piece(c, c_step, count) : total, y, count);
}

// ROWS rows, those beyond m as the last, times VECTORS vectors of columns from `column` on.
#define GEMM_PANELS_TILE(NAME, ROWS, VECTORS)                                                                       \
    __attribute__((noinline)) static void NAME(                                                                     \
            __global const float *a, int2 a_strides, __global const float *packed, __global const float *c,         \
            int2 c_strides, __global float *y, int column, int m, int n, int k, float alpha, float beta) {          \
        float16 sums[ROWS][VECTORS];                                                                                \
        __global const float *from[ROWS];                                                                           \
        _Pragma("unroll") for (int r = 0; r < ROWS; ++r) {                                                          \
            from[r] = a + min(r, m - 1) * a_strides.x;                                                              \
            _Pragma("unroll") for (int v = 0; v < VECTORS; ++v) {                                                   \
                sums[r][v] = 0.0f;                                                                                  \
            }                                                                                                       \
        }                                                                                                           \
        for (int i = 0; i < k; ++i, packed += GEMM_PANELS_WIDTH) {                                                  \
            float16 right[VECTORS];                                                                                 \
            _Pragma("unroll") for (int v = 0; v < VECTORS; ++v) {                                                   \
                PREFETCH(packed + PREFETCH_AHEAD + v * 16);                                                         \
                right[v] = vload16(v, packed);                                                                      \
            }                                                                                                       \
            _Pragma("unroll") for (int r = 0; r < ROWS; ++r) {                                                      \
                const float16 left = from[r][i * a_strides.y];                                                      \
                _Pragma("unroll") for (int v = 0; v < VECTORS; ++v) {                                               \
                    sums[r][v] += left * right[v];                                                                  \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        _Pragma("unroll") for (int r = 0; r < ROWS; ++r) {                                                          \
            _Pragma("unroll") for (int v = 0; v < VECTORS; ++v) {                                                   \
                const int first = column + v * 16;                                                                  \
                const int count = min(n - first, 16);                                                               \
                if (r < m && count > 0) {                                                                           \
                    gemm_panels_store(sums[r][v], c ? c + r * c_strides.x + first * c_strides.y : c,                \
                            c_strides.y, y + r * n + first, count, alpha, beta);                                    \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
    }

GEMM_PANELS_TILE(gemm_panels_1, 1, 4)
GEMM_PANELS_TILE(gemm_panels_2, 2, 4)
GEMM_PANELS_TILE(gemm_panels_4, 4, 4)
GEMM_PANELS_TILE(gemm_panels_8, 8, 2)

static void gemm_panels_item(
        __global const float *a,
        __global const float *packed,
        __global const float *c,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int2 a_strides,
        const int2 c_strides,
        const float alpha,
        const float beta,
        const int3 at) {
    const int column = at.x * GEMM_PANELS_WIDTH;
    __global const float *panel = packed + column * k;
    if (m == 1) {
        gemm_panels_1(a, a_strides, panel, c, c_strides, y, column, m, n, k, alpha, beta);
    } else if (m == 2) {
        gemm_panels_2(a, a_strides, panel, c, c_strides, y, column, m, n, k, alpha, beta);
    } else if (m <= 4) {
        gemm_panels_4(a, a_strides, panel, c, c_strides, y, column, m, n, k, alpha, beta);
    } else {
        for (int offset = 0; offset < GEMM_PANELS_WIDTH; offset += GEMM_PANELS_WIDTH / 2) {
            gemm_panels_8(a, a_strides, panel + offset, c, c_strides, y, column + offset, m, n, k, alpha,
                    beta);
        }
    }
}

__kernel void gemm_panels(
        __global const float *a,
        __global const float *packed,
        __global const float *c,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int2 a_strides,
        const int2 c_strides,
        const float alpha,
        const float beta) {
    gemm_panels_item(a, packed, c, y, m, n, k, a_strides, c_strides, alpha, beta,
            (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}

__kernel void matmul_panels(
        __global const float *a,
        __global const float *packed,
        __global float *y,
        const int m,
        const int n,
        const int k) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    gemm_panels_item(a, packed, 0, y, m, n, k, (int2)(k, 1), (int2)(0, 0), 1.0f, 0.0f, at);
}
