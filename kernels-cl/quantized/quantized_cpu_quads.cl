// Convolutions and products of codes for processors: the products of four bytes are added at a time, where the processor
// has an instruction for it (AVX-512 VNNI) in one step.
//
// Layout: padded holds the codes of x as bytes without a sign, with padding, [image, depth, height, width, channel], 0 in
// channels that fill up the last quad; packed the weights as bytes with a sign, [block of 16 output channels, tap, quad of
// channels, output channel, 4], an even number of blocks; sums those of the weights of each output channel, and behind
// them whether the instruction is there. Rows of a matrix are the pixels of a picture, its columns output channels.
// Sizes are int4 [depth, height, width, quads]; those of padded are what the window reads.
// Assumes: every tensor has fewer than 2^31 bytes; bias and zero points may be NULL, scales where y_kind does not ask for
//          them; weights have no zero point beside 128 without a sign. Sums wrap.
// Macros: none.
#include "common/prefetch.h"
#include "common/quad_products.h"
#include "common/requantize_runs.h"

#define BLOCK 16
#define COLUMNS 64

typedef int QUADS __attribute__((ext_vector_type(16), aligned(4)));
typedef int WORDS __attribute__((ext_vector_type(4), aligned(1)));
typedef int TWO_WORDS __attribute__((ext_vector_type(2), aligned(1)));

#ifdef HAS_QUAD_PRODUCTS
#define TILE_PIXELS 13
#define TILE_COLUMNS 12
#else
#define TILE_PIXELS 4
#define TILE_COLUMNS 4
#endif

// weight_strides: [output channel, channel, tap]; flip: 128 where weights have no sign. One item for two blocks.
__kernel void pack_quads(
        __global const uchar *weights,
        __global uchar *packed,
        __global int *sums,
        const int4 weight_strides,
        const int flip,
        const int taps,
        const int channels,
        const int out_channels,
        const int quads) {
    const int pair = get_global_id(0);
    for (int block = 2 * pair; block < 2 * pair + 2; ++block) {
        __global uchar *to = packed + block * taps * quads * 4 * BLOCK;
        for (int lane = 0; lane < BLOCK; ++lane) {
            const int out = block * BLOCK + lane;
            int sum = 0;
            for (int tap = 0; tap < taps; ++tap) {
                for (int channel = 0; channel < quads * 4; ++channel) {
                    const bool is_weight = out < out_channels && channel < channels;
                    const int from = out * weight_strides.x + channel * weight_strides.y + tap * weight_strides.z;
                    const uchar weight = is_weight ? (uchar)(weights[from] ^ flip) : (uchar)0;
                    sum += weight < 128 ? weight : weight - 256;
                    to[((tap * quads + channel / 4) * BLOCK + lane) * 4 + channel % 4] = weight;
                }
            }
            sums[out] = sum;
        }
    }
    if (pair == 0) {
        sums[get_global_size(0) * 2 * BLOCK] = adds_quads();
    }
}

