// Brings the windows of a convolution into columns, so that it becomes a 1x1 convolution of stride 1 over taps and
// channels (conv_ncx_cpu_pointwise.cl): an item writes what one tap of one channel of one image meets, 0 outside x.
//
// Layout: x NCDHW, dense; columns [image, tap, channel, output position].
// Assumes: fewer than 2^31 elements in every tensor. Global size [taps, channels, images]: the taps of a channel follow
//          one another, so that its plane stays in a cache.
// Macros: none.
__kernel void windows_to_columns(
        __global const float *x,
        __global float *columns,
        const int channels,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int tap = at.x;
    const int channel = at.y;
    const int image = at.z;
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    const int row_tap = tap / kernel_size.z;
    const int4 place = (int4)(row_tap / kernel_size.y, row_tap % kernel_size.y, tap % kernel_size.z, 0);
    const int4 from = place * dilation - pad_begin;
    __global const float *plane = x + (image * channels + channel) * in_size.x * in_size.y * in_size.z;
    __global float *to = columns
            + ((image * taps + tap) * channels + channel) * out_size.x * out_size.y * out_size.z;
    // Output columns from `first` up to `last` lie inside.
    const int first = clamp((stride.z - 1 - from.z) / stride.z, 0, out_size.z);
    const int last = from.z >= in_size.z ? first : clamp((in_size.z - 1 - from.z) / stride.z + 1, first, out_size.z);
    for (int z = 0; z < out_size.x; ++z) {
        const int in_z = z * stride.x + from.x;
        for (int y = 0; y < out_size.y; ++y, to += out_size.z) {
            const int in_y = y * stride.y + from.y;
            const bool inside = in_z >= 0 && in_z < in_size.x && in_y >= 0 && in_y < in_size.y;
            const int begin = inside ? first : 0;
            const int end = inside ? last : 0;
            for (int c = 0; c < begin; ++c) {
                to[c] = 0.0f;
            }
            if (begin < end) {
                __global const float *row = plane + (in_z * in_size.y + in_y) * in_size.z + from.z;
                for (int c = begin; c < end; ++c) {
                    to[c] = row[c * stride.z];
                }
            }
            for (int c = end; c < out_size.z; ++c) {
                to[c] = 0.0f;
            }
        }
    }
}
