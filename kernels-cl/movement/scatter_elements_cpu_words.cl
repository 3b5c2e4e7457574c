// y = data, but y[outer, indices[outer, k, inner], inner] = updates[outer, k, inner], of words of 32 bits; the last k counts.
//
// Layout: data and y are [outer, axis_size, inner], indices and updates [outer, count, inner], all dense. Indices have
//         index_words words each, of which the lowest is read: all of them are inside the axis. A line is one place of
//         outer and inner.
// Assumes: negative indices count from the end; those out of range write the nearest end, never other memory; fewer than
//          2^31 elements. The len words of y, and then the lines, are divided into `items` pieces. Global size [items].
// Macros: none.
typedef uint ScatterWords __attribute__((ext_vector_type(16), aligned(4)));

#ifdef __ENDIAN_LITTLE__
#define SCATTER_LOWEST(words) 0
#else
#define SCATTER_LOWEST(words) ((words) - 1)
#endif

__kernel void scatter_elements_cpu_copy(__global const uint *data, __global uint *y, const int len, const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int i = (int)((long)len * at.x / items);
    for (; i + 16 <= end; i += 16) {
        *(__global ScatterWords *)(y + i) = *(__global const ScatterWords *)(data + i);
    }
    for (; i < end; ++i) {
        y[i] = data[i];
    }
}

__kernel void scatter_elements_cpu_words(
        __global const int *indices,
        __global const uint *updates,
        __global uint *y,
        const int lines,
        const int count,
        const int axis_size,
        const int inner,
        const int index_words,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)lines * (at.x + 1) / items);
    for (int line = (int)((long)lines * at.x / items); line < end; ++line) {
        const int outer = line / inner;
        const int column = line - outer * inner;
        __global uint *to = y + outer * axis_size * inner + column;
        for (int k = 0; k < count; ++k) {
            const int from = (outer * count + k) * inner + column;
            const int index = indices[from * index_words + SCATTER_LOWEST(index_words)];
            to[clamp(index < 0 ? index + axis_size : index, 0, axis_size - 1) * inner] = updates[from];
        }
    }
}