// Planes of x, side by side; one item for 16 columns of a line of padded and 16 quads of channels.
__kernel void fill_quads(
        __global const uchar *x,
        __global const uchar *x_zero_point,
        __global uint *padded,
        const int4 in_size,
        const int4 padded_size,
        const int4 pad_begin,
        const int channels,
        const int flip) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int line = at.y;
    const int row = line % padded_size.y - pad_begin.y;
    const int depth = line / padded_size.y % padded_size.x - pad_begin.x;
    const int image = line / padded_size.y / padded_size.x;
    const uint zero = (x_zero_point ? x_zero_point[0] : 0) ^ flip;
    const bool inside = row >= 0 && row < in_size.y && depth >= 0 && depth < in_size.x;
    const int plane = in_size.x * in_size.y * in_size.z;
    const int begin = at.x * BLOCK;
    const int end = min(begin + BLOCK, padded_size.z);
    const int first = inside ? clamp(pad_begin.z, begin, end) : end;
    const int last = inside ? clamp(in_size.z + pad_begin.z, first, end) : end;
    // where a run begins in a plane, so that it does not reach beyond its end
    const int start = (depth * in_size.y + row) * in_size.z + first - pad_begin.z;
    const int loaded = min(start, plane - BLOCK);
    for (int quad = at.z * BLOCK; quad < min(at.z * BLOCK + BLOCK, padded_size.w); ++quad) {
        const int present = min(channels - quad * 4, 4);
        __global const uchar *from = x + (image * channels + quad * 4) * plane;
        __global uint *to = padded + line * padded_size.z * padded_size.w + quad;
        const uint border = zero * (present == 4 ? 0x01010101u : (1u << present * 8) / 255);
        for (int place = begin; place < first; ++place) {
            to[place * padded_size.w] = border;
        }
        if (present == 4 && loaded >= 0 && first < last) {
            const uint16 a = __builtin_convertvector(*(__global const CODE_RUN *)(from + loaded), uint16);
            const uint16 b = __builtin_convertvector(*(__global const CODE_RUN *)(from + plane + loaded), uint16);
            const uint16 c = __builtin_convertvector(*(__global const CODE_RUN *)(from + 2 * plane + loaded), uint16);
            const uint16 d = __builtin_convertvector(*(__global const CODE_RUN *)(from + 3 * plane + loaded), uint16);
            uint codes[BLOCK];
            vstore16((a | b << 8u | c << 16u | d << 24u) ^ (uint)(flip * 0x01010101), 0, codes);
            if (last - first == BLOCK) {
                _Pragma("unroll") for (int t = 0; t < BLOCK; ++t) {
                    to[(first + t) * padded_size.w] = codes[t];
                }
            } else {
                for (int t = 0; t < last - first; ++t) {
                    to[(first + t) * padded_size.w] = codes[t + start - loaded];
                }
            }
        } else {
            for (int place = first; place < last; ++place) {
                uint codes = 0;
                for (int channel = 0; channel < present; ++channel) {
                    codes |= (from[channel * plane + start + place - first] ^ (uint)flip) << channel * 8;
                }
                to[place * padded_size.w] = codes;
            }
        }
        for (int place = last; place < end; ++place) {
            to[place * padded_size.w] = border;
        }
    }
}

// Channels of x side by side; one item for 64 columns of a line of padded.
__kernel void copy_quads(
        __global const uchar *x,
        __global const uchar *x_zero_point,
        __global uint *padded,
        const int4 in_size,
        const int4 padded_size,
        const int4 pad_begin,
        const int channels,
        const int flip) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int line = at.y;
    const int row = line % padded_size.y - pad_begin.y;
    const int depth = line / padded_size.y % padded_size.x - pad_begin.x;
    const int image = line / padded_size.y / padded_size.x;
    const uint zero = ((x_zero_point ? x_zero_point[0] : 0) ^ flip) * 0x01010101;
    const bool inside = row >= 0 && row < in_size.y && depth >= 0 && depth < in_size.x;
    const int whole = channels / 4;
    for (int place = at.x * COLUMNS; place < min((at.x + 1) * COLUMNS, padded_size.z); ++place) {
        const int column = place - pad_begin.z;
        const bool is_read = inside && column >= 0 && column < in_size.z;
        __global uint *to = padded + (line * padded_size.z + place) * padded_size.w;
        if (!is_read) {
            for (int quad = 0; quad < padded_size.w; ++quad) {
                to[quad] = zero;
            }
            continue;
        }
        __global const uchar *from =
                x + (((image * in_size.x + depth) * in_size.y + row) * in_size.z + column) * channels;
        for (int quad = 0; quad < whole; ++quad) {
            to[quad] = ((__global const CODE_WORD *)from)[quad] ^ (uint)(flip * 0x01010101);
        }
        if (whole < padded_size.w) {
            uint codes = 0;
            for (int channel = whole * 4; channel < channels; ++channel) {
                codes |= (from[channel] ^ (uint)flip) << channel % 4 * 8;
            }
            to[whole] = codes;
            for (int quad = whole + 1; quad < padded_size.w; ++quad) {
                to[quad] = 0;
            }
        }
    }
}

