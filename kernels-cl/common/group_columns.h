// Columns of a convolution on their way to the right tile of a product: a column is a pixel or another position of x,
// and a slab of DEPTH terms is channels of one tap. After common/group_tile.h.
//
// Macros: X_QUADS  1: an item reads RIGHT_TERMS neighbouring terms of a column, else every TERM_STEP-th one, 2: of four
//               columns that are neighbours in x, aligned.
// Gives:  ITEM_COLUMN, ITEM_TERM  the (first) column that an item reads, and its first term of a slab;
//         Slab  where a slab is: begin_slab, find_slab, next_slab; keep_column  what was read of it, in local memory.
#ifndef CLINFER_GROUP_COLUMNS_H
#define CLINFER_GROUP_COLUMNS_H

#include "common/digits.h"

#ifndef X_QUADS
#define X_QUADS 0
#endif

#if X_QUADS == 1
#define TERM_STEP 1
#define ITEM_COLUMN (group_item() / (DEPTH / RIGHT_TERMS))
#define ITEM_TERM (group_item() % (DEPTH / RIGHT_TERMS) * RIGHT_TERMS)
#elif X_QUADS == 2
#define TERM_STEP (4 * GROUP_ITEMS / TILE_COLUMNS)
#define ITEM_COLUMN (group_item() % (TILE_COLUMNS / 4) * 4)
#define ITEM_TERM (group_item() / (TILE_COLUMNS / 4))
#else
#define TERM_STEP (GROUP_ITEMS / TILE_COLUMNS)
#define ITEM_COLUMN (group_item() % TILE_COLUMNS)
#define ITEM_TERM (group_item() / TILE_COLUMNS)
#endif

// The tap and first channel of a slab; of an item's column whether the tap meets x, and where its channels begin.
typedef struct {
    int4 tap;
    int channel;
    bool is_new;
    bool inside;
    int from;
} Slab;

// The slab that begins with term `slot`, of channel_slots for each tap.
static inline Slab begin_slab(int slot, int channel_slots, int4 taps) {
    const Slab slab = {digits_of(slot / channel_slots, taps), slot % channel_slots, true, false, 0};
    return slab;
}

// Finds the slab's tap in x: at `origin` and `step` for each tap, if the column exists. Taps are found once each.
static inline void find_slab(
        Slab *slab, bool exists, int4 origin, int4 step, int image_at, int4 in_size, int8 x_strides) {
    if (slab->is_new) {
        const int4 at = origin + slab->tap * step;
        const int offset = at.x * x_strides.s2 + at.y * x_strides.s3 + at.z * x_strides.s4;
        slab->inside = exists && is_inside(at, in_size);
        slab->from = slab->inside ? image_at + offset : 0;
        slab->is_new = false;
    }
}

static inline void next_slab(Slab *slab, int group_in, int4 taps) {
    slab->channel += DEPTH;
    if (slab->channel >= group_in) {
        slab->channel = 0;
        slab->is_new = true;
        slab->tap.z += 1;
        if (slab->tap.z == taps.z) {
            slab->tap.z = 0;
            slab->tap.y += 1;
            if (slab->tap.y == taps.y) {
                slab->tap.y = 0;
                slab->tap.x += 1;
            }
        }
    }
}

// Reads this item's terms of a slab. What is not there is read where something is, and left out: no branch stands
// between the loads.
static inline void read_column(TERM *values, __global const STORED *x, Slab slab, int group_in, int channel_stride) {
#if X_QUADS
    _Pragma("unroll")
    for (int i = 0; i < RIGHT_QUADS; ++i) {
        const int each = slab.channel + ITEM_TERM + (X_QUADS == 2 ? i * TERM_STEP : 4 * i);
        const bool is_term = slab.inside && each < group_in;
        const TERM4 quad = load_quad(x, is_term ? slab.from + (X_QUADS == 2 ? each * channel_stride : each) : 0);
        vstore4(is_term ? quad : 0, i, values);
    }
#else
    _Pragma("unroll")
    for (int i = 0; i < RIGHT_TERMS; ++i) {
        const int each = slab.channel + ITEM_TERM + i * TERM_STEP;
        const bool is_term = slab.inside && each < group_in;
        const TERM value = load_element(x, slab.from + (is_term ? each : 0) * channel_stride);
        values[i] = is_term ? value : 0;
    }
#endif
}

static inline void keep_column(const TERM *values, __local TERM *right) {
#if X_QUADS == 2
    _Pragma("unroll")
    for (int i = 0; i < RIGHT_QUADS; ++i) {
        *(__local TERM4 *)(right + (ITEM_TERM + i * TERM_STEP) * RIGHT_PITCH + ITEM_COLUMN) = vload4(i, values);
    }
#else
    _Pragma("unroll")
    for (int i = 0; i < RIGHT_TERMS; ++i) {
        right[(ITEM_TERM + i * TERM_STEP) * RIGHT_PITCH + ITEM_COLUMN] = values[i];
    }
#endif
}

#endif
