// The products of transformed weights and inputs of conv_gpu_winograd_groups.cl, position by position, for devices whose
// work-groups share fast local memory: a work-group computes a tile of output channels by tiles of one position.
//
// Layout: transformed [position, in channel (padded), tile (padded)], packed [position, tile of out channels, in channel
//         (padded), out channel], products [position, out channel, tile (padded)].
// Assumes: fewer than 2^31 elements in every tensor; channel_slots a multiple of DEPTH, pitch one of TILE_COLUMNS; global
//          size [pitch / TILE_COLUMNS * GROUP_COLUMNS, tiles of out channels * GROUP_ROWS, positions], local size
//          [GROUP_COLUMNS, GROUP_ROWS, 1].
// Macros: TILE, ITEM_REGISTERS (common/group_tile.h).
#include "common/element.h"
#include "common/group_tile.h"

__kernel OF_TILE_GROUPS
void winograd_groups_multiply(
        __global const float *transformed,
        __global const float *packed,
        __global float *products,
        const int channel_slots,
        const int pitch,
        const int out_channels) {
    __local TERM4 left_tiles[LEFT_SIZE / 4];
    __local TERM4 right_tiles[RIGHT_SIZE / 4];
    __local TERM *left = (__local TERM *)left_tiles;
    __local TERM *right = (__local TERM *)right_tiles;
    const int position = get_group_id(2);
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    __global const float *rows =
            packed + (position * (int)get_num_groups(1) + (int)get_group_id(1)) * channel_slots * TILE_ROWS;
    __global const float *columns = transformed + position * channel_slots * pitch + first_column;
    TERM4 left_next[LEFT_QUADS];
    TERM4 right_next[RIGHT_QUADS];
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    clear_sums(sums);
    int half_at = 0;
    for (int slot = -DEPTH; slot < channel_slots; slot += DEPTH) {
        const bool has_next = slot + DEPTH < channel_slots;
        if (has_next) {
            read_panel(left_next, rows, TILE_ROWS, TILE_ROWS);
            read_panel(right_next, columns, pitch, TILE_COLUMNS);
            rows += DEPTH * TILE_ROWS;
            columns += DEPTH * pitch;
        }
        if (slot >= 0) {
            multiply_terms(left + half_at * (LEFT_SIZE / 2), right + half_at * (RIGHT_SIZE / 2), sums);
            half_at = 1 - half_at;
        }
        if (has_next) {
            keep_panel(left_next, left + half_at * (LEFT_SIZE / 2), TILE_ROWS, LEFT_PITCH);
            keep_panel(right_next, right + half_at * (RIGHT_SIZE / 2), TILE_COLUMNS, RIGHT_PITCH);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    __global float *to = products + (position * out_channels + first_row) * pitch + first_column;
    _Pragma("unroll")
    for (int r = 0; r < EACH_ROWS; ++r) {
        if (first_row + tile_row(r) < out_channels) {
            _Pragma("unroll")
            for (int c = 0; c < EACH_COLUMNS / 4; ++c) {
                *(__global float4 *)(to + tile_row(r) * pitch + tile_column(c, 0)) = sums[r][c];
            }
        }
    }
}