// What a window reads of padded: how often in depth, height and width, and how many words each time; steps in words.
typedef struct {
    int4 count;
    int4 step;
} WINDOW;

// Sums of a tile of pixels, whose windows begin at `from`, and two blocks of output channels that are `apart`.
#ifdef HAS_QUAD_PRODUCTS
__attribute__((target("avx512vnni"), noinline)) static void sum_quads_at_once(
        __global const int *const *from, __global const QUADS *weights, const int apart, const WINDOW window,
        int16 *sums) {
    int16 first[TILE_PIXELS];
    int16 second[TILE_PIXELS];
    _Pragma("unroll") for (int t = 0; t < TILE_PIXELS; ++t) {
        first[t] = 0;
        second[t] = 0;
    }
    for (int z = 0; z < window.count.x; ++z) {
        for (int y = 0; y < window.count.y; ++y) {
            for (int x = 0; x < window.count.z; ++x) {
                const int begin = z * window.step.x + y * window.step.y + x * window.step.z;
                for (int i = begin; i < begin + window.count.w; ++i, ++weights) {
                    const int16 one = weights[0];
                    const int16 two = weights[apart];
                    _Pragma("unroll") for (int t = 0; t < TILE_PIXELS; ++t) {
                        const int16 codes = from[t][i];
                        first[t] = quads_added(first[t], codes, one);
                        second[t] = quads_added(second[t], codes, two);
                    }
                }
            }
        }
    }
    _Pragma("unroll") for (int t = 0; t < TILE_PIXELS; ++t) {
        sums[2 * t] = first[t];
        sums[2 * t + 1] = second[t];
    }
}
#endif

static __attribute__((noinline)) void sum_quads_by_pairs(
        __global const int *const *from, __global const QUADS *weights, const int apart, const WINDOW window,
        int16 *sums) {
    int16 first[TILE_PIXELS];
    int16 second[TILE_PIXELS];
    _Pragma("unroll") for (int t = 0; t < TILE_PIXELS; ++t) {
        first[t] = 0;
        second[t] = 0;
    }
    for (int z = 0; z < window.count.x; ++z) {
        for (int y = 0; y < window.count.y; ++y) {
            for (int x = 0; x < window.count.z; ++x) {
                const int begin = z * window.step.x + y * window.step.y + x * window.step.z;
                for (int i = begin; i < begin + window.count.w; ++i, ++weights) {
                    const Pairs16 one = __builtin_astype((int16)weights[0], Pairs16);
                    const Pairs16 two = __builtin_astype((int16)weights[apart], Pairs16);
                    const Pairs16 even_one = one << (short)8 >> (short)8;
                    const Pairs16 even_two = two << (short)8 >> (short)8;
                    const Pairs16 odd_one = one >> (short)8;
                    const Pairs16 odd_two = two >> (short)8;
                    _Pragma("unroll") for (int t = 0; t < TILE_PIXELS; ++t) {
                        first[t] += products_of_quads(from[t][i], even_one, odd_one);
                        second[t] += products_of_quads(from[t][i], even_two, odd_two);
                    }
                }
            }
        }
    }
    _Pragma("unroll") for (int t = 0; t < TILE_PIXELS; ++t) {
        sums[2 * t] = first[t];
        sums[2 * t + 1] = second[t];
    }
}

#ifdef HAS_QUAD_PRODUCTS
// Four pixels of 16 channels, as a word for each channel.
static inline int16 words_of(const int16 *totals, int16 start, float16 scale, int zero, int y_kind) {
    const int16 a = codes_of(totals[0] + start, scale, zero, y_kind) & 255;
    const int16 b = codes_of(totals[2] + start, scale, zero, y_kind) & 255;
    const int16 c = codes_of(totals[4] + start, scale, zero, y_kind) & 255;
    const int16 d = codes_of(totals[6] + start, scale, zero, y_kind);
    return a | b << 8 | c << 16 | d << 24;
}

