// Depthwise convolutions of codes for processors, channels side by side: 64 channels at a time. Their codes in four
// rows become words, whose products are added in one step where the processor has an instruction for it.
//
// Layout: padded and y [image, depth, height, width, channel], padded the codes of x as bytes without a sign, with
// padding, `pitch` bytes for a pixel, 64 at least; packed the weights as bytes with a sign, [block of 64 channels,
// depth, four rows, column, row of outputs, channel, 4]: two rows of outputs may read the same four rows of x; sums
// those of the weights of each channel, and behind them whether the instruction is there. The last block ends with the
// channels.
// Assumes: every tensor has fewer than 2^31 bytes; bias and zero points may be NULL; weights have no zero point beside
//          128 without a sign. Sums wrap.
// Macros: none.
#include "common/quad_products.h"
#include "common/requantize_runs.h"

#define BLOCK 64
#define RUN 16
#define PARTS 4

typedef int WORD_RUN __attribute__((ext_vector_type(16), aligned(4)));
typedef float SCALE_RUN __attribute__((ext_vector_type(16), aligned(4)));
typedef uchar BYTES __attribute__((ext_vector_type(64)));
typedef uchar BYTES_ANYWHERE __attribute__((ext_vector_type(64), aligned(1)));
typedef short SHORTS __attribute__((ext_vector_type(32)));

#define BYTE_PAIRS(b)                                                                                         \
    b, b + 64, b + 1, b + 65, b + 2, b + 66, b + 3, b + 67, b + 4, b + 68, b + 5, b + 69, b + 6, b + 70, b + 7, b + 71
#define SHORT_PAIRS(b) b, b + 32, b + 1, b + 33, b + 2, b + 34, b + 3, b + 35
#define TURNED(b)                                                                                             \
    b, b + 4, b + 8, b + 12, b + 1, b + 5, b + 9, b + 13, b + 2, b + 6, b + 10, b + 14, b + 3, b + 7, b + 11, b + 15

// The channel of a block that a lane of words stands for: pairs of pairs of bytes, as registers of 512 bits give them.
static inline int channel_of(int lane) {
    return lane % RUN / 4 * 16 + lane / RUN * 4 + lane % 4;
}

// One item for each block of channels. rows: of outputs; stride: rows of x from one of them to the next.
__kernel void pack_channel_quads(
        __global const uchar *weights,
        __global uchar *packed,
        __global int *sums,
        const int4 kernel_size,
        const int rows,
        const int stride,
        const int channels,
        const int flip) {
    const int block = get_global_id(0);
    const int first = max(min(block * BLOCK, channels - BLOCK), 0);
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    const int groups = (kernel_size.y + (rows - 1) * stride + 3) / 4;
    __global uchar *to = packed + block * kernel_size.x * groups * kernel_size.z * rows * BLOCK * 4;
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        for (int group = 0; group < groups; ++group) {
            for (int kx = 0; kx < kernel_size.z; ++kx) {
                for (int row = 0; row < rows; ++row) {
                    for (int lane = 0; lane < BLOCK; ++lane, to += 4) {
                        const int channel = first + channel_of(lane);
                        for (int i = 0; i < 4; ++i) {
                            const int ky = group * 4 + i - row * stride;
                            const bool is_weight = channel < channels && ky >= 0 && ky < kernel_size.y;
                            const int tap = (kz * kernel_size.y + ky) * kernel_size.z + kx;
                            to[i] = is_weight ? (uchar)(weights[channel * taps + tap] ^ flip) : (uchar)0;
                        }
                    }
                }
            }
        }
    }
    for (int channel = block * BLOCK; channel < min((block + 1) * BLOCK, channels); ++channel) {
        int sum = 0;
        for (int tap = 0; tap < taps; ++tap) {
            const uchar weight = weights[channel * taps + tap] ^ flip;
            sum += weight < 128 ? weight : weight - 256;
        }
        sums[channel] = sum;
    }
    if (block == 0) {
        sums[channels] = adds_quads();
    }
}

