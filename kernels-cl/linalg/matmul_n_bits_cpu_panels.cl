// y = a * B + bias, where B are codes of 4 or 8 bits, and every block of neighbours in a column has a scale and a zero
// point of its own. All three are packed in panels of 32 columns first (matmul_n_bits_cpu_pack.cl). Few rows are multiplied
// with the codes as these are made real; for many an item makes a slice of its panel real in `slices`.
//
// Layout: a [m, k] and y [m, n] dense, bias [n] or NULL; codes [n / 32, k, 32]: of 4 bits, the low ones of 16 bytes are
//         columns 0 to 15, the high ones the others; scales and zero_points [n / 32, blocks, 32], the latter NULL where
//         half of the codes are below 0; slices [n / 32, terms of a slice, 32].
// Assumes: fewer than 2^31 elements in every tensor. Global size [n / 32], rounded up.
// Macros: BITS  of a code, 4 or 8.
#include "common/product.h"

#ifndef BITS
#define BITS 4
#endif

#define N_BITS_BYTES (PRODUCT_WIDTH * BITS / 8)
#define N_BITS_FEW 4

typedef uchar N_BITS_RUN __attribute__((ext_vector_type(16), aligned(1)));

// The codes of 32 columns less their zero points.
static inline void n_bits_steps(__global const uchar *codes, const float16 *zeros, float16 *steps) {
    const N_BITS_RUN bytes = *(__global const N_BITS_RUN *)codes;
#if BITS == 4
    steps[0] = __builtin_convertvector(bytes & (uchar)15, float16) - zeros[0];
    steps[1] = __builtin_convertvector(bytes >> (uchar)4, float16) - zeros[1];
#else
    steps[0] = __builtin_convertvector(bytes, float16) - zeros[0];
    steps[1] = __builtin_convertvector(*(__global const N_BITS_RUN *)(codes + 16), float16) - zeros[1];
#endif
}

// What the codes of a block have in common.
static inline void n_bits_block(
        __global const float *scales, __global const float *zero_points, int at, float16 *scale, float16 *zero) {
    PRODUCT_EACH(v, 2) {
        scale[v] = blocked_load(scales + at + v * 16);
        zero[v] = zero_points ? blocked_load(zero_points + at + v * 16) : (float16)(float)(1 << (BITS - 1));
    }
}

