// Reduces rows of consecutive elements of float32 to one element each, by a rule that is known when the kernel runs: an
// item does a run of rows.
//
// Layout: x [rows, count], y [rows], dense.
// Assumes: fewer than 2^31 elements. The rows are divided into `items` runs. Global size [items].
// kind: 0 sum, 1 mean, 2 largest, 3 smallest (in both a NaN wins), 4 product, 5 sum of absolute values, 6 root of the sum
//       of squares, 7 sum of squares, 8 logarithm of the sum.
// Macros: none.
typedef float ReduceFloats __attribute__((ext_vector_type(16), aligned(4)));

// Folds TERM, of a vector v or a float v, by FOLD of a and b into one element, beginning with START.
#define REDUCE_ROW(NAME, START, TERM, FOLD)                                                                         \
    static inline float16 reduce_fold_##NAME(float16 a, float16 b) {                                                \
        return FOLD;                                                                                                \
    }                                                                                                               \
    __attribute__((noinline)) static float reduce_##NAME(__global const float *x, int count) {                      \
        float16 sums[4];                                                                                            \
        _Pragma("unroll") for (int part = 0; part < 4; ++part) {                                                    \
            sums[part] = (float16)(START);                                                                          \
        }                                                                                                           \
        int i = 0;                                                                                                  \
        for (; i + 64 <= count; i += 64) {                                                                          \
            _Pragma("unroll") for (int part = 0; part < 4; ++part) {                                                \
                const float16 v = *(__global const ReduceFloats *)(x + i + 16 * part);                              \
                sums[part] = reduce_fold_##NAME(sums[part], TERM);                                                  \
            }                                                                                                       \
        }                                                                                                           \
        for (; i + 16 <= count; i += 16) {                                                                          \
            const float16 v = *(__global const ReduceFloats *)(x + i);                                              \
            sums[0] = reduce_fold_##NAME(sums[0], TERM);                                                            \
        }                                                                                                           \
        float16 wide = reduce_fold_##NAME(                                                                          \
                reduce_fold_##NAME(sums[0], sums[1]), reduce_fold_##NAME(sums[2], sums[3]));                        \
        wide = reduce_fold_##NAME(wide, wide.s89abcdef01234567);                                                    \
        wide = reduce_fold_##NAME(wide, wide.s456789abcdef0123);                                                    \
        wide = reduce_fold_##NAME(wide, wide.s23456789abcdef01);                                                    \
        wide = reduce_fold_##NAME(wide, wide.s123456789abcdef0);                                                    \
        float a = wide.s0;                                                                                          \
        _Pragma("clang loop vectorize(disable)") for (; i < count; ++i) {                                           \
            const float v = x[i];                                                                                   \
            const float b = TERM;                                                                                   \
            a = FOLD;                                                                                               \
        }                                                                                                           \
        return a;                                                                                                   \
    }

REDUCE_ROW(sum, 0.0f, v, a + b)
REDUCE_ROW(largest, -INFINITY, v, ((a >= b) | (a != a)) ? a : b)
REDUCE_ROW(smallest, INFINITY, v, ((a <= b) | (a != a)) ? a : b)
REDUCE_ROW(product, 1.0f, v, a * b)
REDUCE_ROW(absolute_sum, 0.0f, fabs(v), a + b)
REDUCE_ROW(square_sum, 0.0f, v * v, a + b)

static inline float reduce_row(__global const float *x, int kind, int count) {
    switch (kind) {
    case 2: return reduce_largest(x, count);
    case 3: return reduce_smallest(x, count);
    case 4: return reduce_product(x, count);
    case 5: return reduce_absolute_sum(x, count);
    case 6: return sqrt(reduce_square_sum(x, count));
    case 7: return reduce_square_sum(x, count);
    }
    const float sum = reduce_sum(x, count);
    return kind == 0 ? sum : kind == 1 ? sum / (float)count : log(sum);
}

__kernel void reduce_cpu_runs(
        __global const float *x,
        __global float *y,
        const int kind,
        const int rows,
        const int count,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int last = (int)((long)rows * (at.x + 1) / items);
    for (int row = (int)((long)rows * at.x / items); row < last; ++row) {
        y[row] = reduce_row(x + row * count, kind, count);
    }
}
