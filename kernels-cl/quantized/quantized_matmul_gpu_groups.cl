// Products of matrices of codes, for devices whose work-groups share fast local memory: a work-group computes a tile of
// y. Codes lose their zero points on their way to local memory.
// Layout: dense matrices, A [m, k], B [k, n], y [m, n]; the batch axes of A and B have their own strides (0 =
//         broadcast). bias is walked with [row, column] strides. row_steps: how far a_zero_point, a_scale, y_scale and
//         y_zero_point go on from one row to the next, column_steps: b_zero_point and b_scale from one column to the
//         next, 0 or 1.
// Assumes: every tensor has fewer than 2^31 elements; bias and zero points may be NULL, scales where RESULT_KIND does
//          not ask for them. Sums wrap. Global size [ceil(n / columns of a tile) * GROUP_COLUMNS, ceil(m / rows of a
//          tile) * GROUP_ROWS, number of matrices], local size [GROUP_COLUMNS, GROUP_ROWS, 1].
// Macros: A_CODE, B_CODE  char or uchar; RESULT, RESULT_KIND (common/requantize.h); TILE (common/group_tile.h);
//         LEFT_LOADED, RIGHT_LOADED  codes of A, of B that are loaded together: 4, which divides k, n then, or 1.
#define ELEMENT int8
#include "common/element.h"
#include "common/group_tile.h"
#include "common/index.h"
#include "common/requantize.h"

#ifndef A_CODE
#define A_CODE uchar
#endif
#ifndef B_CODE
#define B_CODE char
#endif
#ifndef LEFT_LOADED
#define LEFT_LOADED 1
#endif
#ifndef RIGHT_LOADED
#define RIGHT_LOADED 1
#endif

#define CODES_JOINED(type, count) type##count
#define CODES_OF(type, count) CODES_JOINED(type, count)

// How many loads an item makes of `lines` rows or columns, and what they are.
#define LOADS(lines, loaded) (((lines) * DEPTH / (loaded) + GROUP_ITEMS - 1) / GROUP_ITEMS)

// Row and first term of the i-th load of A, first column and term of that of B, within the tile.
static inline int2 left_load(int i) {
    const int e = group_item() + i * GROUP_ITEMS;
    return (int2)(e / (DEPTH / LEFT_LOADED), e % (DEPTH / LEFT_LOADED) * LEFT_LOADED);
}

static inline int2 right_load(int i) {
    const int e = group_item() + i * GROUP_ITEMS;
    return (int2)(e % (TILE_COLUMNS / RIGHT_LOADED) * RIGHT_LOADED, e / (TILE_COLUMNS / RIGHT_LOADED));
}

#if LEFT_LOADED == 4
typedef int4 LeftCodes;

static inline LeftCodes left_codes(__global const A_CODE *a, int zero) {
    return convert_int4(*(__global const CODES_OF(A_CODE, 4) *)a) - zero;
}
#else
typedef int LeftCodes;

static inline LeftCodes left_codes(__global const A_CODE *a, int zero) {
    return a[0] - zero;
}
#endif

#if RIGHT_LOADED == 4
typedef int4 RightCodes;

static inline RightCodes right_codes(__global const B_CODE *b, __global const B_CODE *zeros, int step) {
    const int4 zero = zeros ? (int4)(zeros[0], zeros[step], zeros[2 * step], zeros[3 * step]) : (int4)0;
    return convert_int4(*(__global const CODES_OF(B_CODE, 4) *)b) - zero;
}
#else
typedef int RightCodes;

