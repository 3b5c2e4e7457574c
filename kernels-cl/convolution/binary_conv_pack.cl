// What the fast forms of binary convolution read: bits of 32 channels in a word, channel 32 * block + i in bit i.
//
// Layout: x NCHW. Words of x are [image, phase, block, plane]. A plane holds every stride.x-th row and every stride.y-th
//         column of the padded input: phase [a, b] the rows i * stride.x + a and the columns j * stride.y + b, so that
//         any convolution has stride 1 in planes. Small planes of `images` images lie behind each other in one.
//         weights, OIHW bits, become words [out channel / tile, depth, out channel % tile], depth being [tap, block].
// Assumes: fewer than 2^31 elements in every tensor.
// Macros: ELEMENT (common/element.h); PAD  0, 1  the bit that a padded element is; else it counts apart, as bit 0 here.
#include "common/bits.h"

#ifndef PAD
#define PAD 0
#endif

#if ELEMENT_KIND == 5
#define ONE 0x3c00
#elif ELEMENT_KIND == 6
#define ONE 0x3f80
#elif ELEMENT_KIND == 7
#define ONE 0x3f800000
#elif ELEMENT_KIND == 8
#define ONE 0x3ff0000000000000
#else
#define ONE 1
#endif

#define BITS_ARE_REAL (ELEMENT_KIND >= 5 && ELEMENT_KIND <= 8)

// The bits of a block of channels that there are.
static inline uint used_bits(int block, int channels) {
    const int left = channels - block * 32;
    return left < 32 ? (1u << left) - 1 : ~0u;
}

// How many positions i of a phase have i * stride + phase < end.
static inline int positions_before(int end, int phase, int stride) {
    return end <= phase ? 0 : (end - phase + stride - 1) / stride;
}

// One word: its bits, and in .y which elements are neither 0 nor 1.
static inline uint2 packed_word(__global const BITS *x, int channels, int plane) {
    uint2 word = 0;
    for (int channel = 0; channel < channels; ++channel) {
        const BITS element = x[channel * plane];
#if BITS_ARE_REAL
        const bool is_zero = (BITS)(element << 1) == 0;
#else
        const bool is_zero = element == 0;
#endif
        word.x |= (uint)(element == ONE) << channel;
        word.y |= (uint)(element != ONE && !is_zero) << channel;
    }
    return word;
}

// Sizes are int2 [height, width]; `grid` is that of one image's plane. Global size at least len, the length of words.
__kernel void pack_cells(
        __global const BITS *x,
        __global uint *words,
        __global uint *strange,
        const int len,
        const int in_channels,
        const int2 in_size,
        const int2 pad_begin,
        const int2 stride,
        const int2 phases,
        const int2 grid,
        const int images,
        const int plane) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int blocks = (in_channels + 31) / 32;
    const int cell = i % plane;
    const int block = i / plane % blocks;
    const int group = i / plane / blocks;
    const int phase = group % (phases.x * phases.y);
    const int row = cell / grid.y;
    const int image = group / (phases.x * phases.y) * images + row / grid.x;
    const int r = row % grid.x * stride.x + phase / phases.y - pad_begin.x;
    const int c = cell % grid.y * stride.y + phase % phases.y - pad_begin.y;
    const uint used = used_bits(block, in_channels);
    uint2 word = (uint2)(PAD == 1 ? used : 0, 0);
    if (row < images * grid.x && r >= 0 && r < in_size.x && c >= 0 && c < in_size.y) {
        const int in_plane = in_size.x * in_size.y;
        word = packed_word(
                x + (image * in_channels + block * 32) * in_plane + r * in_size.y + c,
                min(in_channels - block * 32, 32),
                in_plane);
    }
    words[i] = word.x;
    strange[i] = word.y;
}

