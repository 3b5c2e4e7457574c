// Maximum or mean over a sliding window of up to 3 spatial axes: one output element per item.
//
// Layout: x [batch * channels, depth, height, width], y alike; sizes are int4 [depth, height, width, unused].
// Assumes: fewer than 2^31 elements; the global size is at least len. Padding never wins the maximum; with
//          count_padding it counts in the divisor of the mean, but cells beyond pad_end never do.
// Macros: ELEMENT (common/element.h).
#include "common/element.h"

// The larger of two elements; a NaN is larger than all.
static inline WIDE larger_element(WIDE a, WIDE b) {
#if IS_REAL
    return a >= b || isnan(a) ? a : b;
#else
    return max(a, b);
#endif
}

// First input position of the window of output element i, and its plane in w.
static inline int4 window_start(int i, int4 out_size, int4 stride, int4 pad_begin) {
    const int column = i % out_size.z;
    const int row = i / out_size.z % out_size.y;
    const int depth = i / out_size.z / out_size.y % out_size.x;
    const int4 start = (int4)(depth, row, column, 0) * stride - pad_begin;
    return (int4)(start.xyz, i / out_size.z / out_size.y / out_size.x);
}

// First tap of a window that lies in [0, size).
static inline int first_tap(int start, int dilation) {
    return start >= 0 ? 0 : (dilation - 1 - start) / dilation;
}

// One past the last tap of a window that lies in [0, size).
static inline int end_tap(int start, int dilation, int taps, int size) {
    return start >= size ? 0 : min(taps, (size - start + dilation - 1) / dilation);
}

__kernel void max_pool(
        __global const STORED *x,
        __global STORED *y,
        const int len,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int4 start = window_start(i, out_size, stride, pad_begin);
    const int plane = start.w * in_size.x * in_size.y * in_size.z;
    WIDE best = LOWEST;
    for (int kz = first_tap(start.x, dilation.x); kz < end_tap(start.x, dilation.x, kernel_size.x, in_size.x); ++kz) {
        for (int ky = first_tap(start.y, dilation.y); ky < end_tap(start.y, dilation.y, kernel_size.y, in_size.y);
             ++ky) {
            const int row = (start.x + kz * dilation.x) * in_size.y + start.y + ky * dilation.y;
            const int end = end_tap(start.z, dilation.z, kernel_size.z, in_size.z);
            for (int kx = first_tap(start.z, dilation.z); kx < end; ++kx) {
                best = larger_element(best, load_element(x, plane + row * in_size.z + start.z + kx * dilation.z));
            }
        }
    }
    store_element(best, y, i);
}

__kernel void avg_pool(
        __global const STORED *x,
        __global STORED *y,
        const int len,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int4 pad_end,
        const int count_padding) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int4 start = window_start(i, out_size, stride, pad_begin);
    const int plane = start.w * in_size.x * in_size.y * in_size.z;
    const int x_begin = first_tap(start.z, dilation.z);
    const int x_end = end_tap(start.z, dilation.z, kernel_size.z, in_size.z);
    const int y_begin = first_tap(start.y, dilation.y);
    const int y_end = end_tap(start.y, dilation.y, kernel_size.y, in_size.y);
    const int z_begin = first_tap(start.x, dilation.x);
    const int z_end = end_tap(start.x, dilation.x, kernel_size.x, in_size.x);
    WIDE total = 0;
    for (int kz = z_begin; kz < z_end; ++kz) {
        for (int ky = y_begin; ky < y_end; ++ky) {
            const int row = (start.x + kz * dilation.x) * in_size.y + start.y + ky * dilation.y;
            for (int kx = x_begin; kx < x_end; ++kx) {
                total += load_element(x, plane + row * in_size.z + start.z + kx * dilation.z);
            }
        }
    }
    int count = max(z_end - z_begin, 0) * max(y_end - y_begin, 0) * max(x_end - x_begin, 0);
    if (count_padding) {
        count = end_tap(start.x, dilation.x, kernel_size.x, in_size.x + pad_end.x)
                * end_tap(start.y, dilation.y, kernel_size.y, in_size.y + pad_end.y)
                * end_tap(start.z, dilation.z, kernel_size.z, in_size.z + pad_end.z);
    }
    store_element(mean_of(total, max(count, 1)), y, i);
}
