// Codes of 4 or 8 bits, and the scales and zero points of their blocks, in panels of 32 columns, as
// linalg/matmul_n_bits_cpu_panels.cl reads them.
//
// Layout: b [n, stride bytes] and its codes [n / 32, k, 32], those that share a byte low bits first in b; in codes of 4 bits
//         the low ones of 16 bytes are columns 0 to 15, the high ones the others; values [n, blocks] and packed
//         [n / 32, blocks, 32].
// Columns beyond n are 0.
// Assumes: fewer than 2^31 elements in every tensor. Global size [k or blocks, n / 32 rounded up].
// Macros: none.

static inline uint n_bits_code(__global const uchar *b, int column, int term, int n, int stride, int bits) {
    if (column >= n) {
        return 0;
    }
    const int together = 8 / bits;
    return b[column * stride + term / together] >> term % together * bits & ((1 << bits) - 1);
}

__kernel void n_bits_pack(
        __global const uchar *b,
        __global uchar *codes,
        const int n,
        const int k,
        const int stride,
        const int bits) {
    const int term = get_global_id(0);
    const int column = get_global_id(1) * 32;
    const int bytes = 4 * bits;
    __global uchar *to = codes + ((int)get_global_id(1) * k + term) * bytes;
    for (int i = 0; i < bytes; ++i) {
        uint code = n_bits_code(b, column + i, term, n, stride, bits);
        if (bits == 4) {
            code |= n_bits_code(b, column + bytes + i, term, n, stride, bits) << 4;
        }
        to[i] = (uchar)code;
    }
}

__kernel void n_bits_pack_blocks(
        __global const float *values, __global float *packed, const int n, const int blocks) {
    const int block = get_global_id(0);
    const int panel = get_global_id(1);
    for (int i = 0; i < 32; ++i) {
        const int column = panel * 32 + i;
        packed[(panel * blocks + block) * 32 + i] = column < n ? values[column * blocks + block] : 0.0f;
    }
}
