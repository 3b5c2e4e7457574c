// Reduces rows of consecutive elements to one element each; a work-group per row, whose items read neighbours.
//
// Layout: x [rows, count], y [rows], dense.
// Assumes: fewer than 2^31 elements; global size [rows * GROUP_SIZE], local size [GROUP_SIZE].
// Macros: REDUCTION  one of the RULEs below; ELEMENT (common/element.h), float32, float16 or bfloat16.
#include "common/element.h"
#include "common/functions2.h"
#include "common/group_fold.h"

#ifndef REDUCTION
#define REDUCTION reduce_sum
#endif

GROUP_FOLD(added, add)
GROUP_FOLD(multiplied, multiply)
GROUP_FOLD(largest, larger)
GROUP_FOLD(smallest, smaller)

// Folds term(value) of a row, beginning with `start`.
#define FOLD(name, start, term, combine, fold)                                                    \
    static inline WIDE name(__global const STORED *x, int begin, int count, WIDE shift, __local WIDE *shared) { \
        WIDE total = start;                                                                       \
        for (int i = get_local_id(0); i < count; i += GROUP_SIZE) {                               \
            const WIDE value = load_element(x, begin + i) - shift;                                \
            total = combine(total, term);                                                         \
        }                                                                                         \
        return fold(total, shared);                                                               \
    }

FOLD(sum_of, 0.0f, value, add, added)
FOLD(largest_of, LOWEST, value, larger, largest)
FOLD(smallest_of, LARGEST, value, smaller, smallest)
FOLD(product_of, 1.0f, value, multiply, multiplied)
FOLD(absolute_sum_of, 0.0f, fabs(value), add, added)
FOLD(square_sum_of, 0.0f, value *value, add, added)
FOLD(exponential_sum_of, 0.0f, exp(value), add, added)

#define RULE(name, result)                                                                        \
    static inline WIDE name(__global const STORED *x, int begin, int count, __local WIDE *shared) { \
        return result;                                                                            \
    }

RULE(reduce_sum, sum_of(x, begin, count, 0.0f, shared))
RULE(reduce_mean, sum_of(x, begin, count, 0.0f, shared) / (WIDE)count)
RULE(reduce_max, largest_of(x, begin, count, 0.0f, shared))
RULE(reduce_min, smallest_of(x, begin, count, 0.0f, shared))
RULE(reduce_prod, product_of(x, begin, count, 0.0f, shared))
RULE(reduce_l1, absolute_sum_of(x, begin, count, 0.0f, shared))
RULE(reduce_l2, sqrt(square_sum_of(x, begin, count, 0.0f, shared)))
RULE(reduce_sum_square, square_sum_of(x, begin, count, 0.0f, shared))
RULE(reduce_log_sum, log(sum_of(x, begin, count, 0.0f, shared)))

static inline WIDE reduce_log_sum_exp(__global const STORED *x, int begin, int count, __local WIDE *shared) {
    const WIDE shift = largest_of(x, begin, count, 0.0f, shared);
    const bool finite = !isinf(shift) && !isnan(shift);
    const WIDE sum = exponential_sum_of(x, begin, count, finite ? shift : 0.0f, shared);
    return finite ? shift + log(sum) : shift;
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void reduce_groups(__global const STORED *x, __global STORED *y, const int count) {
    __local WIDE shared[GROUP_SIZE];
    const int row = get_group_id(0);
    const WIDE result = REDUCTION(x, row * count, count, shared);
    if (get_local_id(0) == 0) {
        store_element(result, y, row);
    }
}
