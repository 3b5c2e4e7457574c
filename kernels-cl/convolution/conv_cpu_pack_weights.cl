// Brings the weights of a convolution into the order that kernels for channels last read:
// [group, channel tile, tap, in channel, lane], a run of `lanes` lanes per item.
//
// Layout: weights with strides [out channel of a group, in channel, tap, group]. Lane l of tile t is output channel
//         t * lanes + l of its group, or where copies > 1 (one tile), channel l % group_out for l < copies * group_out;
//         lanes without a channel are 0, and so is what follows the last run.
// Assumes: fewer than 2^31 elements in every tensor, `len` in packed; global size at least ceil(len / lanes).
// Macros: none.
__kernel void pack_weights(
        __global const float *weights,
        __global float *packed,
        const int len,
        const int lanes,
        const int copies,
        const int taps,
        const int groups,
        const int group_in,
        const int group_out,
        const int4 w_strides) {
    const int run = get_global_id(0);
    const int count = min(len - run * lanes, lanes);
    const int tiles = (group_out + lanes - 1) / lanes;
    const int in_channel = run % group_in;
    const int tap = run / group_in % taps;
    const int block = run / group_in / taps;
    const int tile = block % tiles * lanes;
    const int group = block / tiles;
    const int real = group < groups ? min(copies > 1 ? copies * group_out : group_out - tile, lanes) : 0;
    __global const float *from =
            weights + group * w_strides.s3 + in_channel * w_strides.s1 + tap * w_strides.s2;
    for (int lane = 0; lane < count; ++lane) {
        const int out_channel = copies > 1 ? lane % group_out : tile + lane;
        packed[run * lanes + lane] = lane < real ? from[out_channel * w_strides.s0] : 0.0f;
    }
}
