// Depthwise convolutions of codes for processors, plane by plane: sixteen outputs of a row at a time, and of 3x3 and 5x5
// windows four rows, so that what is loaded serves several windows.
//
// Layout: x and y [image, channel, depth, height, width]; padded the codes of x as bytes without a sign, with padding, rows
// `pitch` apart, as many as the last run of a row reads; packed the weights less their zero points, [channel, tap]; sums
// those of the weights of each channel. Sizes are int4 [depth, height, width, channels]; those of padded are what the
// window reads, with the pitch in place of the width.
// Assumes: every tensor has fewer than 2^31 bytes; bias and zero points may be NULL, scales where y_kind does not ask for
//          them. Sums wrap.
// Macros: none.
#include "common/requantize_runs.h"

#define RUN 16
#define ROWS 4

typedef ushort CODE_PAIRS __attribute__((ext_vector_type(16), aligned(1)));

// One item for each channel.
__kernel void pack_planes(
        __global const uchar *weights,
        __global const uchar *w_zero_point,
        __global short *packed,
        __global int *sums,
        const int w_zero_step,
        const int flip,
        const int taps) {
    const int channel = get_global_id(0);
    const int zero = (w_zero_point ? w_zero_point[channel * w_zero_step] : 0) ^ flip;
    int sum = 0;
    for (int tap = 0; tap < taps; ++tap) {
        const int weight = (weights[channel * taps + tap] ^ flip) - zero;
        packed[channel * taps + tap] = weight;
        sum += weight;
    }
    sums[channel] = sum;
}

// One item for each plane of padded.
__kernel void pad_planes(
        __global const uchar *x,
        __global const uchar *x_zero_point,
        __global uchar *padded,
        const int4 in_size,
        const int4 padded_size,
        const int4 pad_begin,
        const int flip) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const uchar zero = (x_zero_point ? x_zero_point[0] : 0) ^ flip;
    const int depth = at.x % padded_size.x - pad_begin.x;
    __global uchar *to = padded + at.x * padded_size.y * padded_size.z;
    __global const uchar *from =
            x + (at.x / padded_size.x * in_size.x + depth) * in_size.y * in_size.z - pad_begin.z;
    const int end = min(in_size.z + pad_begin.z, padded_size.z);
    for (int line = 0; line < padded_size.y; ++line, to += padded_size.z) {
        const int row = line - pad_begin.y;
        const bool inside = depth >= 0 && depth < in_size.x && row >= 0 && row < in_size.y;
        const int begin = inside ? min(pad_begin.z, padded_size.z) : padded_size.z;
        for (int place = 0; place < begin; ++place) {
            to[place] = zero;
        }
        int place = begin;
        for (; place + RUN <= end; place += RUN) {
            *(__global CODE_RUN *)(to + place) =
                    *(__global const CODE_RUN *)(from + row * in_size.z + place) ^ (uchar)flip;
        }
        for (; place < end; ++place) {
            to[place] = from[row * in_size.z + place] ^ flip;
        }
        for (; place < padded_size.z; ++place) {
            to[place] = zero;
        }
    }
}

// Sixteen codes that are `stride` apart.
static inline int16 codes_apart(__global const uchar *from, const int stride) {
    if (stride == 1) {
        return __builtin_convertvector(*(__global const CODE_RUN *)from, int16);
    }
    if (stride == 2) {
        return __builtin_convertvector(*(__global const CODE_PAIRS *)from, int16) & 255;
    }
    int codes[RUN];
    for (int i = 0; i < RUN; ++i) {
        codes[i] = from[i * stride];
    }
    return vload16(0, codes);
}

static inline __attribute__((always_inline)) void sum_rows(
        __global const uchar *from, __global const short *weights, const int pitch, const int width, const int stride_y,
        const int stride_x, int16 *totals) {
    _Pragma("unroll") for (int line = 0; line < (ROWS - 1) * stride_y + width; ++line) {
        _Pragma("unroll") for (int kx = 0; kx < width; ++kx) {
            const int16 codes = codes_apart(from + line * pitch + kx, stride_x);
            _Pragma("unroll") for (int row = 0; row < ROWS; ++row) {
                const int ky = line - row * stride_y;
                if (ky >= 0 && ky < width) {
                    totals[row] += codes * weights[ky * width + kx];
                }
            }
        }
    }
}