// ROWS rows, of which `rows` exist, times a panel.
#define N_BITS_ROWS(NAME, ROWS)                                                                                     \
    __attribute__((noinline)) static void NAME(                                                                     \
            __global const float *a, __global const uchar *codes, __global const float *scales,                     \
            __global const float *zero_points, __global const float *bias, __global float *y, int rows, int n,      \
            int columns, int k, int block_size) {                                                                   \
        float16 sums[ROWS][2];                                                                                      \
        __global const float *from[ROWS];                                                                           \
        PRODUCT_EACH(r, ROWS) {                                                                                     \
            from[r] = a + min(r, rows - 1) * k;                                                                     \
            PRODUCT_EACH(v, 2) {                                                                                    \
                sums[r][v] = bias ? product_read(bias + v * 16, columns - v * 16) : (float16)0.0f;                  \
            }                                                                                                       \
        }                                                                                                           \
        for (int first = 0, at = 0; first < k; first += block_size, at += PRODUCT_WIDTH) {                          \
            const int last = min(first + block_size, k);                                                            \
            float16 scale[2];                                                                                       \
            float16 zero[2];                                                                                        \
            float16 parts[ROWS][2];                                                                                 \
            n_bits_block(scales, zero_points, at, scale, zero);                                                     \
            PRODUCT_EACH(r, ROWS) {                                                                                 \
                parts[r][0] = 0.0f;                                                                                 \
                parts[r][1] = 0.0f;                                                                                 \
            }                                                                                                       \
            for (int i = first; i < last; ++i, codes += N_BITS_BYTES) {                                             \
                float16 steps[2];                                                                                   \
                PREFETCH(codes + PREFETCH_AHEAD);                                                                   \
                n_bits_steps(codes, zero, steps);                                                                   \
                PRODUCT_EACH(r, ROWS) {                                                                             \
                    const float16 left = from[r][i];                                                                \
                    parts[r][0] += left * steps[0];                                                                 \
                    parts[r][1] += left * steps[1];                                                                 \
                }                                                                                                   \
            }                                                                                                       \
            PRODUCT_EACH(r, ROWS) {                                                                                 \
                PRODUCT_EACH(v, 2) {                                                                                \
                    sums[r][v] += parts[r][v] * scale[v];                                                           \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        PRODUCT_EACH(r, ROWS) {                                                                                     \
            PRODUCT_EACH(v, 2) {                                                                                    \
                const int count = min(columns - v * 16, 16);                                                        \
                if (r < rows && count > 0) {                                                                        \
                    runs_write(sums[r][v], y + r * n + v * 16, count);                                              \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
    }

N_BITS_ROWS(n_bits_one_row, 1)
N_BITS_ROWS(n_bits_few_rows, N_BITS_FEW)

// Makes `count` terms from `first` on real.
__attribute__((noinline)) static void n_bits_slice(
        __global const uchar *codes,
        __global const float *scales,
        __global const float *zero_points,
        __global float *slice,
        int first,
        int count,
        int block_size) {
    float16 scale[2];
    float16 zero[2];
    int left = 0;
    for (int i = first; i < first + count; ++i, --left, slice += PRODUCT_WIDTH) {
        if (left == 0) {
            n_bits_block(scales, zero_points, i / block_size * PRODUCT_WIDTH, scale, zero);
            left = block_size - i % block_size;
        }
        float16 steps[2];
        n_bits_steps(codes + i * N_BITS_BYTES, zero, steps);
        blocked_store(steps[0] * scale[0], slice);
        blocked_store(steps[1] * scale[1], slice + 16);
    }
}

__kernel void matmul_n_bits_cpu_panels(
        __global const float *a,
        __global const uchar *codes,
        __global const float *scales,
        __global const float *zero_points,
        __global const float *bias,
        __global float *slices,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int blocks,
        const int block_size) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int column = at.x * PRODUCT_WIDTH;
    const int columns = min(n - column, PRODUCT_WIDTH);
    __global const uchar *own_codes = codes + at.x * k * N_BITS_BYTES;
    __global const float *own_scales = scales + at.x * blocks * PRODUCT_WIDTH;
    __global const float *own_zeros = zero_points ? zero_points + at.x * blocks * PRODUCT_WIDTH : 0;
    __global const float *own_bias = bias ? bias + column : 0;
    if (m == 1) {
        n_bits_one_row(a, own_codes, own_scales, own_zeros, own_bias, y + column, 1, n, columns, k, block_size);
        return;
    }
    if (m <= N_BITS_FEW) {
        n_bits_few_rows(a, own_codes, own_scales, own_zeros, own_bias, y + column, m, n, columns, k, block_size);
        return;
    }
    const int slice = product_slice(k);
    __global float *real = slices + at.x * slice * PRODUCT_WIDTH;
    ProductTile t;
    t.bias = own_bias;
    t.a_row = k;
    t.a_step = 1;
    t.panel_step = PRODUCT_WIDTH;
    t.columns = columns;
    t.pitch = n;
    t.ahead = 0;
    t.panel = real;
    for (int begin = 0; begin < k; begin += slice) {
        t.terms = min(k - begin, slice);
        t.begun = begin > 0;
        n_bits_slice(own_codes, own_scales, own_zeros, real, begin, t.terms, block_size);
        for (int row = 0; row < m; row += t.rows) {
            t.rows = product_tile_rows(m - row);
            t.a = a + row * k + begin;
            t.y = y + row * n + column;
            product_tile(&t);
        }
    }
}