// 16 elements, `step` apart; those from `count` on, which need not exist if `whole` is false, are arbitrary.
static inline BITS16 read_lanes(__global const BITS *x, int step, int count, bool whole) {
    if (step == 1 && whole) {
        return vload16(0, x);
    }
    BITS lanes[16];
    for (int lane = 0; lane < 16; ++lane) {
        lanes[lane] = lane < count ? x[lane * step] : (BITS)0;
    }
    return vload16(0, lanes);
}

static inline int16 lanes_are(BITS16 elements, BITS16 value) {
    return convert_int16(elements == value);
}

static inline void write_lanes(uint16 words, __global uint *out, int count) {
    if (count == 16) {
        vstore16(words, 0, out);
        return;
    }
    uint lanes[16];
    vstore16(words, 0, lanes);
    for (int lane = 0; lane < count; ++lane) {
        out[lane] = lanes[lane];
    }
}

static inline uint any_of(uint16 words, int count) {
    uint lanes[16];
    vstore16(words, 0, lanes);
    uint any = 0;
    for (int lane = 0; lane < count; ++lane) {
        any |= lanes[lane];
    }
    return any;
}

static inline void fill(__global uint *words, int from, int to, uint value) {
    for (int i = from; i < to; ++i) {
        words[i] = value;
    }
}

// As pack_cells, a row of a plane per item, 16 columns at once; flags [image, phase, row, block] are 0 where all elements
// of the row are 0 or 1. Global size [images * grid.x, blocks, images / images of a plane * phases].
__kernel void pack_binary_rows(
        __global const BITS *x,
        __global uint *words,
        __global uint *strange,
        __global uint *flags,
        const int x_len,
        const int in_channels,
        const int2 in_size,
        const int2 pad_begin,
        const int2 stride,
        const int2 phases,
        const int2 grid,
        const int images,
        const int plane) {
    const int row = get_global_id(0);
    const int rows = images * grid.x;
    const int block = get_global_id(1);
    const int blocks = get_global_size(1);
    const int group = get_global_id(2);
    const int phase = group % (phases.x * phases.y);
    const int image = group / (phases.x * phases.y) * images + row / grid.x;
    const int r = row % grid.x * stride.x + phase / phases.y - pad_begin.x;
    const uint pad = PAD == 1 ? used_bits(block, in_channels) : 0;
    __global uint *row_words = words + (group * blocks + block) * plane + row * grid.y;
    __global uint *row_strange = strange + (group * blocks + block) * plane + row * grid.y;
    const int end = row == rows - 1 ? plane - row * grid.y : grid.y;

    // Columns from `first` up to `last` are inside.
    const int column_phase = phase % phases.y;
    int first = min(positions_before(pad_begin.y, column_phase, stride.y), grid.y);
    int last = min(positions_before(pad_begin.y + in_size.y, column_phase, stride.y), grid.y);
    if (r < 0 || r >= in_size.x) {
        last = first;
    }
    fill(row_words, 0, first, pad);
    fill(row_strange, 0, first, 0);
    fill(row_words, last, end, pad);
    fill(row_strange, last, end, 0);

    const int in_plane = in_size.x * in_size.y;
    const int channels = min(in_channels - block * 32, 32);
    __global const BITS *planes = x + (image * in_channels + block * 32) * in_plane;
    uint any = 0;
    for (int column = first; column < last; column += 16) {
        const int count = min(last - column, 16);
        const int at = r * in_size.y + column * stride.y + column_phase - pad_begin.y;
        const bool whole = planes - x + at + (channels - 1) * in_plane + 16 <= x_len;
        uint16 bits = 0;
        uint16 others = 0;
        for (int channel = 0; channel < channels; ++channel) {
            const BITS16 elements = read_lanes(planes + at + channel * in_plane, stride.y, count, whole);
            const int16 is_one = lanes_are(elements, ONE);
#if BITS_ARE_REAL
            const int16 is_zero = lanes_are(elements << (BITS16)1, 0);
#else
            const int16 is_zero = lanes_are(elements, 0);
#endif
            const uint16 bit = 1u << channel;
            bits |= as_uint16(is_one) & bit;
            others |= as_uint16(~(is_one | is_zero)) & bit;
        }
        write_lanes(bits, row_words + column, count);
        write_lanes(others, row_strange + column, count);
        any |= any_of(others, count);
    }
    flags[(group * rows + row) * blocks + block] = any;
}

