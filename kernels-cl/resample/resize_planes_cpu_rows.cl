// Resamples the two innermost axes, or one of them, of a tensor, nearest or linear, by rows: an item computes a band of
// rows of some planes.
//
// Layout: x and y are [planes, height, width], dense; sizes are int2 [height, width], scales float2 alike.
// Assumes: fewer than 2^31 elements; x is not empty; kinds as in common/resample_kinds.h. The rows are divided into
//          `bands`, the planes into `groups`; global size [bands, groups].
// Macros: none.
#include "common/resample_kinds.h"

typedef float ResizeFloats __attribute__((ext_vector_type(16), aligned(4)));

// Rows or columns whose taps are found at a time.
#define RESIZE_PIECE 128

// Those of a piece of an axis: where they are in x, and their weights. runs: 1 where they lie side by side, 2 where each
// is there twice, else 0.
typedef struct {
    int count;
    int runs;
    int first[RESIZE_PIECE];
    int second[RESIZE_PIECE];
    float first_weights[RESIZE_PIECE];
    float second_weights[RESIZE_PIECE];
} ResizeTaps;

__attribute__((noinline)) static void resize_taps(ResizeTaps *taps, int start, int end, int size, int x_size,
        float scale, int linear, int coordinates, int nearest) {
    int side_by_side = 1, twice = 1;
    taps->count = min(end - start, RESIZE_PIECE);
    for (int i = 0; i < taps->count; ++i) {
        const ResampleTap tap = resample_tap(start + i, size, x_size, scale, linear, coordinates, nearest);
        taps->first[i] = tap.places.s0;
        taps->second[i] = tap.places.s1;
        taps->first_weights[i] = tap.weights.s0;
        taps->second_weights[i] = tap.weights.s1;
        side_by_side = side_by_side && taps->first[i] == taps->first[0] + i;
        twice = twice && taps->first[i] == taps->first[0] + i / 2;
    }
    taps->runs = side_by_side ? 1 : twice ? 2 : 0;
}

__attribute__((noinline)) static void resize_copy(__global const float *x, __global float *y, int count) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        *(__global ResizeFloats *)(y + i) = *(__global const ResizeFloats *)(x + i);
    }
    for (; i < count; ++i) {
        y[i] = x[i];
    }
}

__attribute__((noinline)) static void resize_row_nearest(
        __global const float *x, __global float *y, const ResizeTaps *taps) {
    const int count = taps->count;
    int i = 0;
    if (taps->runs == 1) {
        resize_copy(x + taps->first[0], y, count);
        return;
    }
    if (taps->runs == 2) {
        for (; i + 32 <= count; i += 32) {
            const float16 v = *(__global const ResizeFloats *)(x + taps->first[i]);
            *(__global ResizeFloats *)(y + i) = (float16)(
                    v.s0, v.s0, v.s1, v.s1, v.s2, v.s2, v.s3, v.s3, v.s4, v.s4, v.s5, v.s5, v.s6, v.s6, v.s7, v.s7);
            *(__global ResizeFloats *)(y + i + 16) = (float16)(
                    v.s8, v.s8, v.s9, v.s9, v.sa, v.sa, v.sb, v.sb, v.sc, v.sc, v.sd, v.sd, v.se, v.se, v.sf, v.sf);
        }
    }
    for (; i < count; ++i) {
        y[i] = x[taps->first[i]];
    }
}

// The weighted sums of two columns of a row.
__attribute__((noinline)) static void resize_across(__global const float *x, float *sums, const ResizeTaps *taps) {
    for (int i = 0; i < taps->count; ++i) {
        sums[i] = taps->first_weights[i] * x[taps->first[i]] + taps->second_weights[i] * x[taps->second[i]];
    }
}

__attribute__((noinline)) static void resize_between(
        const float *above, const float *below, float2 weights, __global float *y, int count) {
    for (int i = 0; i < count; ++i) {
        y[i] = weights.s0 * above[i] + weights.s1 * below[i];
    }
}

// A piece of a plane. The sums of a row of x serve all rows of y that lie beside it.
static inline void resize_piece_linear(__global const float *plane, int x_pitch, __global float *y, int pitch,
        const ResizeTaps *rows, const ResizeTaps *columns) {
    float sums[2 * RESIZE_PIECE];
    int above = 0, row_above = -1, row_below = -1;
    for (int row = 0; row < rows->count; ++row) {
        if (rows->first[row] == row_below) {
            row_below = row_above;
            row_above = rows->first[row];
            above = RESIZE_PIECE - above;
        }
        if (rows->first[row] != row_above) {
            row_above = rows->first[row];
            resize_across(plane + row_above * x_pitch, sums + above, columns);
        }
        int below = above;
        if (rows->second[row] != row_above) {
            below = RESIZE_PIECE - above;
            if (rows->second[row] != row_below) {
                row_below = rows->second[row];
                resize_across(plane + row_below * x_pitch, sums + below, columns);
            }
        }
        const float2 weights = (float2)(rows->first_weights[row], rows->second_weights[row]);
        resize_between(sums + above, sums + below, weights, y + row * pitch, columns->count);
    }
}

static inline void resize_piece_nearest(__global const float *plane, int x_pitch, __global float *y, int pitch,
        const ResizeTaps *rows, const ResizeTaps *columns) {
    for (int row = 0; row < rows->count; ++row) {
        __global float *to = y + row * pitch;
        if (row > 0 && rows->first[row] == rows->first[row - 1]) {
            resize_copy(to - pitch, to, columns->count);
        } else {
            resize_row_nearest(plane + rows->first[row] * x_pitch, to, columns);
        }
    }
}

__kernel void resize_planes_cpu_rows(
        __global const float *x,
        __global float *y,
        const int linear,
        const int coordinates,
        const int nearest,
        const int planes,
        const int2 size,
        const int2 x_size,
        const float2 scale,
        const int bands,
        const int groups) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int last_row = (int)((long)size.s0 * (at.x + 1) / bands);
    const int first_plane = (int)((long)planes * at.y / groups);
    const int last_plane = (int)((long)planes * (at.y + 1) / groups);
    ResizeTaps rows, columns;
    for (int column = 0; column < size.s1; column += RESIZE_PIECE) {
        resize_taps(&columns, column, size.s1, size.s1, x_size.s1, scale.s1, linear, coordinates, nearest);
        for (int row = (int)((long)size.s0 * at.x / bands); row < last_row; row += RESIZE_PIECE) {
            resize_taps(&rows, row, last_row, size.s0, x_size.s0, scale.s0, linear, coordinates, nearest);
            for (int plane = first_plane; plane < last_plane; ++plane) {
                __global const float *from = x + plane * x_size.s0 * x_size.s1;
                __global float *to = y + (plane * size.s0 + row) * size.s1 + column;
                if (linear) {
                    resize_piece_linear(from, x_size.s1, to, size.s1, &rows, &columns);
                } else {
                    resize_piece_nearest(from, x_size.s1, to, size.s1, &rows, &columns);
                }
            }
        }
    }
}
