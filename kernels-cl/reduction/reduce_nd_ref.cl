// Reduces axes of a tensor to one element each; one output element per item.
//
// Layout: any of up to 8 axes; kept_dims are the sizes of x with 1 on the reduced axes, reduced_dims the reverse;
// x_strides are those of x; y is dense over kept_dims.
// Assumes: fewer than 2^31 elements; the global size is at least len. Sums are built in blocks to keep them exact.
// Macros: REDUCTION  one of the RULEs below; STORAGE (common/real.h); BLOCK  elements per block.
#include "common/real.h"
#include "common/index.h"
#include "common/functions2.h"

#ifndef REDUCTION
#define REDUCTION reduce_sum
#endif
#ifndef BLOCK
#define BLOCK 128
#endif

typedef struct {
    int base;
    int count;
    int8 dims;
    int8 strides;
} Elements;

// Folds term(value - shift) of all elements, beginning with `start`.
#define FOLD(name, start, term, combine)                                                          \
    static inline float name(__global const REAL *x, Elements elements, float shift) {            \
        float total = start;                                                                      \
        for (int block = 0; block < elements.count; block += BLOCK) {                             \
            const int end = min(block + BLOCK, elements.count);                                   \
            float partial = start;                                                                \
            for (int k = block; k < end; ++k) {                                                   \
                const int offset = strided_offset(k, elements.dims, elements.strides);            \
                const float value = load_real(x, elements.base + offset) - shift;                 \
                partial = combine(partial, term);                                                 \
            }                                                                                     \
            total = combine(total, partial);                                                      \
        }                                                                                         \
        return total;                                                                             \
    }

FOLD(sum_of, 0.0f, value, add)
FOLD(largest_of, -INFINITY, value, larger)
FOLD(smallest_of, INFINITY, value, smaller)
FOLD(product_of, 1.0f, value, multiply)
FOLD(absolute_sum_of, 0.0f, fabs(value), add)
FOLD(square_sum_of, 0.0f, value *value, add)
FOLD(exponential_sum_of, 0.0f, exp(value), add)

#define RULE(name, result)                                                                        \
    static inline float name(__global const REAL *x, Elements elements) {                         \
        return result;                                                                            \
    }

RULE(reduce_sum, sum_of(x, elements, 0.0f))
RULE(reduce_mean, sum_of(x, elements, 0.0f) / (float)elements.count)
RULE(reduce_max, largest_of(x, elements, 0.0f))
RULE(reduce_min, smallest_of(x, elements, 0.0f))
RULE(reduce_prod, product_of(x, elements, 0.0f))
RULE(reduce_l1, absolute_sum_of(x, elements, 0.0f))
RULE(reduce_l2, sqrt(square_sum_of(x, elements, 0.0f)))
RULE(reduce_sum_square, square_sum_of(x, elements, 0.0f))
RULE(reduce_log_sum, log(sum_of(x, elements, 0.0f)))

static inline float reduce_log_sum_exp(__global const REAL *x, Elements elements) {
    const float largest = largest_of(x, elements, 0.0f);
    const bool finite = !isinf(largest) && !isnan(largest);
    return finite ? largest + log(exponential_sum_of(x, elements, largest)) : largest;
}

__kernel void reduce(
        __global const REAL *x,
        __global REAL *y,
        const int len,
        const int count,
        const int8 kept_dims,
        const int8 reduced_dims,
        const int8 x_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        const Elements elements = {strided_offset(i, kept_dims, x_strides), count, reduced_dims, x_strides};
        store_real(REDUCTION(x, elements), y, i);
    }
}
