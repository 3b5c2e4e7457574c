// Copies `outer` rows of `size` words of 32 bits between two tensors with different row pitches, in large pieces.
//
// Layout: row r starts at x_offset + r * x_pitch in x and at y_offset + r * y_pitch in y.
// Assumes: both tensors have fewer than 2^31 elements. The outer * size words, one row after the other, are divided
//          into `items` pieces. Global size [items].
// Macros: none.
typedef uint RowWords __attribute__((ext_vector_type(16), aligned(4)));

__kernel void copy_words(
        __global const uint *x,
        __global uint *y,
        const int outer,
        const int size,
        const int x_offset,
        const int x_pitch,
        const int y_offset,
        const int y_pitch,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const long total = (long)outer * size;
    const int end = (int)(total * (at.x + 1) / items);
    int word = (int)(total * at.x / items);
    while (word < end) {
        const int row = word / size;
        const int column = word - row * size;
        const int count = min(size - column, end - word);
        __global const uint *from = x + x_offset + row * x_pitch + column;
        __global uint *to = y + y_offset + row * y_pitch + column;
        int i = 0;
        for (; i + 16 <= count; i += 16) {
            *(__global RowWords *)(to + i) = *(__global const RowWords *)(from + i);
        }
        for (; i < count; ++i) {
            to[i] = from[i];
        }
        word += count;
    }
}
