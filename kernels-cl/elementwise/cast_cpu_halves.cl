// y[i] = x[i] from float32 to float16, rounded to nearest even (floats_to_halves), and back (halves_to_floats): an item does
// a run of vectors, with the arithmetic of integers, because core OpenCL converts halves one at a time.
//
// Layout: any, x and y alike and dense.
// Assumes: len < 2^31. The elements are divided into `items` runs. Global size [items].
// Macros: none.
typedef uint CastWords __attribute__((ext_vector_type(16), aligned(4)));
typedef ushort CastHalves __attribute__((ext_vector_type(16), aligned(2)));

// Those below 2^-14 are rounded by an addition of 1/2, whose last bit is that of the smallest half; from 2^16 on they are
// infinite.
static inline uint16 cast_to_half(uint16 bits) {
    const uint16 size = bits & 0x7fffffffu;
    const uint16 normal = (size + ((size >> 13) & 1u) - (112u << 23) + 0xfffu) >> 13;
    const uint16 small = as_uint16(as_float16(size) + 0.5f) - (126u << 23);
    const uint16 large = size > (255u << 23) ? 0x7e00u : 0x7c00u;
    const uint16 finite = size < (113u << 23) ? small : normal;
    return (size >= (143u << 23) ? large : finite) | ((bits >> 16) & 0x8000u);
}

// A half's exponent and fraction, moved to those of a float; what has no leading bit gets one and loses it again.
static inline uint16 cast_to_float(uint16 half_bits) {
    const uint16 moved = ((half_bits & 0x7fffu) << 13) + (112u << 23);
    const uint16 small = as_uint16(as_float16(moved + (1u << 23)) - as_float(113u << 23));
    const uint16 exponent = half_bits & 0x7c00u;
    const uint16 size = exponent == 0x7c00u ? moved + (112u << 23) : exponent == 0 ? small : moved;
    return size | ((half_bits & 0x8000u) << 16);
}

__kernel void floats_to_halves(__global const uint *x, __global ushort *y, const int len, const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int i = (int)((long)len * at.x / items);
    for (; i + 16 <= end; i += 16) {
        *(__global CastHalves *)(y + i) = convert_ushort16(cast_to_half(*(__global const CastWords *)(x + i)));
    }
    for (; i < end; ++i) {
        y[i] = (ushort)cast_to_half((uint16)x[i]).s0;
    }
}

__kernel void halves_to_floats(__global const ushort *x, __global uint *y, const int len, const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int i = (int)((long)len * at.x / items);
    for (; i + 16 <= end; i += 16) {
        *(__global CastWords *)(y + i) = cast_to_float(convert_uint16(*(__global const CastHalves *)(x + i)));
    }
    for (; i < end; ++i) {
        y[i] = cast_to_float((uint16)x[i]).s0;
    }
}
