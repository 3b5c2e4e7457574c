// Operands of a work-group's tile that are read where they lie, four elements at a time: along terms or along rows and
// columns, whichever are adjacent. After common/group_tile.h.
//
// Assumes: 4 divides the size of what is adjacent, the other stride, and the distance of the tile from the tensor's
//          begin.
// Macros:  those of common/stored_quads.h, which is part of it.
// Gives:   read_quads, keep_quads  as read_lines and keep_lines; an item has LEFT_QUADS or RIGHT_QUADS of them.
#ifndef CLINFER_GROUP_QUADS_H
#define CLINFER_GROUP_QUADS_H

#include "common/stored_quads.h"

// As brought(), for four elements along what is adjacent.
static inline int2 brought_quad(int i, int lines, int terms_adjacent) {
    const int e = group_item() + i * GROUP_ITEMS;
    return terms_adjacent ? (int2)(e % (DEPTH / 4) * 4, e / (DEPTH / 4)) : (int2)(e / (lines / 4), e % (lines / 4) * 4);
}

static inline __attribute__((always_inline)) void read_quads(
        TERM4 *values,
        __global const STORED *from,
        int count,
        int left,
        int line_stride,
        int term_stride,
        int lines,
        int terms_adjacent) {
    _Pragma("unroll")
    for (int i = 0; i < (lines * DEPTH / GROUP_ITEMS + 3) / 4; ++i) {
        const int2 at = brought_quad(i, lines, terms_adjacent);
        const bool inside = at.x < min(left, DEPTH) && at.y < min(count, lines);
        values[i] = inside ? load_quad(from, at.y * line_stride + at.x * term_stride) : 0;
    }
}

static inline __attribute__((always_inline)) void keep_quads(
        const TERM4 *values, __local TERM *tile, int lines, int pitch, int terms_adjacent) {
    _Pragma("unroll")
    for (int i = 0; i < (lines * DEPTH / GROUP_ITEMS + 3) / 4; ++i) {
        const int2 at = brought_quad(i, lines, terms_adjacent);
        if (at.x < DEPTH && at.y < lines) {
            __local TERM *to = tile + at.x * pitch + at.y;
            const TERM4 four = values[i];
            if (terms_adjacent) {
                to[0] = four.x;
                to[pitch] = four.y;
                to[2 * pitch] = four.z;
                to[3 * pitch] = four.w;
            } else {
                *(__local TERM4 *)to = four;
            }
        }
    }
}

#endif
