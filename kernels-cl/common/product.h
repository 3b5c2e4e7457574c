// Products of matrices by register tiles. B is packed in panels of 32 columns (linalg/product_cpu_pack.cl), A is read where it
// lies, in any strides. An item computes one panel of columns for some rows: for each slice of the terms, short enough
// that this part of the panel stays in the first cache, all its rows, whose sums wait in y meanwhile.
//
// Gives: PRODUCT_WIDTH                     columns of a panel;
//        ProductTile, product_tile         rows of one slice, at most 13 at a time;
//        product_slice, product_tile_rows  how long a slice is, how many of the rows that are left the next tile takes;
//        product_ahead                     what to ask for early.
// Float32 alone. No function asks which item it is.
#ifndef CLINFER_PRODUCT_H
#define CLINFER_PRODUCT_H

#include "common/runs_end.h"
#include "common/prefetch.h"

#define PRODUCT_WIDTH 32
#define PRODUCT_TERMS 384
#define PRODUCT_HELD (1 << 19)
#define PRODUCT_EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; ++i)

// Pointers are those of the first row, and of the first column of the panel, whose rows are panel_step apart.
typedef struct {
    __global const float *a;
    __global const float *panel;
    __global const float *bias;
    __global float *y;
    int a_row;
    int a_step;
    int panel_step;
    int rows;
    int columns;
    int pitch;
    int terms;
    int begun;
    int ahead;
} ProductTile;

// The first `count` elements, or all 16.
static inline float16 product_read(__global const float *x, int count) {
    return count >= 16 ? blocked_load(x) : count > 0 ? runs_read(x, count) : (float16)0.0f;
}

// Adds `terms` products to ROWS rows of VECTORS vectors; `rows` of them exist, the others repeat the last one. EARLY: asks
// for the panel early, which pays where few rows use it. Else it asks for what lies `ahead`.
#define PRODUCT_TILE(NAME, ROWS, VECTORS, EARLY)                                                                    \
    __attribute__((noinline)) static void NAME(const ProductTile *t) {                                              \
        __global const float *panel = t->panel;                                                                     \
        __global float *y = t->y;                                                                                   \
        const int last = t->rows - 1;                                                                               \
        const int columns = t->columns;                                                                             \
        const int pitch = t->pitch;                                                                                 \
        const int terms = t->terms;                                                                                 \
        const int step = t->a_step;                                                                                 \
        const int panel_step = t->panel_step;                                                                       \
        const int ahead = t->ahead;                                                                                 \
        __global const float *from[ROWS];                                                                           \
        float16 sums[ROWS][VECTORS];                                                                                \
        PRODUCT_EACH(r, ROWS) {                                                                                     \
            from[r] = t->a + min(r, last) * t->a_row;                                                               \
        }                                                                                                           \
        if (t->begun) {                                                                                             \
            PRODUCT_EACH(r, ROWS) {                                                                                 \
                PRODUCT_EACH(v, VECTORS) {                                                                          \
                    sums[r][v] = product_read(y + min(r, last) * pitch + v * 16, columns - v * 16);                 \
                }                                                                                                   \
            }                                                                                                       \
        } else {                                                                                                    \
            PRODUCT_EACH(v, VECTORS) {                                                                              \
                const float16 start = t->bias ? product_read(t->bias + v * 16, columns - v * 16) : 0.0f;            \
                PRODUCT_EACH(r, ROWS) {                                                                             \
                    sums[r][v] = start;                                                                             \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        for (int i = 0, at = 0; i < terms; ++i, at += step, panel += panel_step) {                                  \
            float16 right[VECTORS];                                                                                 \
            PRODUCT_EACH(v, VECTORS) {                                                                              \
                PREFETCH(panel + (EARLY ? PREFETCH_AHEAD : ahead) + v * 16);                                        \
                right[v] = blocked_load(panel + v * 16);                                                            \
            }                                                                                                       \
            PRODUCT_EACH(r, ROWS) {                                                                                 \
                const float16 left = from[r][at];                                                                   \
                PRODUCT_EACH(v, VECTORS) {                                                                          \
                    sums[r][v] += left * right[v];                                                                  \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        PRODUCT_EACH(r, ROWS) {                                                                                     \
            PRODUCT_EACH(v, VECTORS) {                                                                              \
                const int count = columns - v * 16;                                                                 \
                if (r <= last && count >= 16) {                                                                     \
                    blocked_store(sums[r][v], y + r * pitch + v * 16);                                              \
                } else if (r <= last && count > 0) {                                                                \
                    runs_write(sums[r][v], y + r * pitch + v * 16, count);                                          \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
    }

#if REGISTER_LANES < 16
PRODUCT_TILE(product_tile_6x1, 6, 1, 0)
PRODUCT_TILE(product_tile_4x1, 4, 1, 1)
PRODUCT_TILE(product_tile_2x1, 2, 1, 1)

// How many of `left` rows the next tile takes: 7 and 8 are two tiles.
static inline int product_tile_rows(int left) {
    return left > 6 && left <= 8 ? (left + 1) / 2 : min(left, 6);
}

static inline void product_tile(const ProductTile *t) {
    ProductTile part = *t;
    for (int column = 0; column < t->columns; column += 16) {
        part.panel = t->panel + column;
        part.bias = t->bias ? t->bias + column : 0;
        part.y = t->y + column;
        part.columns = t->columns - column;
        if (t->rows > 4) {
            product_tile_6x1(&part);
        } else if (t->rows > 2) {
            product_tile_4x1(&part);
        } else {
            product_tile_2x1(&part);
        }
    }
}
#else
PRODUCT_TILE(product_tile_13x2, 13, 2, 0)
PRODUCT_TILE(product_tile_8x2, 8, 2, 1)
PRODUCT_TILE(product_tile_4x2, 4, 2, 1)
PRODUCT_TILE(product_tile_13x1, 13, 1, 0)
PRODUCT_TILE(product_tile_8x1, 8, 1, 1)
PRODUCT_TILE(product_tile_4x1, 4, 1, 1)

// How many of `left` rows the next tile takes: 14 to 16 are two tiles that ask for the panel early.
static inline int product_tile_rows(int left) {
    return left > 13 && left <= 16 ? (left + 1) / 2 : min(left, 13);
}

static inline void product_tile(const ProductTile *t) {
    if (t->columns > 16) {
        if (t->rows > 8) {
            product_tile_13x2(t);
        } else if (t->rows > 4) {
            product_tile_8x2(t);
        } else {
            product_tile_4x2(t);
        }
    } else if (t->rows > 8) {
        product_tile_13x1(t);
    } else if (t->rows > 4) {
        product_tile_8x1(t);
    } else {
        product_tile_4x1(t);
    }
}
#endif

// How far from a slice the next one begins, in floats, if the panels of `terms` times `columns` elements do not stay in
// the second cache while all rows pass; else 0.
static inline int product_ahead(int slice, int terms, int columns) {
    return (long)terms * columns >= PRODUCT_HELD ? slice * PRODUCT_WIDTH : 0;
}

// How many terms a slice has: slices are about equally long.
static inline int product_slice(int terms) {
    const int slices = max((terms + PRODUCT_TERMS - 1) / PRODUCT_TERMS, 1);
    return (terms + slices - 1) / slices;
}

#endif