static inline RightCodes right_codes(__global const B_CODE *b, __global const B_CODE *zeros, int step) {
    return b[0] - (zeros ? zeros[0] : 0);
}
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, 1)))
void quantized_matmul_gpu_groups(
        __global const A_CODE *a,
        __global const B_CODE *b,
        __global const int *bias,
        __global const A_CODE *a_zero_point,
        __global const B_CODE *b_zero_point,
        __global const float *a_scale,
        __global const float *b_scale,
        __global const float *y_scale,
        __global const RESULT *y_zero_point,
        __global RESULT *y,
        const int m,
        const int n,
        const int k,
        const int2 bias_strides,
        const int4 row_steps,
        const int2 column_steps,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides) {
    __local int4 left_tiles[LEFT_SIZE / 4];
    __local int4 right_tiles[RIGHT_SIZE / 4];
    const int matrix = get_group_id(2);
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    __global const A_CODE *a_matrix = a + strided_offset(matrix, batch_dims, a_batch_strides);
    __global const B_CODE *b_matrix = b + strided_offset(matrix, batch_dims, b_batch_strides);
    LeftCodes left_next[LOADS(TILE_ROWS, LEFT_LOADED)];
    RightCodes right_next[LOADS(TILE_COLUMNS, RIGHT_LOADED)];
    int4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    clear_sums(sums);
    int half_at = 0;
    for (int term = -DEPTH; term < k; term += DEPTH) {
        const int next = term + DEPTH;
        if (next < k) {
            _Pragma("unroll")
            for (int i = 0; i < LOADS(TILE_ROWS, LEFT_LOADED); ++i) {
                const int row = first_row + left_load(i).x;
                const int at = next + left_load(i).y;
                const bool inside = row < m && at < k;
                const int zero = inside && a_zero_point ? a_zero_point[row * row_steps.x] : 0;
                left_next[i] = inside ? left_codes(a_matrix + row * k + at, zero) : (LeftCodes)0;
            }
            _Pragma("unroll")
            for (int i = 0; i < LOADS(TILE_COLUMNS, RIGHT_LOADED); ++i) {
                const int column = first_column + right_load(i).x;
                const int at = next + right_load(i).y;
                __global const B_CODE *zeros = b_zero_point ? b_zero_point + column * column_steps.x : 0;
                right_next[i] = column < n && at < k ? right_codes(b_matrix + at * n + column, zeros, column_steps.x)
                                                     : (RightCodes)0;
            }
        }
        if (term >= 0) {
            multiply_terms((__local int *)left_tiles + half_at * (LEFT_SIZE / 2),
                    (__local int *)right_tiles + half_at * (RIGHT_SIZE / 2), sums);
            half_at = 1 - half_at;
        }
        if (next < k) {
            __local int *left = (__local int *)left_tiles + half_at * (LEFT_SIZE / 2);
            __local int *right = (__local int *)right_tiles + half_at * (RIGHT_SIZE / 2);
            _Pragma("unroll")
            for (int i = 0; i < LOADS(TILE_ROWS, LEFT_LOADED); ++i) {
                const int2 at = left_load(i);
                if (at.x < TILE_ROWS) {
#if LEFT_LOADED == 4
                    left[at.y * LEFT_PITCH + at.x] = left_next[i].x;
                    left[(at.y + 1) * LEFT_PITCH + at.x] = left_next[i].y;
                    left[(at.y + 2) * LEFT_PITCH + at.x] = left_next[i].z;
                    left[(at.y + 3) * LEFT_PITCH + at.x] = left_next[i].w;
#else
                    left[at.y * LEFT_PITCH + at.x] = left_next[i];
#endif
                }
            }
            _Pragma("unroll")
            for (int i = 0; i < LOADS(TILE_COLUMNS, RIGHT_LOADED); ++i) {
                const int2 at = right_load(i);
                if (at.y < DEPTH) {
#if RIGHT_LOADED == 4
                    *(__local int4 *)(right + at.y * RIGHT_PITCH + at.x) = right_next[i];
#else
                    right[at.y * RIGHT_PITCH + at.x] = right_next[i];
#endif
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    _Pragma("unroll")
    for (int r = 0; r < EACH_ROWS; ++r) {
        const int row = first_row + tile_row(r);
        _Pragma("unroll")
        for (int i = 0; i < EACH_COLUMNS; ++i) {
            const int column = first_column + tile_column(i / 4, i % 4);
            if (row < m && column < n) {
                int sum[4];
                vstore4(sums[r][i / 4], 0, sum);
                const int total = sum[i % 4] + (bias ? bias[row * bias_strides.x + column * bias_strides.y] : 0);
#if RESULT_KIND == 0
                const float scale = 1;
#elif RESULT_KIND == 1
                const float scale = scale_of(a_scale[row * row_steps.y], b_scale[column * column_steps.y], 1);
#else
                const float scale = scale_of(
                        a_scale[row * row_steps.y], b_scale[column * column_steps.y], y_scale[row * row_steps.z]);
#endif
                store_sum(total, scale, y_zero_point ? (int)y_zero_point[row * row_steps.w] : 0, y,
                        (matrix * m + row) * n + column);
            }
        }
    }
}
