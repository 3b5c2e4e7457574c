// Binary convolution from words of 32 channels, for processors with wide vectors: an item computes 16 cells behind each
// other of a plane, for `item_channels` output channels. Bits that differ are added in carry-save form.
//
// Layout: words, strange, flags, packed, offsets, padded, corrections as in binary_conv_pack.cl, tiles being of 4 output
//         channels; y NCHW. Behind the last cell of an output a plane has what 16 lanes more reach.
// Assumes: fewer than 2^31 elements in every tensor; packed and offsets are full to a multiple of 8 words, item_channels is
//          one of 4. Global size [groups of 16 cells, ceil(out channels / item_channels), images / images of a plane].
// Macros: ELEMENT (common/element.h), of y; CORRECTED  1: padded taps are corrected.
#include "common/bit_counts.h"
#include "common/element.h"
#include "common/rows.h"

#ifndef CORRECTED
#define CORRECTED 0
#endif

// Words that are added before a byte could overflow.
#define WORDS_PER_BYTE_SUM (31 * 8)

#define EACH_CHANNEL(do) do(0) do(1) do(2) do(3)

#define DECLARE(c) uint16 ones##c = 0, twos##c = 0, fours##c = 0, bytes##c = 0, sum##c = 0;

// Adds the 8 words of x from depth k on.
#define ADD_EIGHT(c)                                                                                             \
    bytes##c += counts_by_byte(eights_of(                                                                        \
            x0 ^ w[c], x1 ^ w[4 + c], x2 ^ w[8 + c], x3 ^ w[12 + c], x4 ^ w[16 + c], x5 ^ w[20 + c], x6 ^ w[24 + c], \
            x7 ^ w[28 + c], &ones##c, &twos##c, &fours##c));

#define CLOSE_BYTES(c)                   \
    sum##c += sum_of_bytes(bytes##c);    \
    bytes##c = 0;

#define TOTAL(c) \
    8 * sum##c + sum_of_bytes(counts_by_byte(ones##c) + 2 * counts_by_byte(twos##c) + 4 * counts_by_byte(fours##c))

static inline uint16 word_at(__global const uint *x, __global const int *offsets, int k) {
    return vload16(0, x + offsets[k]);
}

static inline uint16 word_before(__global const uint *x, __global const int *offsets, int k, int depth) {
    return k < depth ? word_at(x, offsets, k) : (uint16)0;
}

// Where the lanes of an item go in y of output channel 0: `count` of them, lane order[i] to at[i].
typedef struct {
    int at[16];
    int order[16];
    int count;
} Places;

static inline Places places(int cell, int2 grid, int2 out_size, int images, int image_stride) {
    Places to;
    to.count = 0;
    int image = cell / grid.y / grid.x;
    int row = cell / grid.y % grid.x;
    int column = cell % grid.y;
    for (int lane = 0; lane < 16; ++lane) {
        to.at[lane] = 0;
        to.order[lane] = 0;
        if (image < images && row < out_size.x && column < out_size.y) {
            to.at[to.count] = image * image_stride + row * out_size.y + column;
            to.order[to.count++] = lane;
        }
        if (++column == grid.y) {
            column = 0;
            if (++row == grid.x) {
                row = 0;
                ++image;
            }
        }
    }
    return to;
}

static inline void write_results(int16 values, __global STORED *y, const Places *to, bool contiguous) {
    const int16 ordered = to->count == 16 ? values : reordered(values, to->order);
#if ELEMENT_KIND == 7
    if (contiguous) {
        write_piece(convert_float16(ordered), y + to->at[0], to->count);
        return;
    }
#endif
    int lanes[16];
    vstore16(ordered, 0, lanes);
    for (int i = 0; i < to->count; ++i) {
        store_element(lanes[i], y, to->at[i]);
    }
}

// Whether an element that these 16 cells meet is neither 0 nor 1.
static inline bool meets_strange(__global const uint *flags, int cell, int2 grid, int reach, int rows, int2 phases, int blocks) {
    const int first = cell / grid.y;
    const int last = min((cell + 15) / grid.y + reach, rows - 1);
    uint any = 0;
    for (int phase = 0; phase < phases.x * phases.y; ++phase) {
        for (int i = (phase * rows + first) * blocks; i < (phase * rows + last + 1) * blocks; ++i) {
            any |= flags[i];
        }
    }
    return any != 0;
}

// Bits that differ, and those that equal no bit, of one output channel.
static inline uint16 unequal_bits(
        __global const uint *x, __global const uint *s, __global const uint *w, __global const int *offsets, int depth) {
    uint16 sum = 0;
    for (int k = 0; k < depth; ++k) {
        sum += popcount((word_at(x, offsets, k) ^ w[k * 4]) | word_at(s, offsets, k));
    }
    return sum;
}