// Twelve pixels of 16 channels whose planes are `step` apart; with four bytes behind them that are written later, if
// there are any of the same item.
static inline void store_tile(
        const int16 *totals, int16 start, float16 scale, int zero, __global uchar *y, int step, int lanes,
        bool overlaps, int y_kind) {
    const int16 one = words_of(totals, start, scale, zero, y_kind);
    const int16 two = words_of(totals + 8, start, scale, zero, y_kind);
    const int16 three = words_of(totals + 16, start, scale, zero, y_kind);
    const int16 low = __builtin_shufflevector(
            one, two, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    const int16 high = __builtin_shufflevector(
            one, two, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    const int16 low_end = __builtin_shufflevector(
            three, three, 0, 0, 1, 1, 4, 4, 5, 5, 8, 8, 9, 9, 12, 12, 13, 13);
    const int16 high_end = __builtin_shufflevector(
            three, three, 2, 2, 3, 3, 6, 6, 7, 7, 10, 10, 11, 11, 14, 14, 15, 15);
    // rows of 16 bytes: channels 0, 4, 8, 12, then 1, 5, 9, 13 and so on
    int rows[4][BLOCK];
    vstore16(__builtin_shufflevector(low, low_end, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29), 0,
            rows[0]);
    vstore16(__builtin_shufflevector(low, low_end, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31), 0,
            rows[1]);
    vstore16(__builtin_shufflevector(high, high_end, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29), 0,
            rows[2]);
    vstore16(__builtin_shufflevector(high, high_end, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31), 0,
            rows[3]);
    for (int lane = 0; lane < lanes; ++lane) {
        const int *row = rows[lane % 4] + lane / 4 * 4;
        __global uchar *to = y + lane * step;
        if (overlaps) {
            *(__global WORDS *)to = vload4(0, row);
        } else {
            *(__global TWO_WORDS *)to = vload2(0, row);
            *(__global CODE_WORD *)(to + 8) = row[2];
        }
    }
}
#endif

// y_steps: elements from one image, channel and pixel to the next. One item for two blocks of output channels and
// `chunk` pixels of an image.
__kernel void convolve_quads(
        __global const int *padded,
        __global const int *packed,
        __global const int *sums,
        __global const int *bias,
        __global const uchar *x_zero_point,
        __global const float *x_scale,
        __global const float *w_scale,
        __global const float *y_scale,
        __global const uchar *y_zero_point,
        __global uchar *y,
        const int2 channel_steps,
        const int4 out_size,
        const int4 padded_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 y_steps,
        const int flip,
        const int y_kind,
        const int blocks,
        const int chunk) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int out_channels = out_size.w;
    const int first_channel = at.x * 2 * BLOCK;
    const int quads = padded_size.w;
    const int x_zero = (x_zero_point ? x_zero_point[0] : 0) ^ flip;
    const int zero = code_zero(y_zero_point, y_kind);
    int starts[2 * BLOCK];
    float scales[2 * BLOCK];
    for (int lane = 0; lane < 2 * BLOCK; ++lane) {
        const int channel = min(first_channel + lane, out_channels - 1);
        starts[lane] = (bias ? bias[channel * channel_steps.x] : 0) - x_zero * sums[first_channel + lane];
        scales[lane] = y_kind == 0 ? 1 : w_scale[channel * channel_steps.y];
    }
    for (int part = 0; part < 2 && y_kind > 0; ++part) {
        vstore16(code_scales(x_scale, vload16(part, scales), y_scale, y_kind), part, scales);
    }
    const bool is_merged = dilation.z == 1;
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    WINDOW window;
    window.count = (int4)(kernel_size.x, kernel_size.y, is_merged ? 1 : kernel_size.z,
            is_merged ? kernel_size.z * quads : quads);
    window.step = (int4)(dilation.x * padded_size.y * padded_size.z * quads, dilation.y * padded_size.z * quads,
            dilation.z * quads, 0);
    __global const QUADS *weights = (__global const QUADS *)packed + at.x * 2 * taps * quads;
    const int pixels = out_size.x * out_size.y * out_size.z;
    const int end = min((at.y + 1) * chunk, pixels);
    // words of a channel are four pixels
    const int tile = y_kind >= 2 && y_steps.z == 1 ? TILE_COLUMNS : TILE_PIXELS;
    // the weights of the next blocks, which come from memory where few pixels use them
    const int lines = at.x * 2 + 2 < blocks ? 2 * taps * quads : 0;
    int line = 0;
    for (int begin = at.y * chunk; begin < end; begin += tile) {
        const int count = min(tile, end - begin);
        const int next = (long)lines * (begin + count - at.y * chunk) / (end - at.y * chunk);
        for (; line < next; ++line) {
            PREFETCH(weights + 2 * taps * quads + line);
        }
        __global const int *from[TILE_PIXELS];
        int column = begin % out_size.z;
        int row = begin / out_size.z % out_size.y;
        int depth = begin / out_size.z / out_size.y;
        for (int t = 0; t < TILE_PIXELS; ++t) {
            const int place = (at.z * padded_size.x + depth * stride.x) * padded_size.y + row * stride.y;
            from[t] = padded + (place * padded_size.z + column * stride.z) * quads;
            if (t + 1 < count && ++column == out_size.z) {
                column = 0;
                if (++row == out_size.y) {
                    row = 0;
                    ++depth;
                }
            }
        }
        int16 totals[2 * TILE_PIXELS];
#ifdef HAS_QUAD_PRODUCTS
        if (sums[blocks * BLOCK] != 0) {
            sum_quads_at_once(from, weights, taps * quads, window, totals);
        } else {
            sum_quads_by_pairs(from, weights, taps * quads, window, totals);
        }
#else
        sum_quads_by_pairs(from, weights, taps * quads, window, totals);
#endif
        for (int part = 0; part < 2; ++part) {
            const int channel = first_channel + part * BLOCK;
            const int lanes = min(BLOCK, out_channels - channel);
            const int16 start = vload16(part, starts);
            const float16 scale = vload16(part, scales);
            __global uchar *to =
                    y + (at.z * y_steps.x + channel * y_steps.y + begin * y_steps.z) * (y_kind < 2 ? 4 : 1);
            int t = 0;
#ifdef HAS_QUAD_PRODUCTS
            if (y_kind >= 2 && y_steps.z == 1 && count == TILE_COLUMNS) {
                store_tile(totals + part, start, scale, zero, to, y_steps.y, lanes, begin + BLOCK <= end, y_kind);
                continue;
            }
#endif
            // four pixels of a channel are one word
            for (; y_kind >= 2 && y_steps.z == 1 && t + 4 <= count; t += 4) {
                uint16 four = 0;
                _Pragma("unroll") for (int i = 0; i < 4; ++i) {
                    const int16 one = codes_of(totals[2 * (t + i) + part] + start, scale, zero, y_kind);
                    four |= as_uint16(one & 255) << (uint)(i * 8);
                }
                uint words[BLOCK];
                vstore16(four, 0, words);
                for (int lane = 0; lane < lanes; ++lane) {
                    *(__global CODE_WORD *)(to + t + lane * y_steps.y) = words[lane];
                }
            }
            for (; t < count; ++t) {
                __global uchar *pixel = to + t * y_steps.z * (y_kind < 2 ? 4 : 1);
                store_sums(totals[2 * t + part] + start, scale, zero, pixel, y_steps.y, lanes, y_kind);
            }
        }
    }
}
