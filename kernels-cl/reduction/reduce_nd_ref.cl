// Reduces axes of a tensor to one element each; one output element per item.
//
// Layout: any of up to 8 axes; kept_dims are the sizes of x with 1 on the reduced axes, reduced_dims the reverse;
// x_strides are those of x; y is dense over kept_dims.
// Assumes: fewer than 2^31 elements; the global size is at least len. Sums are built in blocks to keep them exact.
// Macros: REDUCTION  one of the RULEs below; ELEMENT (common/element.h); BLOCK  elements per block.
// Sums and products of int64 and uint64 wrap, so that their order does not matter; those of other integers saturate at 64 bits.
#include "common/element.h"
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

static inline WIDE sum_of_two(WIDE a, WIDE b) {
#if ELEMENT_KIND == 4 || ELEMENT_KIND == 13
    return (WIDE)((ulong)a + (ulong)b);
#else
    return add(a, b);
#endif
}

static inline WIDE product_of_two(WIDE a, WIDE b) {
#if ELEMENT_KIND == 4 || ELEMENT_KIND == 13
    return (WIDE)((ulong)a * (ulong)b);
#else
    return multiply(a, b);
#endif
}

static inline WIDE size_of(WIDE value) {
#if ELEMENT_KIND == 4
    return (long)abs(value);
#elif ELEMENT_KIND == 13
    return value;
#elif IS_INTEGER
    return value < 0 ? -value : value;
#else
    return fabs(value);
#endif
}

// Folds term(value) of all elements, beginning with `start`.
#define FOLD(name, start, term, combine)                                                          \
    static inline WIDE name(__global const STORED *x, Elements elements, WIDE shift) {            \
        WIDE total = start;                                                                       \
        for (int block = 0; block < elements.count; block += BLOCK) {                             \
            const int end = min(block + BLOCK, elements.count);                                   \
            WIDE partial = start;                                                                 \
            for (int k = block; k < end; ++k) {                                                   \
                const int offset = strided_offset(k, elements.dims, elements.strides);            \
                const WIDE value = load_element(x, elements.base + offset) - shift;               \
                partial = combine(partial, term);                                                 \
            }                                                                                     \
            total = combine(total, partial);                                                      \
        }                                                                                         \
        return total;                                                                             \
    }

FOLD(sum_of, 0, value, sum_of_two)
FOLD(largest_of, LOWEST, value, larger)
FOLD(smallest_of, LARGEST, value, smaller)
FOLD(product_of, 1, value, product_of_two)
FOLD(absolute_sum_of, 0, size_of(value), sum_of_two)
FOLD(square_sum_of, 0, product_of_two(value, value), sum_of_two)

#define RULE(name, result)                                                                        \
    static inline WIDE name(__global const STORED *x, Elements elements) {                        \
        return result;                                                                            \
    }

RULE(reduce_sum, sum_of(x, elements, 0))
RULE(reduce_max, largest_of(x, elements, 0))
RULE(reduce_min, smallest_of(x, elements, 0))
RULE(reduce_prod, product_of(x, elements, 0))
RULE(reduce_l1, absolute_sum_of(x, elements, 0))
RULE(reduce_sum_square, square_sum_of(x, elements, 0))

static inline WIDE reduce_mean(__global const STORED *x, Elements elements) {
#if IS_INTEGER
    return elements.count == 0 ? 0 : mean_of(sum_of(x, elements, 0), elements.count);
#else
    return mean_of(sum_of(x, elements, 0), elements.count);
#endif
}

#if IS_REAL

FOLD(exponential_sum_of, 0, exp(value), sum_of_two)

RULE(reduce_l2, sqrt(square_sum_of(x, elements, 0)))
RULE(reduce_log_sum, log(sum_of(x, elements, 0)))

static inline WIDE reduce_log_sum_exp(__global const STORED *x, Elements elements) {
    const WIDE largest = largest_of(x, elements, 0);
    const bool finite = !isinf(largest) && !isnan(largest);
    return finite ? largest + log(exponential_sum_of(x, elements, largest)) : largest;
}

#endif

__kernel void reduce(
        __global const STORED *x,
        __global STORED *y,
        const int len,
        const int count,
        const int8 kept_dims,
        const int8 reduced_dims,
        const int8 x_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        const Elements elements = {strided_offset(i, kept_dims, x_strides), count, reduced_dims, x_strides};
        store_element(REDUCTION(x, elements), y, i);
    }
}
