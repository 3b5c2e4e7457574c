// 2-D convolution for devices with many narrow threads: an item computes 8 output channels of one pixel.
//
// Layout: x, y NCHW, weights OIHW, all dense and used in place; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor. Neighbouring items have neighbouring pixels, so reads of x are
//          coalesced and weights are the same for all. Global size [at least height * width of y,
//          batch * groups * ceil(channels of a group / 8)]; sizes are int2 [height, width].
// Macros: none.
#define EACH_CHANNEL(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)
#define DECLARE(o)                                                  \
    const int w##o = (first + min(o, last)) * w_pitch;              \
    float total##o = bias ? bias[first + min(o, last)] : 0.0f;
#define MULTIPLY(o) total##o += value * weights[w##o + tap];
#define WRITE(o)                                                    \
    if (o <= last) {                                                \
        y[y_at + o * y_plane] = total##o;                           \
    }

__kernel void convolution_direct(
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
    const int pixel = get_global_id(0);
    const int y_plane = out_size.x * out_size.y;
    if (pixel >= y_plane) {
        return;
    }
    const int tiles = (group_out + 7) / 8;
    const int group_tile = get_global_id(1) % tiles * 8;
    const int group = get_global_id(1) / tiles % groups;
    const int image = get_global_id(1) / tiles / groups;
    const int first = group * group_out + group_tile;
    const int last = min(group_out - group_tile, 8) - 1;
    const int in_row = pixel / out_size.y * stride.x - pad_begin.x;
    const int in_column = pixel % out_size.y * stride.y - pad_begin.y;
    const int taps = kernel_size.x * kernel_size.y;
    const int w_pitch = group_in * taps;
    const int y_at = (image * groups * group_out + first) * y_plane + pixel;
    EACH_CHANNEL(DECLARE)
    for (int channel = 0; channel < group_in; ++channel) {
        const int plane = ((image * groups + group) * group_in + channel) * in_size.x;
        for (int ky = 0; ky < kernel_size.x; ++ky) {
            const int row = in_row + ky * dilation.x;
            if (row < 0 || row >= in_size.x) {
                continue;
            }
            for (int kx = 0; kx < kernel_size.y; ++kx) {
                const int column = in_column + kx * dilation.y;
                const bool inside = column >= 0 && column < in_size.y;
                const float value = inside ? x[(plane + row) * in_size.y + column] : 0.0f;
                const int tap = channel * taps + ky * kernel_size.y + kx;
                EACH_CHANNEL(MULTIPLY)
            }
        }
    }
    EACH_CHANNEL(WRITE)
}
