// y[outer, index, inner] = x[outer, indices[index], inner] of words of 32 bits, in large pieces.
//
// Layout: x is [outer, axis_size, inner], indices [count], y [outer, count, inner], all dense. Indices have index_words
//         words each, of which the lowest is read: all of them are inside the axis.
// Assumes: negative indices count from the end; those out of range read the nearest end, never other memory; fewer than
//          2^31 elements. The len words of y are divided into `items` pieces. Global size [items].
// Macros: none.
typedef uint GatherWords __attribute__((ext_vector_type(16), aligned(4)));

#ifdef __ENDIAN_LITTLE__
#define GATHER_LOWEST(words) 0
#else
#define GATHER_LOWEST(words) ((words) - 1)
#endif

static inline int gather_place(__global const int *indices, int index, int index_words, int axis_size) {
    const int given = indices[index * index_words + GATHER_LOWEST(index_words)];
    return clamp(given < 0 ? given + axis_size : given, 0, axis_size - 1);
}

static inline void gather_copy(__global const uint *x, __global uint *y, int count) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        *(__global GatherWords *)(y + i) = *(__global const GatherWords *)(x + i);
    }
    for (; i < count; ++i) {
        y[i] = x[i];
    }
}

__kernel void gather_cpu_words(
        __global const uint *x,
        __global const int *indices,
        __global uint *y,
        const int len,
        const int axis_size,
        const int inner,
        const int count,
        const int index_words,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int word = (int)((long)len * at.x / items);
    const int row = word / inner;
    int outer = row / count;
    int index = row - outer * count;
    int column = word - row * inner;
    while (word < end) {
        const int size = min(inner - column, end - word);
        __global const uint *slices = x + outer * axis_size * inner + column;
        gather_copy(slices + gather_place(indices, index, index_words, axis_size) * inner, y + word, size);
        word += size;
        column = 0;
        if (++index == count) {
            index = 0;
            ++outer;
        }
    }
}