#if defined(__SPIR__) || defined(__SPIR64__)
// Interpreters of portable code lose track of bytes in vectors of 64.
static inline void words_of_rows(
        __global const uchar *one, __global const uchar *two, __global const uchar *three, __global const uchar *four,
        int16 *words) {
    for (int part = 0; part < PARTS; ++part) {
        int word[RUN];
        for (int lane = 0; lane < RUN; ++lane) {
            const int channel = channel_of(part * RUN + lane);
            word[lane] = one[channel] | two[channel] << 8 | three[channel] << 16 | four[channel] << 24;
        }
        words[part] = *(const WORD_RUN *)word;
    }
}

static inline void store_in_order(
        const int16 *totals, const float16 *scales, int zero, int y_kind, int lanes, __global uchar *y) {
    for (int part = 0; part < PARTS; ++part) {
        int codes[RUN];
        vstore16(codes_of(totals[part], scales[part], zero, y_kind), 0, codes);
        for (int lane = 0; lane < RUN; ++lane) {
            const int channel = channel_of(part * RUN + lane);
            if (channel < lanes) {
                y[channel] = codes[lane];
            }
        }
    }
}
#else
// Words of four rows, in the order of channel_of.
static inline __attribute__((always_inline)) void words_of_rows(
        __global const uchar *one, __global const uchar *two, __global const uchar *three, __global const uchar *four,
        int16 *words) {
    const BYTES a = *(__global const BYTES_ANYWHERE *)one;
    const BYTES b = *(__global const BYTES_ANYWHERE *)two;
    const BYTES c = *(__global const BYTES_ANYWHERE *)three;
    const BYTES d = *(__global const BYTES_ANYWHERE *)four;
    const SHORTS ab_low = __builtin_astype(__builtin_shufflevector(
            a, b, BYTE_PAIRS(0), BYTE_PAIRS(16), BYTE_PAIRS(32), BYTE_PAIRS(48)), SHORTS);
    const SHORTS ab_high = __builtin_astype(__builtin_shufflevector(
            a, b, BYTE_PAIRS(8), BYTE_PAIRS(24), BYTE_PAIRS(40), BYTE_PAIRS(56)), SHORTS);
    const SHORTS cd_low = __builtin_astype(__builtin_shufflevector(
            c, d, BYTE_PAIRS(0), BYTE_PAIRS(16), BYTE_PAIRS(32), BYTE_PAIRS(48)), SHORTS);
    const SHORTS cd_high = __builtin_astype(__builtin_shufflevector(
            c, d, BYTE_PAIRS(8), BYTE_PAIRS(24), BYTE_PAIRS(40), BYTE_PAIRS(56)), SHORTS);
    words[0] = __builtin_astype(__builtin_shufflevector(
            ab_low, cd_low, SHORT_PAIRS(0), SHORT_PAIRS(8), SHORT_PAIRS(16), SHORT_PAIRS(24)), int16);
    words[1] = __builtin_astype(__builtin_shufflevector(
            ab_low, cd_low, SHORT_PAIRS(4), SHORT_PAIRS(12), SHORT_PAIRS(20), SHORT_PAIRS(28)), int16);
    words[2] = __builtin_astype(__builtin_shufflevector(
            ab_high, cd_high, SHORT_PAIRS(0), SHORT_PAIRS(8), SHORT_PAIRS(16), SHORT_PAIRS(24)), int16);
    words[3] = __builtin_astype(__builtin_shufflevector(
            ab_high, cd_high, SHORT_PAIRS(4), SHORT_PAIRS(12), SHORT_PAIRS(20), SHORT_PAIRS(28)), int16);
}