// Words of weights; those behind the depth there is and behind the last output channel are 0. Global size at least len,
// the length of packed.
__kernel void pack_binary_weights(
        __global const uchar *weights,
        __global uint *packed,
        const int len,
        const int in_channels,
        const int out_channels,
        const int taps,
        const int depth,
        const int tile) {
    const int at = get_global_id(0);
    if (at >= len) {
        return;
    }
    const int k = at / tile % depth;
    const int out_channel = at / tile / depth * tile + at % tile;
    const int blocks = (in_channels + 31) / 32;
    const int block = k % blocks;
    const int tap = k / blocks;
    uint word = 0;
    if (tap < taps && out_channel < out_channels) {
        const int count = min(in_channels - block * 32, 32);
        for (int i = 0; i < count; ++i) {
            const int index = (out_channel * in_channels + block * 32 + i) * taps + tap;
            word |= (uint)(weights[index / 8] >> (7 - index % 8) & 1) << i;
        }
    }
    packed[at] = word;
}

// Where the word of each depth is, from the word of the same output cell on; behind the depths, for each tap, where it is
// in padded. Global size at least len, the length of offsets.
__kernel void find_offsets(
        __global int *offsets,
        const int len,
        const int depth,
        const int first_tap,
        const int2 kernel_size,
        const int2 dilation,
        const int2 stride,
        const int2 phases,
        const int2 grid,
        const int blocks,
        const int plane) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const bool is_tap = i >= first_tap;
    const int tap = is_tap ? i - first_tap : i / blocks;
    const int block = is_tap ? 0 : i % blocks;
    const int r = tap / kernel_size.y * dilation.x;
    const int c = tap % kernel_size.y * dilation.y;
    const int phase = r % stride.x * phases.y + c % stride.y;
    const int in_plane = r / stride.x * grid.y + c / stride.y;
    offsets[i] = !is_tap && i >= depth ? 0 : (is_tap ? phase : phase * blocks + block) * plane + in_plane;
}

// All bits where a cell of a plane is padding. Global size at least len, the length of padded.
__kernel void mark_padding(
        __global uint *padded,
        const int len,
        const int2 in_size,
        const int2 pad_begin,
        const int2 stride,
        const int2 phases,
        const int2 grid,
        const int plane) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int cell = i % plane;
    const int phase = i / plane;
    const int r = cell / grid.y % grid.x * stride.x + phase / phases.y - pad_begin.x;
    const int c = cell % grid.y * stride.y + phase % phases.y - pad_begin.y;
    const bool inside = r >= 0 && r < in_size.x && c >= 0 && c < in_size.y;
    padded[i] = inside ? 0 : ~0u;
}

// What is added to an output for each padded tap, which its words count as bits 0: [out channel / tile, tap, out channel
// % tile]. With `excluded` the tap shall give nothing, else -1 for every channel. Global size at least len, the length of
// corrections.
__kernel void find_corrections(
        __global const uint *packed,
        __global int *corrections,
        const int len,
        const int in_channels,
        const int taps,
        const int depth,
        const int tile,
        const int excluded) {
    const int at = get_global_id(0);
    if (at >= len) {
        return;
    }
    const int tap = at / tile % taps;
    const int blocks = (in_channels + 31) / 32;
    __global const uint *words = packed + at / tile / taps * depth * tile + at % tile;
    int ones = 0;
    for (int block = 0; block < blocks; ++block) {
        ones += popcount(words[(tap * blocks + block) * tile]);
    }
    const int counted = in_channels - 2 * ones;
    corrections[at] = excluded ? -counted : -in_channels - counted;
}