// Functions of their own, because a program has an item's body several times.
static __attribute__((noinline)) void sum_rows_3(
        __global const uchar *from, __global const short *weights, const int pitch, const int stride, int16 *totals) {
    if (stride == 1) {
        sum_rows(from, weights, pitch, 3, 1, 1, totals);
    } else {
        sum_rows(from, weights, pitch, 3, 2, 2, totals);
    }
}

static __attribute__((noinline)) void sum_rows_5(
        __global const uchar *from, __global const short *weights, const int pitch, const int stride, int16 *totals) {
    if (stride == 1) {
        sum_rows(from, weights, pitch, 5, 1, 1, totals);
    } else {
        sum_rows(from, weights, pitch, 5, 2, 2, totals);
    }
}

static __attribute__((noinline)) void sum_row(
        __global const uchar *from, __global const short *weights, const int4 padded_size, const int4 kernel_size,
        const int4 dilation, const int stride, int16 *totals) {
    int16 total = totals[0];
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int line = kz * dilation.x * padded_size.y + ky * dilation.y;
            for (int kx = 0; kx < kernel_size.z; ++kx, ++weights) {
                total += codes_apart(from + line * padded_size.z + kx * dilation.z, stride) * weights[0];
            }
        }
    }
    totals[0] = total;
}

// One item for a channel, eight rows of y and an image.
__kernel void convolve_planes(
        __global const uchar *padded,
        __global const short *packed,
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
        const int y_kind) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int channel = at.x;
    const int width = kernel_size.y;
    const bool is_square = kernel_size.x == 1 && width == kernel_size.z && (width == 3 || width == 5)
            && dilation.y == 1 && dilation.z == 1 && stride.y == stride.z && stride.y <= 2 && out_size.x == 1;
    const int x_zero = (x_zero_point ? x_zero_point[0] : 0) ^ flip;
    const int zero = code_zero(y_zero_point, y_kind);
    const int16 start = (bias ? bias[channel] : 0) - x_zero * sums[channel];
    const float16 scale = y_kind == 0
            ? (float16)1.0f
            : code_scales(x_scale, (float16)w_scale[channel * w_scale_step], y_scale, y_kind);
    const int bytes = y_kind < 2 ? 4 : 1;
    const int plane = at.z * out_size.w + channel;
    __global const short *weights = packed + channel * kernel_size.x * width * kernel_size.z;
    const int last = min(at.y * 2 * ROWS + 2 * ROWS, out_size.x * out_size.y);
    int line = at.y * 2 * ROWS;
    while (line < last) {
        const int rows = is_square && last - at.y * 2 * ROWS >= ROWS ? ROWS : 1;
        const int first = min(line, last - rows);
        const int depth = first / out_size.y * stride.x;
        const int row = first % out_size.y * stride.y;
        __global const uchar *from =
                padded + ((plane * padded_size.x + depth) * padded_size.y + row) * padded_size.z;
        __global uchar *to = y + (plane * out_size.x * out_size.y + first) * out_size.z * bytes;
        for (int column = 0; column < out_size.z; column += RUN) {
            const int begin = min(column, max(out_size.z - RUN, 0));
            const int count = min(RUN, out_size.z - begin);
            int16 totals[ROWS];
            _Pragma("unroll") for (int i = 0; i < ROWS; ++i) {
                totals[i] = start;
            }
            if (rows == 1) {
                sum_row(from + begin * stride.z, weights, padded_size, kernel_size, dilation, stride.z, totals);
            } else if (width == 3) {
                sum_rows_3(from + begin * stride.z, weights, padded_size.z, stride.z, totals);
            } else {
                sum_rows_5(from + begin * stride.z, weights, padded_size.z, stride.z, totals);
            }
            for (int i = 0; i < rows; ++i) {
                store_sums(totals[i], scale, zero, to + (i * out_size.z + begin) * bytes, 1, count, y_kind);
            }
        }
        line = first + rows;
    }
}
