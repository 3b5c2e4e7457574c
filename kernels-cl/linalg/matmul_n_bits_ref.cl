// y = a * B + bias, where B are codes of 4 or 8 bits, and every block of neighbours in a column has a scale and a zero
// point of its own; one element of y per item.
//
// Layout: a [m, k] and y [m, n] dense; b [n, blocks, bytes of a block], codes that share a byte low bits first; scales and
//         zero_points [n, blocks]; bias [n]. zero_points may be NULL: half of the codes are below 0 then. bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor. Global size [at least n, m].
// Macros: ELEMENT (common/element.h), a floating type.
#include "common/element.h"

__kernel void matmul_n_bits(
        __global const STORED *a,
        __global const uchar *b,
        __global const STORED *scales,
        __global const STORED *zero_points,
        __global const STORED *bias,
        __global STORED *y,
        const int m,
        const int n,
        const int k,
        const int blocks,
        const int block_size,
        const int bits) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    if (column >= n || row >= m) {
        return;
    }
    const int together = 8 / bits;
    const int mask = (1 << bits) - 1;
    float sum = 0.0f;
    for (int block = 0; block < blocks; ++block) {
        const int at = column * blocks + block;
        __global const uchar *codes = b + at * (block_size / together);
        const int first = block * block_size;
        const int count = min(block_size, k - first);
        const float zero = zero_points ? load_element(zero_points, at) : (float)(1 << (bits - 1));
        const float scale = load_element(scales, at);
        for (int i = 0; i < count; ++i) {
            const int code = codes[i / together] >> (i % together * bits) & mask;
            sum += load_element(a, row * k + first + i) * (((float)code - zero) * scale);
        }
    }
    store_element(bias ? sum + load_element(bias, column) : sum, y, row * n + column);
}
