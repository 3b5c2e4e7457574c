// Convolution as a product of matrices by a device's matrix units: a work-group computes a tile of output channels by
// pixels (of all images), or where there are few tiles its share of the terms of one.
//
// Layout: as conv_any_gpu_panel_groups.cl, whose convolution_groups_finish ends partial sums; weights in panels of
//         conv_gpu_unit_pack.cl.
// Assumes: fewer than 2^31 elements in every tensor; global size [tiles of rows by tiles of pixels * GROUP_ITEMS, groups,
//          splits], local size [GROUP_ITEMS, 1, 1].
// Macros: ELEMENT, TILE, UNIT (common/matrix_unit.h); ACTIVATION, RESIDUAL (common/epilogue.h); TAP_SLABS, Y_QUADS, SPLIT
//         as there; X_CHUNKS  1 (with TAP_SLABS): chunks of channels lie together in x, aligned; 2 (one tap, stride 1, no
//         padding): chunks of pixels do; 0: x is read element by element; WHOLE_SLABS  1 (with TAP_SLABS, X_CHUNKS 0):
//         DEPTH divides the channels.
#include "common/element.h"
#include "common/epilogue.h"
#include "common/channel_end.h"
#include "common/quad_end.h"
#include "common/digits.h"

#ifndef TAP_SLABS
#define TAP_SLABS 1
#endif
#ifndef WHOLE_SLABS
#define WHOLE_SLABS 0
#endif
#ifndef X_CHUNKS
#define X_CHUNKS 0
#endif
#ifndef Y_QUADS
#define Y_QUADS 0
#endif
#ifndef SPLIT
#define SPLIT 0
#endif

#define LEFT_ADJACENT 1
#define LEFT_ROUNDED 1
#define RIGHT_ADJACENT (X_CHUNKS != 2)
#include "common/matrix_unit.h"

// Neighbouring terms of one column that an item reads where it reads element by element.
#define ITEM_TERMS (EACH_CHUNKS * CHUNK_TERMS)
// Columns that an item reads chunks of.
#define ITEM_COLUMNS (X_CHUNKS == 1 ? EACH_CHUNKS : 1)
#define KEPT_FOURS (HALF_ROWS * TILE / 4 / GROUP_ITEMS)
// Fours whose residuals an item loads before it stores the first of them.
#define ENDED (TILE == 128 ? 4 : Y_QUADS ? 2 : 1)

// x and the window over it, of one image and group.
typedef struct {
    __global const STORED *x;
    int pixels;
    int4 in_size;
    int4 out_size;
    int4 kernel_size;
    int4 stride;
    int4 dilation;
    int4 pad_begin;
    int channels;
    int8 x_strides;
} Window;

// Where the item is in the terms: the tap and channel of the next slab. Of its columns the first tap's position, and where
// channel 0 of the next slab's tap is in x, below 0 for those that the tap finds outside of it.
typedef struct {
    int4 tap;
    int channel;
    int4 first[ITEM_COLUMNS];
    int image[ITEM_COLUMNS];
    int from[ITEM_COLUMNS];
} Walk;

static inline int item_column(int i) {
    const int item = get_local_id(0);
    return X_CHUNKS == 1 ? (item + i * GROUP_ITEMS) / 4
            : X_CHUNKS == 2 ? item % (TILE / CHUNK_TERMS) * CHUNK_TERMS
                            : item % TILE;
}

static inline uint element_bits(__global const STORED *x, int at) {
#if ELEMENT_KIND == 7
    return as_uint(x[at]);
#else
    return ((__global const ushort *)x)[at];
#endif
}

#if TAP_SLABS
// Finds what the tap of the next slab reads.
static inline void find_columns(Walk *walk, const Window *window) {
    UNIT_UNROLL
    for (int i = 0; i < ITEM_COLUMNS; ++i) {
        const int4 at = walk->first[i] + walk->tap * window->dilation;
        const int from = walk->image[i] + at.x * window->x_strides.s2 + at.y * window->x_strides.s3
                + at.z * window->x_strides.s4;
        walk->from[i] = walk->image[i] >= 0 && is_inside(at, window->in_size) ? from : -1;
    }
}

static inline Walk first_walk(const Window *window, int slot, int first_column) {
    const int taps = window->kernel_size.x * window->kernel_size.y * window->kernel_size.z;
    const int plane = window->out_size.x * window->out_size.y * window->out_size.z;
    Walk walk;
    walk.tap = digits_of(slot / DEPTH % taps, window->kernel_size);
    walk.channel = slot / DEPTH / taps * DEPTH;
    UNIT_UNROLL
    for (int i = 0; i < ITEM_COLUMNS; ++i) {
        const int column = first_column + item_column(i);
        walk.first[i] = digits_of(column % plane, window->out_size) * window->stride - window->pad_begin;
        walk.image[i] = column < window->pixels ? column / plane * window->x_strides.s0 : -1;
    }
    find_columns(&walk, window);
    return walk;
}

