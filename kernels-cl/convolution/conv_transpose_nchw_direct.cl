// 2-D transposed convolution for devices with many narrow threads: an item computes 8 output channels of one pixel.
//
// Layout: x, y NCHW, weights [in channels, out channels / groups, height, width], used in place; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor; pad_begin is cut from the full result and may be negative.
//          Neighbouring items have pixels of one residue of the stride, so that they need the same taps. Global size
//          [at least ceil(out height / stride.x) * ceil(out width / stride.y),
//          batch * groups * ceil(channels of a group / 8), stride.x * stride.y]; sizes are int2 [height, width].
// Macros: none.
#define EACH_CHANNEL(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)
#define DECLARE(o)                                                  \
    const int w##o = min(o, last) * taps;                           \
    float total##o = bias ? bias[first + min(o, last)] : 0.0f;
#define MULTIPLY(o) total##o += value * tap_weights[w##o];
#define WRITE(o)                                                    \
    if (o <= last) {                                                \
        y[y_at + o * y_plane] = total##o;                           \
    }

// Whether a tap reaches a place of x: `reached` is its distance in the full result.
static inline bool is_source(int reached, int stride, int size) {
    return reached >= 0 && reached % stride == 0 && reached / stride < size;
}

__kernel void convolution_transposed_direct(
        __global const float *x,
        __global const float *weights,
        __global const float *bias,
        __global float *y,
        const int2 in_size,
        const int2 out_size,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int2 pad_begin,
        const int groups,
        const int group_in,
        const int group_out) {
    const int width = (out_size.y + stride.y - 1) / stride.y;
    const int row = get_global_id(0) / width * stride.x + get_global_id(2) / stride.y;
    const int column = get_global_id(0) % width * stride.y + get_global_id(2) % stride.y;
    if (row >= out_size.x || column >= out_size.y) {
        return;
    }
    const int tiles = (group_out + 7) / 8;
    const int group_tile = get_global_id(1) % tiles * 8;
    const int group = get_global_id(1) / tiles % groups;
    const int image = get_global_id(1) / tiles / groups;
    const int first = group * group_out + group_tile;
    const int last = min(group_out - group_tile, 8) - 1;
    const int taps = kernel_size.x * kernel_size.y;
    const int x_plane = in_size.x * in_size.y;
    const int y_plane = out_size.x * out_size.y;
    const int y_at = (image * groups * group_out + first) * y_plane + row * out_size.y + column;
    __global const float *group_x = x + (image * groups + group) * group_in * x_plane;
    __global const float *group_weights = weights + (group * group_in * group_out + group_tile) * taps;
    EACH_CHANNEL(DECLARE)
    for (int ky = 0; ky < kernel_size.x; ++ky) {
        const int reached_row = row + pad_begin.x - ky * dilation.x;
        for (int kx = 0; kx < kernel_size.y && is_source(reached_row, stride.x, in_size.x); ++kx) {
            const int reached_column = column + pad_begin.y - kx * dilation.y;
            if (!is_source(reached_column, stride.y, in_size.y)) {
                continue;
            }
            const int at = reached_row / stride.x * in_size.y + reached_column / stride.y;
            __global const float *tap_weights = group_weights + ky * kernel_size.y + kx;
            for (int channel = 0; channel < group_in; ++channel) {
                const float value = group_x[channel * x_plane + at];
                EACH_CHANNEL(MULTIPLY)
                tap_weights += group_out * taps;
            }
        }
    }
    EACH_CHANNEL(WRITE)
}
