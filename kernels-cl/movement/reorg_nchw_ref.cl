// Space to depth (reorg) and depth to space (reorg_reversed) with square blocks of `scale`.
//
// Layout: NCHW; dims are those of y. The deep channel is [block, channel] (DCR), or [channel, block] (CRD).
// Assumes: fewer than 2^31 elements; the global size is at least len.
// Macros: TYPE  an unsigned type as wide as an element; BLOCK_FIRST  1: DCR, 0: CRD.
#ifndef TYPE
#define TYPE uint
#endif
#ifndef BLOCK_FIRST
#define BLOCK_FIRST 1
#endif

static inline int deep_channel(int channel, int block, int channels, int blocks) {
    return BLOCK_FIRST ? block * channels + channel : channel * blocks + block;
}

__kernel void reorg(__global const TYPE *x, __global TYPE *y, const int len, const int4 dims, const int scale) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int column = i % dims.w;
    const int row = i / dims.w % dims.z;
    const int deep = i / dims.w / dims.z % dims.y;
    const int image = i / dims.w / dims.z / dims.y;
    const int blocks = scale * scale;
    const int channels = dims.y / blocks;
    const int block = BLOCK_FIRST ? deep / channels : deep % blocks;
    const int channel = BLOCK_FIRST ? deep % channels : deep / blocks;
    const int x_row = row * scale + block / scale;
    const int x_column = column * scale + block % scale;
    y[i] = x[((image * channels + channel) * dims.z * scale + x_row) * dims.w * scale + x_column];
}

__kernel void reorg_reversed(
        __global const TYPE *x, __global TYPE *y, const int len, const int4 dims, const int scale) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int column = i % dims.w;
    const int row = i / dims.w % dims.z;
    const int channel = i / dims.w / dims.z % dims.y;
    const int image = i / dims.w / dims.z / dims.y;
    const int blocks = scale * scale;
    const int deep = deep_channel(channel, row % scale * scale + column % scale, dims.y, blocks);
    const int x_height = dims.z / scale;
    const int x_width = dims.w / scale;
    y[i] = x[((image * dims.y * blocks + deep) * x_height + row / scale) * x_width + column / scale];
}