// Slabs of the same channels follow one another, so that what several taps read is read again while it is in the cache.
static inline void next_walk(Walk *walk, const Window *window) {
    if (window->kernel_size.x * window->kernel_size.y * window->kernel_size.z == 1) {
        walk->channel += DEPTH;
        return;
    }
    walk->tap.z += 1;
    if (walk->tap.z == window->kernel_size.z) {
        walk->tap.z = 0;
        walk->tap.y += 1;
        if (walk->tap.y == window->kernel_size.y) {
            walk->tap.y = 0;
            walk->tap.x += 1;
            if (walk->tap.x == window->kernel_size.x) {
                walk->tap.x = 0;
                walk->channel += DEPTH;
            }
        }
    }
    find_columns(walk, window);
}
#else
static inline Walk first_walk(const Window *window, int slot, int first_column) {
    const int taps = window->kernel_size.x * window->kernel_size.y * window->kernel_size.z;
    const int first = slot + (int)get_local_id(0) / TILE * ITEM_TERMS;
    Walk walk;
    walk.tap = digits_of(first % taps, window->kernel_size);
    walk.channel = first / taps;
    return walk;
}

// The next tap, counted like digits, of which the one before counts on when one is full.
static inline void next_tap(int4 *tap, int *channel, int4 size) {
    tap->z += 1;
    const bool full_z = tap->z >= size.z;
    tap->z = full_z ? 0 : tap->z;
    tap->y += full_z ? 1 : 0;
    const bool full_y = tap->y >= size.y;
    tap->y = full_y ? 0 : tap->y;
    tap->x += full_y ? 1 : 0;
    const bool full_x = tap->x >= size.x;
    tap->x = full_x ? 0 : tap->x;
    *channel += full_x ? 1 : 0;
}
#endif

#if X_CHUNKS
// Begins to copy this item's chunks of the next slab.
static inline __attribute__((always_inline)) void copy_columns(
        Walk *walk, const Window *window, __local uint4 *slab) {
    UNIT_UNROLL
    for (int i = 0; i < EACH_CHUNKS; ++i) {
        const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
        const int each = X_CHUNKS == 1 ? 4 : TILE / CHUNK_TERMS;
        const int channel = walk->channel + (X_CHUNKS == 1 ? e % each * CHUNK_TERMS : e / each);
        const int from = walk->from[X_CHUNKS == 1 ? i : 0];
        const bool exists = from >= 0 && channel < window->channels;
        copy_chunk(slab + chunk_at(e / each, e % each, RIGHT_ADJACENT),
                window->x + (exists ? from + channel * window->x_strides.s1 : 0), exists);
    }
    next_walk(walk, window);
}
#else
// Reads this item's terms of the next slab. What is not there is read where something is, and left out: no branch stands
// between the loads.
static inline __attribute__((always_inline)) void read_columns(
        Walk *walk, const Window *window, int first_column, uint4 next[EACH_CHUNKS]) {
#if TAP_SLABS
    const bool is_inside_x = walk->from[0] >= 0;
    const int begin = walk->channel + (int)get_local_id(0) / TILE * ITEM_TERMS;
    __global const STORED *x = window->x + (is_inside_x ? walk->from[0] : 0);
    int at = begin * window->x_strides.s1;
#else
    int4 tap = walk->tap;
    int channel = walk->channel;
    const int plane = window->out_size.x * window->out_size.y * window->out_size.z;
    const int column = first_column + item_column(0);
    const int4 first = digits_of(column % plane, window->out_size) * window->stride - window->pad_begin;
    const int image_at = column / plane * window->x_strides.s0;
#endif
    UNIT_UNROLL
    for (int i = 0; i < EACH_CHUNKS; ++i) {
        uint words[4];
        UNIT_UNROLL
        for (int word = 0; word < 4; ++word) {
            words[word] = 0;
            UNIT_UNROLL
            for (int c = 0; c < CHUNK_TERMS / 4; ++c) {
#if TAP_SLABS
                const int channel = begin + i * CHUNK_TERMS + word * (CHUNK_TERMS / 4) + c;
                const bool exists = WHOLE_SLABS || channel < window->channels;
                const uint bits = element_bits(x, exists ? at : 0);
                words[word] |= (exists && (WHOLE_SLABS || is_inside_x) ? bits : 0) << (16 * c);
                at += window->x_strides.s1;
#else
                const int4 place = first + tap * window->dilation;
                const bool exists = column < window->pixels && channel < window->channels
                        && is_inside(place, window->in_size);
                const int at = image_at + channel * window->x_strides.s1 + place.x * window->x_strides.s2
                        + place.y * window->x_strides.s3 + place.z * window->x_strides.s4;
                next_tap(&tap, &channel, window->kernel_size);
                const uint bits = element_bits(window->x, exists ? at : 0);
                words[word] |= (exists ? bits : 0) << (16 * c);
#endif
            }
#if TAP_SLABS && WHOLE_SLABS
            words[word] = is_inside_x ? words[word] : 0;
#endif
        }
        next[i] = (uint4)(words[0], words[1], words[2], words[3]);
    }
#if TAP_SLABS
    next_walk(walk, window);
#else
    UNIT_UNROLL
    for (int i = ITEM_TERMS; i < DEPTH; ++i) {
        next_tap(&tap, &channel, window->kernel_size);
    }
    walk->tap = tap;
    walk->channel = channel;
#endif
}

