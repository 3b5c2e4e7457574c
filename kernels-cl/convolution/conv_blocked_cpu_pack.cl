// Brings the weights of a convolution into the order that kernels for blocked channels read: runs of 16 * blocks output
// channels, [group, channel tile, in block, tap, in lane, output channel of the tile], one run per item.
//
// Layout: weights [out channel, in channel of a group, tap], dense. in_lanes is 16, or 1 where each output channel has
//         one input channel (depthwise: one group of one in block). Channels that do not exist have weights of 0.
// Assumes: fewer than 2^31 elements in every tensor. Global size [groups * tiles * in_blocks * taps * in_lanes], where
//          a group has tiles * 16 * blocks output channels or a few less.
// Macros: none.
__kernel void conv_blocked_cpu_pack(
        __global const float *weights,
        __global float *packed,
        const int blocks,
        const int tiles,
        const int in_blocks,
        const int taps,
        const int in_lanes,
        const int group_in,
        const int group_out) {
    const int run = get_global_id(0);
    const int lanes = 16 * blocks;
    const int in_lane = run % in_lanes;
    const int tap = run / in_lanes % taps;
    const int in_block = run / in_lanes / taps % in_blocks;
    const int tile = run / in_lanes / taps / in_blocks;
    const int group = tile / tiles;
    const int first = tile % tiles * lanes;
    const int channel = in_block * in_lanes + in_lane;
    __global float *to = packed + run * lanes;
    for (int lane = 0; lane < lanes; ++lane) {
        const int out = first + lane;
        const int at = ((group * group_out + out) * group_in + channel) * taps + tap;
        to[lane] = out < group_out && channel < group_in ? weights[at] : 0.0f;
    }
}
