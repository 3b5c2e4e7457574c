// Maxima over windows of bytes for processors: sixteen outputs of a row at a time where no window meets padding.
//
// Layout: x and y [plane, depth, height, width]; sizes are int4 [depth, height, width, 0]. flip is 128 where bytes have a
// sign, so that they are in the order of bytes without one.
// Assumes: x and y have fewer than 2^31 elements; a horizontal stride of at most 2; one item for each plane and 8 rows of y.
// Macros: none.

#define RUN 16
#define ROWS 8

typedef uchar BYTE_RUN __attribute__((ext_vector_type(16), aligned(1)));
typedef ushort BYTE_PAIRS __attribute__((ext_vector_type(16), aligned(1)));

// The part of a window, of `taps` elements from `begin`, that lies in an axis: its first and its last tap but one.
static inline int2 taps_inside(int begin, int taps, int dilation, int size) {
    const int first = begin < 0 ? (-begin + dilation - 1) / dilation : 0;
    const int end = begin >= size ? 0 : min(taps, (size - 1 - begin) / dilation + 1);
    return (int2)(first, end);
}

__kernel void max_pool_cpu_bytes(
        __global const uchar *x,
        __global uchar *y,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int flip) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int lines = out_size.x * out_size.y;
    // one byte is read beyond the window where every second one counts
    const int reach = (kernel_size.z - 1) * dilation.z + stride.z - 1;
    const int first = (pad_begin.z + stride.z - 1) / stride.z;
    const int room = in_size.z - 1 - reach + pad_begin.z;
    const int last = room < 0 ? 0 : min(room / stride.z + 1, out_size.z);
    const bool has_runs = last - first >= RUN;
    for (int line = at.x * ROWS; line < min(at.x * ROWS + ROWS, lines); ++line) {
        const int depth = line / out_size.y * stride.x - pad_begin.x;
        const int row = line % out_size.y * stride.y - pad_begin.y;
        const int2 in_depth = taps_inside(depth, kernel_size.x, dilation.x, in_size.x);
        const int2 in_height = taps_inside(row, kernel_size.y, dilation.y, in_size.y);
        __global uchar *to = y + (at.y * lines + line) * out_size.z;
        int column = 0;
        while (column < out_size.z) {
            const bool is_run = has_runs && column >= first && column < last;
            const int place = is_run ? min(column, last - RUN) : column;
            const int begin = place * stride.z - pad_begin.z;
            const int2 in_width =
                    is_run ? (int2)(0, kernel_size.z) : taps_inside(begin, kernel_size.z, dilation.z, in_size.z);
            ushort16 most = 0;
            ushort one = 0;
            for (int kz = in_depth.x; kz < in_depth.y; ++kz) {
                for (int ky = in_height.x; ky < in_height.y; ++ky) {
                    const int from = ((at.y * in_size.x + depth + kz * dilation.x) * in_size.y + row + ky * dilation.y)
                            * in_size.z + begin;
                    for (int kx = in_width.x; kx < in_width.y; ++kx) {
                        __global const uchar *tap = x + from + kx * dilation.z;
                        if (!is_run) {
                            one = max(one, (ushort)(tap[0] ^ flip));
                        } else if (stride.z == 1) {
                            const ushort16 codes = __builtin_convertvector(*(__global const BYTE_RUN *)tap, ushort16);
                            most = max(most, codes ^ (ushort)flip);
                        } else {
                            most = max(most, (*(__global const BYTE_PAIRS *)tap & (ushort)255) ^ (ushort)flip);
                        }
                    }
                }
            }
            if (is_run) {
                *(__global BYTE_RUN *)(to + place) = __builtin_convertvector(most ^ (ushort)flip, BYTE_RUN);
                column = place + RUN;
            } else {
                to[place] = one ^ flip;
                ++column;
            }
        }
    }
}