static inline __attribute__((always_inline)) void keep_columns(const uint4 next[EACH_CHUNKS], __local uint4 *slab) {
    UNIT_UNROLL
    for (int i = 0; i < EACH_CHUNKS; ++i) {
        slab[chunk_at(item_column(0), (int)get_local_id(0) / TILE * EACH_CHUNKS + i, 1)] = next[i];
    }
}
#endif

// Begins to copy this item's chunks of a slab of weights.
static inline __attribute__((always_inline)) void copy_rows(__global const STORED *panel, __local uint4 *slab) {
    UNIT_UNROLL
    for (int i = 0; i < EACH_CHUNKS; ++i) {
        const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
        copy_chunk(slab + chunk_at(e / 4, e % 4, 1), panel + e * CHUNK_TERMS, true);
    }
}

// The sums of one tile, as unit_product of linalg/matmul_strided_gpu_units.cl.
static inline __attribute__((always_inline)) void convolution_product(
        Unit unit,
        __global const STORED *panel,
        const Window *window,
        Walk walk,
        int first_column,
        int slabs,
        __local uint4 *left,
        __local uint4 *right,
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
    clear_sums(sums);
    const int ahead = min(slabs, STAGES - 1);
    for (int slab = 0; slab < STAGES - 1; ++slab) {
        if (slab < slabs) {
            copy_rows(panel + slab * SLAB_CHUNKS * CHUNK_TERMS, left + slab * SLAB_CHUNKS);
#if X_CHUNKS
            copy_columns(&walk, window, right + slab * SLAB_CHUNKS);
#endif
        }
        end_copies();
    }
    panel += ahead * SLAB_CHUNKS * CHUNK_TERMS;
#if !X_CHUNKS
    uint4 right_next[EACH_CHUNKS];
    read_columns(&walk, window, first_column, right_next);
    keep_columns(right_next, right);
#endif
    int stage = 0;
    for (int slab = 0; slab < slabs; ++slab) {
        const int next_stage = stage == STAGES - 1 ? 0 : stage + 1;
        const int last_stage = stage == 0 ? STAGES - 1 : stage - 1;
        __local uint4 *rows = left + stage * SLAB_CHUNKS;
        __local uint4 *columns = right + stage * SLAB_CHUNKS;
        await_slabs(rows, columns);
        begin_products(unit, rows, columns, sums);
        if (slab + STAGES - 1 < slabs) {
            copy_rows(panel, left + last_stage * SLAB_CHUNKS);
            panel += SLAB_CHUNKS * CHUNK_TERMS;
#if X_CHUNKS
            copy_columns(&walk, window, right + last_stage * SLAB_CHUNKS);
#endif
        }
        end_copies();
#if !X_CHUNKS
        const bool has_next = slab + 1 < slabs;
        if (has_next) {
            read_columns(&walk, window, first_column, right_next);
        }
#endif
        end_products(unit, rows, columns, sums);
#if !X_CHUNKS
        if (has_next) {
            keep_columns(right_next, right + next_stage * SLAB_CHUNKS);
        }
#endif
        stage = next_stage;
    }
    end_sums(sums);
}

// Where the i-th four neighbouring sums that this item ends lie in half the tile, [row, column].
static inline int2 kept_four(int i) {
    const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
    return Y_QUADS == 2 ? (int2)(e % (HALF_ROWS / 4) * 4, e / (HALF_ROWS / 4)) : (int2)(e / (TILE / 4), e % (TILE / 4) * 4);
}

static inline float kept_sum(__local const float *kept, int2 at, int q) {
    return kept[(at.x + (Y_QUADS == 2 ? q : 0)) * KEPT_PITCH + at.y + (Y_QUADS == 2 ? 0 : q)];
}

