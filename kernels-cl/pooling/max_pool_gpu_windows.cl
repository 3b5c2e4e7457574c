// Maximum over a window of a size that is known when the program is built: an item has COLUMNS neighbouring results of one
// row, whose windows begin at a multiple of four columns less the padding, and reads each element of them once.
//
// Layout: x [planes, in_size.x, in_size.y], y [planes, out_size.x, out_size.y]; stride and pad are those of rows.
// Assumes: fewer than 2^31 elements; every window has an element, so that the nearest element of a cell of padding is one
//          of its window; items = planes * out_size.x * ceil(out_size.y / COLUMNS); the global size is at least items.
// Macros: ELEMENT (common/element.h), a floating type; WINDOW_HEIGHT, WINDOW_WIDTH; STRIDE_WIDTH: 1, 2 or 4; PAD_WIDTH;
//         QUADS  1: four divides in_size.y, which is not less than 4 * ceil(out_size.y / COLUMNS).
#include "common/element.h"
#include "common/fours.h"

#ifndef WINDOW_HEIGHT
#define WINDOW_HEIGHT 3
#endif
#ifndef WINDOW_WIDTH
#define WINDOW_WIDTH 3
#endif
#ifndef STRIDE_WIDTH
#define STRIDE_WIDTH 2
#endif
#ifndef PAD_WIDTH
#define PAD_WIDTH 1
#endif
#ifndef QUADS
#define QUADS 0
#endif

#define COLUMNS (4 / STRIDE_WIDTH)
#define SPAN (4 - STRIDE_WIDTH + WINDOW_WIDTH)

// The larger of two elements; a NaN is larger than all.
static inline WIDE larger_element(WIDE a, WIDE b) {
    return a >= b || isnan(a) ? a : b;
}

// Reads the columns of an item's windows in the row of x that begins at `row`, of which the first is that at `column` less the padding.
static inline __attribute__((always_inline)) void read_span(
        WIDE *values, __global const STORED *x, int row, int column, int width) {
#if QUADS
    const WIDE4 four = load_aligned_four(x, row + column);
    const WIDE inner[4] = {four.s0, four.s1, four.s2, four.s3};
#endif
    _Pragma("unroll")
    for (int i = 0; i < SPAN; ++i) {
        const int place = i - PAD_WIDTH;
#if QUADS
        if (place >= 0 && place < 4) {
            values[i] = inner[place & 3];
            continue;
        }
#endif
        values[i] = load_element(x, row + clamp(column + place, 0, width - 1));
    }
}

__kernel void max_pool_windows(
        __global const STORED *x,
        __global STORED *y,
        const int items,
        const int2 in_size,
        const int2 out_size,
        const int stride,
        const int pad) {
    const int item = get_global_id(0);
    if (item >= items) {
        return;
    }
    const int row_items = (out_size.y + COLUMNS - 1) / COLUMNS;
    const int line = item / row_items;
    const int place = item - line * row_items;
    const int plane = line / out_size.x;
    const int first = (line - plane * out_size.x) * stride - pad;
    WIDE best[SPAN];
    _Pragma("unroll")
    for (int tap = 0; tap < WINDOW_HEIGHT; ++tap) {
        WIDE values[SPAN];
        const int row = plane * in_size.x + clamp(first + tap, 0, in_size.x - 1);
        read_span(values, x, row * in_size.y, 4 * place, in_size.y);
        _Pragma("unroll")
        for (int i = 0; i < SPAN; ++i) {
            best[i] = tap == 0 ? values[i] : larger_element(best[i], values[i]);
        }
    }
    _Pragma("unroll")
    for (int k = 0; k < COLUMNS; ++k) {
        WIDE result = best[k * STRIDE_WIDTH];
        _Pragma("unroll")
        for (int tap = 1; tap < WINDOW_WIDTH; ++tap) {
            result = larger_element(result, best[k * STRIDE_WIDTH + tap]);
        }
        if (place * COLUMNS + k < out_size.y) {
            store_element(result, y, line * out_size.y + place * COLUMNS + k);
        }
    }
}
