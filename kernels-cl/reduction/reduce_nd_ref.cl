// Reduces axes of a tensor to one element each; one output element per item.
//
// Layout: any of up to 8 axes; kept_dims are the sizes of x with 1 on the reduced axes, reduced_dims the reverse;
// x_strides are those of x; y is dense over kept_dims.
// Assumes: fewer than 2^31 elements; the global size is at least len. Sums are built in blocks to keep them exact.
// Macros: REDUCTION  reduce_ and the name of one of REDUCTIONS of common/reduction_table.h, or log_sum_exp;
//         ELEMENT (common/element.h); BLOCK  elements per block.
// Sums and products of integers wrap, so that their order does not matter.
#include "common/element.h"
#include "common/index.h"
#include "common/functions2.h"
#include "common/reduction_table.h"

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

static inline WIDE folded_add(WIDE a, WIDE b) {
#if IS_INTEGER
    return (WIDE)((ulong)a + (ulong)b);
#else
    return add(a, b);
#endif
}

static inline WIDE folded_multiply(WIDE a, WIDE b) {
#if IS_INTEGER
    return (WIDE)((ulong)a * (ulong)b);
#else
    return multiply(a, b);
#endif
}

#define folded_larger larger
#define folded_smaller smaller

#if IS_INTEGER
static inline WIDE size_of(WIDE value) {
#if ELEMENT_KIND == 4
    return (long)abs(value);
#elif ELEMENT_KIND == 13
    return value;
#else
    return value < 0 ? -value : value;
#endif
}
#endif

// Folds a term of all elements v - shift, beginning with `start`.
#define FOLD(name, start, term, combine)                                                          \
    static inline WIDE fold_##name(__global const STORED *x, Elements elements, WIDE shift) {     \
        WIDE total = start;                                                                       \
        for (int block = 0; block < elements.count; block += BLOCK) {                             \
            const int end = min(block + BLOCK, elements.count);                                   \
            WIDE partial = start;                                                                 \
            for (int k = block; k < end; ++k) {                                                   \
                const int offset = strided_offset(k, elements.dims, elements.strides);            \
                const WIDE v = load_element(x, elements.base + offset) - shift;                   \
                partial = folded_##combine(partial, term);                                        \
            }                                                                                     \
            total = folded_##combine(total, partial);                                             \
        }                                                                                         \
        return total;                                                                             \
    }

#define RULE(number, name, fold, finish)                                                          \
    static inline WIDE reduce_##name(__global const STORED *x, Elements elements) {               \
        const WIDE t = fold_##fold(x, elements, 0);                                               \
        const long n = elements.count;                                                            \
        return finish;                                                                            \
    }

#if IS_INTEGER

INTEGER_FOLDS(FOLD)
INTEGER_REDUCTIONS(RULE)

#else

#define REAL_FOLD(name, start, term, combine, value) FOLD(name, start, term, combine)

FOLDS(REAL_FOLD)
REDUCTIONS(RULE)

FOLD(exponential_sum, 0, exp(v), add)

static inline WIDE reduce_log_sum_exp(__global const STORED *x, Elements elements) {
    const WIDE largest = fold_largest(x, elements, 0);
    const bool finite = !isinf(largest) && !isnan(largest);
    return finite ? largest + log(fold_exponential_sum(x, elements, largest)) : largest;
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