// Codes of sums in the order of the channels, of which `lanes` are there.
static inline void store_in_order(
        const int16 *totals, const float16 *scales, int zero, int y_kind, int lanes, __global uchar *y) {
    const int16 a = codes_of(totals[0], scales[0], zero, y_kind) & 255;
    const int16 b = codes_of(totals[1], scales[1], zero, y_kind) & 255;
    const int16 c = codes_of(totals[2], scales[2], zero, y_kind) & 255;
    const int16 d = codes_of(totals[3], scales[3], zero, y_kind);
    const BYTES turned = __builtin_astype(a | b << 8 | c << 16 | d << 24, BYTES);
    union {
        BYTES all;
        uchar each[BLOCK];
    } codes;
    codes.all = __builtin_shufflevector(turned, turned, TURNED(0), TURNED(16), TURNED(32), TURNED(48));
    if (lanes == BLOCK) {
        *(__global BYTES_ANYWHERE *)y = codes.all;
        return;
    }
    for (int lane = 0; lane < lanes; ++lane) {
        y[lane] = codes.each[lane];
    }
}
#endif

// One or two rows of outputs of a block. What is read of padded: kernel_size, of which the rows count for all of them,
// and its steps in bytes, the last one from an output to the next; what is written: bytes of a pixel and from row to
// row.
typedef struct {
    int4 kernel_size;
    int4 step;
    int rows;
    int first;
    int columns;
    int pixel;
    int y_step;
    int lanes;
    int zero;
    int y_kind;
    int16 starts[PARTS];
    float16 scales[PARTS];
} OUTPUTS;

static inline __attribute__((always_inline)) void store_codes(
        const int16 *totals, const OUTPUTS *outputs, __global uchar *y) {
    store_in_order(totals, outputs->scales, outputs->zero, outputs->y_kind, outputs->lanes, y);
}

// A macro, because the instruction is for functions that say so, which are inlined into no other.
#define CONVOLVE_ROWS(NAME, ATTRIBUTES, ADD)                                                                  \
    ATTRIBUTES static void NAME(__global const uchar *from, __global const WORD_RUN *packed,                  \
            const OUTPUTS *outputs, __global uchar *y) {                                                      \
        const int4 step = outputs->step;                                                                      \
        const int height = outputs->kernel_size.y;                                                            \
        for (int column = 0; column < outputs->columns; ++column, from += step.w, y += outputs->pixel) {      \
            __global const WORD_RUN *weights = packed;                                                        \
            int16 first[PARTS];                                                                               \
            int16 second[PARTS];                                                                              \
            _Pragma("unroll") for (int part = 0; part < PARTS; ++part) {                                      \
                first[part] = outputs->starts[part];                                                          \
                second[part] = outputs->starts[part];                                                         \
            }                                                                                                 \
            for (int plane = 0; plane < outputs->kernel_size.x * step.x; plane += step.x) {                   \
                for (int line = 0; line < height; line += 4) {                                                \
                    __global const uchar *one = from + plane + line * step.y;                                 \
                    const int two = line + 1 < height ? step.y : 0;                                           \
                    const int three = line + 2 < height ? two + step.y : two;                                 \
                    const int four = line + 3 < height ? three + step.y : three;                              \
                    for (int kx = 0; kx < outputs->kernel_size.z; ++kx, one += step.z) {                      \
                        int16 words[PARTS];                                                                   \
                        words_of_rows(one, one + two, one + three, one + four, words);                        \
                        _Pragma("unroll") for (int part = 0; part < PARTS; ++part) {                          \
                            ADD(first[part], words[part], weights[part]);                                     \
                        }                                                                                     \
                        weights += PARTS;                                                                     \
                        if (outputs->rows == 2) {                                                             \
                            _Pragma("unroll") for (int part = 0; part < PARTS; ++part) {                      \
                                ADD(second[part], words[part], weights[part]);                                \
                            }                                                                                 \
                            weights += PARTS;                                                                 \
                        }                                                                                     \
                    }                                                                                         \
                }                                                                                             \
            }                                                                                                 \
            if (outputs->first == 0) {                                                                        \
                store_codes(first, outputs, y);                                                               \
            }                                                                                                 \
            if (outputs->rows == 2) {                                                                         \
                store_codes(second, outputs, y + outputs->y_step);                                            \
            }                                                                                                 \
        }                                                                                                     \
    }