#if CORRECTED
static inline int16 correction(
        __global const uint *padded, __global const int *corrections, __global const int *tap_offsets, int taps) {
    int16 sum = 0;
    for (int tap = 0; tap < taps; ++tap) {
        sum += as_int16(word_at(padded, tap_offsets, tap)) & corrections[tap * 4];
    }
    return sum;
}
#define CORRECTION(c) correction(padded + cell, corrections + tile * taps + c, offsets + full_depth, taps)
#else
#define CORRECTION(c) 0
#endif

#define WRITE(c)                                                                                            \
    if (tile + c < out_channels) {                                                                          \
        write_results(bits - 2 * as_int16(TOTAL(c)) + CORRECTION(c), y + (tile + c) * out_plane, &to, contiguous); \
    }

#define WRITE_STRANGE(c)                                                                                     \
    if (tile + c < out_channels) {                                                                           \
        const uint16 unequal = unequal_bits(x, strange + words_at, w + c, offsets, depth);                   \
        write_results(bits - 2 * as_int16(unequal) + CORRECTION(c), y + (tile + c) * out_plane, &to, contiguous); \
    }

// Sizes are int2 [height, width]; `grid` is that of one image's plane, `bits` those of an output.
__kernel void binary_convolution_vectors(
        __global const uint *words,
        __global const uint *strange,
        __global const uint *flags,
        __global const uint *packed,
        __global const int *offsets,
        __global const uint *padded,
        __global const int *corrections,
        __global STORED *y,
        const int bits,
        const int taps,
        const int blocks,
        const int2 phases,
        const int2 grid,
        const int2 out_size,
        const int out_channels,
        const int item_channels,
        const int images,
        const int plane) {
    const int cell = get_global_id(0) * 16;
    const int out_plane = out_size.x * out_size.y;
    const Places to = places(cell, grid, out_size, images, out_channels * out_plane);
    if (to.count == 0) {
        return;
    }
    const bool contiguous = to.at[to.count - 1] - to.at[0] == to.count - 1;
    const int depth = taps * blocks;
    const int whole = depth / 8 * 8;
    const int full_depth = (depth + 7) / 8 * 8;
    const int group = get_global_id(2);
    const int words_at = group * phases.x * phases.y * blocks * plane + cell;
    const int rows = images * grid.x;
    const bool is_strange = meets_strange(
            flags + group * phases.x * phases.y * rows * blocks, cell, grid, grid.x - out_size.x, rows, phases, blocks);
    __global const uint *x = words + words_at;
    y += group * images * out_channels * out_plane;
    const int first = get_global_id(1) * item_channels;
    for (int tile = first; tile < min(first + item_channels, out_channels); tile += 4) {
        __global const uint *w = packed + tile * full_depth;
        if (is_strange) {
            EACH_CHANNEL(WRITE_STRANGE)
            continue;
        }
        EACH_CHANNEL(DECLARE)
        for (int k = 0; k < whole;) {
            for (const int end = min(k + WORDS_PER_BYTE_SUM, whole); k < end; k += 8) {
                const uint16 x0 = word_at(x, offsets, k);
                const uint16 x1 = word_at(x, offsets, k + 1);
                const uint16 x2 = word_at(x, offsets, k + 2);
                const uint16 x3 = word_at(x, offsets, k + 3);
                const uint16 x4 = word_at(x, offsets, k + 4);
                const uint16 x5 = word_at(x, offsets, k + 5);
                const uint16 x6 = word_at(x, offsets, k + 6);
                const uint16 x7 = word_at(x, offsets, k + 7);
                EACH_CHANNEL(ADD_EIGHT)
                w += 32;
            }
            EACH_CHANNEL(CLOSE_BYTES)
        }
        if (whole < depth) {
            const uint16 x0 = word_at(x, offsets, whole);
            const uint16 x1 = word_before(x, offsets, whole + 1, depth);
            const uint16 x2 = word_before(x, offsets, whole + 2, depth);
            const uint16 x3 = word_before(x, offsets, whole + 3, depth);
            const uint16 x4 = word_before(x, offsets, whole + 4, depth);
            const uint16 x5 = word_before(x, offsets, whole + 5, depth);
            const uint16 x6 = word_before(x, offsets, whole + 6, depth);
            const uint16 x7 = 0;
            EACH_CHANNEL(ADD_EIGHT)
            EACH_CHANNEL(CLOSE_BYTES)
        }
        EACH_CHANNEL(WRITE)
    }
}
