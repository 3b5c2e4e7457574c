// Transforms the weights of a 3x3 convolution of blocked channels for Winograd's minimal filtering, F(4x4, 3x3) or
// F(2x2, 3x3), and brings them into the order that conv_blocked_cpu_winograd.cl reads.
//
// Layout: weights [out channel, in channel, 3, 3], dense; packed is [position, group of out blocks, in channel,
//         16 * blocks of a group]. Channels that do not exist have weights of 0.
// Assumes: fewer than 2^31 elements in every tensor; local size 1.
// Macros: none.
#include "common/blocked_vector.h"
#include "common/winograd.h"

#define BW_UNROLL _Pragma("unroll")

WINOGRAD_WEIGHTS_4(bw_weights_4, float16)
WINOGRAD_WEIGHTS_2(bw_weights_2, float16)

#define BW_PACK(name, EDGE, transform)                                                                              \
    static void name(const float16 *g, __global float *to, int step) {                                              \
        float16 down[EDGE * 3];                                                                                     \
        float16 across[EDGE];                                                                                       \
        BW_UNROLL for (int c = 0; c < 3; ++c) {                                                                     \
            const float16 column[3] = {g[c], g[3 + c], g[6 + c]};                                                   \
            transform(column, down + c, 3);                                                                         \
        }                                                                                                           \
        BW_UNROLL for (int r = 0; r < EDGE; ++r) {                                                                  \
            transform(down + r * 3, across, 1);                                                                     \
            BW_UNROLL for (int c = 0; c < EDGE; ++c) {                                                              \
                blocked_store(across[c], to + (r * EDGE + c) * step);                                               \
            }                                                                                                       \
        }                                                                                                           \
    }

BW_PACK(bw_pack_4, 6, bw_weights_4)
BW_PACK(bw_pack_2, 4, bw_weights_2)

// One item per in channel, with those that fill the last block, and block of out channels.
__kernel void conv_blocked_cpu_winograd_weights(
        __global const float *weights,
        __global float *packed,
        const int in_channels,
        const int out_channels,
        const int tile,
        const int group_blocks) {
    const int in_channel = get_global_id(0);
    const int in_len = get_global_size(0);
    const int block = get_global_id(1);
    const int blocks = get_global_size(1);
    float16 g[9];
    for (int tap = 0; tap < 9; ++tap) {
        float lanes[16];
        for (int lane = 0; lane < 16; ++lane) {
            const int out_channel = block * 16 + lane;
            lanes[lane] = in_channel < in_channels && out_channel < out_channels
                    ? weights[(out_channel * in_channels + in_channel) * 9 + tap]
                    : 0.0f;
        }
        g[tap] = *(const Blocked16 *)lanes;
    }
    const int group = block / group_blocks;
    __global float *to = packed + ((group * in_len + in_channel) * group_blocks + block % group_blocks) * 16;
    if (tile == 4) {
        bw_pack_4(g, to, blocks * in_len * 16);
    } else {
        bw_pack_2(g, to, blocks * in_len * 16);
    }
}