#define ADD_AT_ONCE(sums, codes, weights) sums = quads_added(sums, codes, weights)
#define ADD_BY_PAIRS(sums, codes, weights) sums += products_of_words(codes, weights)
#ifdef HAS_QUAD_PRODUCTS
CONVOLVE_ROWS(convolve_rows_at_once, __attribute__((target("avx512vnni"), noinline)), ADD_AT_ONCE)
#endif
CONVOLVE_ROWS(convolve_rows_by_pairs, __attribute__((noinline)), ADD_BY_PAIRS)

// One item for a block of channels, `lines` times `rows` rows of y and an image.
__kernel void convolve_channel_quads(
        __global const uchar *padded,
        __global const int *packed,
        __global const int *sums,
        __global const int *bias,
        __global const uchar *x_zero_point,
        __global const float *x_scale,
        __global const float *w_scale,
        __global const float *y_scale,
        __global const uchar *y_zero_point,
        __global uchar *y,
        const int w_scale_step,
        const int4 out_size,
        const int4 padded_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int flip,
        const int y_kind,
        const int rows,
        const int lines) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int channels = out_size.w;
    const int pitch = padded_size.w;
    const int first = max(min(at.x * BLOCK, channels - BLOCK), 0);
    const int x_zero = (x_zero_point ? x_zero_point[0] : 0) ^ flip;
    OUTPUTS outputs;
    for (int part = 0; part < PARTS; ++part) {
        int start[RUN];
        float scale[RUN];
        for (int lane = 0; lane < RUN; ++lane) {
            const int channel = min(first + channel_of(part * RUN + lane), channels - 1);
            start[lane] = (bias ? bias[channel] : 0) - x_zero * sums[channel];
            scale[lane] = w_scale[channel * w_scale_step];
        }
        outputs.starts[part] = *(const WORD_RUN *)start;
        outputs.scales[part] = code_scales(x_scale, *(const SCALE_RUN *)scale, y_scale, y_kind);
    }
    outputs.zero = code_zero(y_zero_point, y_kind);
    outputs.y_kind = y_kind;
    outputs.kernel_size = kernel_size;
    outputs.kernel_size.y += (rows - 1) * stride.y;
    outputs.step = (int4)(dilation.x * padded_size.y * padded_size.z * pitch, dilation.y * padded_size.z * pitch,
            dilation.z * pitch, stride.z * pitch);
    outputs.rows = rows;
    outputs.columns = out_size.z;
    outputs.pixel = channels;
    outputs.y_step = out_size.z * channels;
    outputs.lanes = min(channels, BLOCK);
    __global const WORD_RUN *weights = (__global const WORD_RUN *)packed
            + at.x * kernel_size.x * ((outputs.kernel_size.y + 3) / 4) * kernel_size.z * rows * PARTS;
    const int pairs = (out_size.y + rows - 1) / rows;
    for (int line = at.y * lines; line < min(at.y * lines + lines, pairs * out_size.x); ++line) {
        const int depth = line / pairs;
        const int wanted = line % pairs * rows;
        const int row = min(wanted, out_size.y - rows);
        outputs.first = wanted - row;
        __global const uchar *from = padded + first
                + ((at.z * padded_size.x + depth * stride.x) * padded_size.y + row * stride.y) * padded_size.z * pitch;
        __global uchar *to =
                y + first + ((at.z * out_size.x + depth) * out_size.y + row) * out_size.z * channels;
#ifdef HAS_QUAD_PRODUCTS
        if (sums[channels] != 0) {
            convolve_rows_at_once(from, weights, &outputs, to);
            continue;
        }
#endif
        convolve_rows_by_pairs(from, weights, &outputs, to);
    }
}
