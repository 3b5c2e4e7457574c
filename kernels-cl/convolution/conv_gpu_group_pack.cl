// Brings the weights of a convolution into panels for tiles of work-groups. A row is an output channel of its group, a
// slot is a term: slots are taps, of each slot_channels channels, or channels, of each its taps (slot_channels 0).
//
// Layout: weights with strides [out channel of a group, in channel, tap, group], packed [group, tile of rows, slot,
//         row], 0 where there is no row, channel or tap.
// Assumes: fewer than 2^31 elements in every tensor, `len` in packed; global size at least len.
// Macros: none.

// Where the weight comes from that is `at` in packed; below 0 for one that is not there.
static inline int weight_at(
        int at, int rows, int slots, int slot_channels, int taps, int group_in, int group_out, int4 w_strides) {
    const int slot = at / rows % slots;
    const int tiles = (group_out + rows - 1) / rows;
    const int tile = at / rows / slots;
    const int row = tile % tiles * rows + at % rows;
    const int channel = slot_channels > 0 ? slot % slot_channels : slot / taps;
    const int tap = slot_channels > 0 ? slot / slot_channels : slot % taps;
    if (row >= group_out || channel >= group_in) {
        return -1;
    }
    return row * w_strides.s0 + channel * w_strides.s1 + tap * w_strides.s2 + tile / tiles * w_strides.s3;
}

__kernel void pack_group_panels_32(
        __global const float *weights,
        __global float *packed,
        const int len,
        const int rows,
        const int slots,
        const int slot_channels,
        const int taps,
        const int group_in,
        const int group_out,
        const int4 w_strides) {
    const int at = get_global_id(0);
    if (at < len) {
        const int from = weight_at(at, rows, slots, slot_channels, taps, group_in, group_out, w_strides);
        packed[at] = from < 0 ? 0 : weights[from];
    }
}

__kernel void pack_group_panels_16(
        __global const ushort *weights,
        __global ushort *packed,
        const int len,
        const int rows,
        const int slots,
        const int slot_channels,
        const int taps,
        const int group_in,
        const int group_out,
        const int4 w_strides) {
    const int at = get_global_id(0);
    if (at < len) {
        const int from = weight_at(at, rows, slots, slot_channels, taps, group_in, group_out, w_strides);
        packed[at] = from < 0 ? 0 : weights[from];
    }
}

__kernel void pack_group_panels_8(
        __global const char *weights,
        __global char *packed,
        const int len,
        const int rows,
        const int slots,
        const int slot_channels,
        const int taps,
        const int group_in,
        const int group_out,
        const int4 w_strides) {
    const int at = get_global_id(0);
    if (at < len) {
        const int from = weight_at(at, rows, slots, slot_channels, taps, group_in, group_out, w_strides);
        packed[at] = from < 0 ? 0 : weights[from];
    }
}