// Where four neighbouring results lie in y, below 0 for those that do not exist; of quads the first.
static inline void find_places(int to[4], int column, int channel, int pixels, int plane, int8 y_strides) {
    int image = column / plane;
    int pixel = column % plane;
    UNIT_UNROLL
    for (int q = 0; q < (Y_QUADS ? 1 : 4); ++q) {
        to[q] = column + q < pixels ? image * y_strides.s0 + pixel * y_strides.s4 + channel * y_strides.s1 : -1;
        pixel += 1;
        image += pixel == plane ? 1 : 0;
        pixel = pixel == plane ? 0 : pixel;
    }
}

static inline void load_residual(WIDE values[4], __global const RESULT *residual, const int to[4]) {
#if Y_QUADS
    load_added(values, residual, max(to[0], 0));
#else
    UNIT_UNROLL
    for (int q = 0; q < 4; ++q) {
        values[q] = RESIDUAL_KIND ? load_result(residual, max(to[q], 0)) : 0;
    }
#endif
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) UNIT_WAVES
void convolution_units(
        __global const STORED *x,
        __global const STORED *packed,
        __global const RESULT *bias,
        __global const RESULT *residual,
        __global const RESULT *slope,
        __global float *partial,
        __global RESULT *y,
        const int slope_step,
        const REAL alpha,
        const REAL beta,
        const int pixels,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int group_in,
        const int group_out,
        const int row_tiles,
        const int slots,
        const int split_slots,
        const int8 x_strides,
        const int8 y_strides) {
    __local uint4 slabs[2 * STAGES * SLAB_CHUNKS] SLABS_ALIGNED;
    UNIT_LOCAL(unit);
    const int group = get_group_id(1);
    const int first_row = (int)get_group_id(0) % row_tiles * TILE;
    const int first_column = (int)get_group_id(0) / row_tiles * TILE;
    const int plane = out_size.x * out_size.y * out_size.z;
    const int slot_begin = (int)get_group_id(2) * split_slots;
    const int slot_count = min(slots - slot_begin, split_slots);
    __global const STORED *panel = packed + (group * row_tiles * TILE + first_row) * slots + slot_begin * TILE;
    const Window window = {x + group * group_in * x_strides.s1, pixels, in_size, out_size, kernel_size, stride, dilation,
            pad_begin, group_in, x_strides};
    const Walk walk = first_walk(&window, slot_begin, first_column);
    float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS];
    convolution_product(unit, panel, &window, walk, first_column, slot_count / DEPTH, slabs,
            slabs + STAGES * SLAB_CHUNKS, sums);
    __local float *kept = (__local float *)slabs;
    for (int number = 0; number < 2; ++number) {
        keep_sums(sums, number, kept);
        for (int i = 0; i < KEPT_FOURS; i += ENDED) {
#if SPLIT
            for (int four = i; four < i + ENDED; ++four) {
                const int2 at = kept_four(four);
                const int row = first_row + number * HALF_ROWS + at.x;
                const int column = first_column + at.y;
                const int channel = group * group_out + row;
                const int to = ((int)(get_group_id(2) * get_num_groups(1)) * group_out + channel) * pixels + column;
                UNIT_UNROLL
                for (int q = 0; q < 4; ++q) {
                    if (row < group_out && column + (Y_QUADS == 0 ? q : 0) < pixels) {
                        partial[to + q * (Y_QUADS == 2 ? pixels : 1)] = kept_sum(kept, at, q);
                    }
                }
            }
#else
            // all that is loaded comes before all that is stored, of which the compiler does not know that it is elsewhere
            int to[ENDED][4];
            WIDE values[ENDED][4];
            UNIT_UNROLL
            for (int four = 0; four < ENDED; ++four) {
                const int2 at = kept_four(i + four);
                const int row = first_row + number * HALF_ROWS + at.x;
                const int column = first_column + at.y;
                find_places(to[four], row < group_out ? column : pixels, group * group_out + row, pixels, plane, y_strides);
                load_residual(values[four], residual, to[four]);
            }
            UNIT_UNROLL
            for (int four = 0; four < ENDED; ++four) {
                const int2 at = kept_four(i + four);
                const int row = first_row + number * HALF_ROWS + at.x;
                const int channel = group * group_out + min(row, Y_QUADS == 2 ? group_out - 4 : group_out - 1);
                UNIT_UNROLL
                for (int q = 0; q < 4; ++q) {
                    values[four][q] = end_of_sum(kept_sum(kept, at, q), values[four][q], channel + (Y_QUADS == 2 ? q : 0), bias,
                            slope, slope_step, alpha, beta);
                }
            }
            UNIT_UNROLL
            for (int four = 0; four < ENDED; ++four) {
#if Y_QUADS
                if (to[four][0] >= 0) {
                    store_quad(values[four], y, to[four][0]);
                }
#else
                UNIT_UNROLL
                for (int q = 0; q < 4; ++q) {
                    if (to[four][q] >= 0) {
                        store_result(values[four][q], y, to[four][q]);
                    }
                }
#endif
            }
#endif
        }
    }
}
