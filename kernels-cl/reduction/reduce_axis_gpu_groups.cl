// Reduces an axis to one element; LANES items of a work-group for each result. Where there are too few results for a
// device, rows are reduced in parts first, and the parts in a second launch.
//
// Layout: x [outer, count, inner], y [outer, parts, inner], dense; a part has `chunk` elements, the last one the rest.
// Assumes: fewer than 2^31 elements; results = outer * parts * inner; a mean is that of `divisor` elements; global size
//          [ceil(results * LANES / GROUP_SIZE) * GROUP_SIZE], local size [GROUP_SIZE].
// Macros: REDUCTION  reduce_ and the name of one of REDUCTIONS of common/reduction_table.h, or log_sum_exp; ELEMENT
//         (common/element.h), float32, float16 or bfloat16; LANES, ACROSS (common/group_fold.h): 1 where inner is not 1;
//         STAGE  0: x and y are of ELEMENT, 1: y is float, the folded parts, 2: x is float, those parts.
#include "common/element.h"
#include "common/functions2.h"
#include "common/group_fold.h"
#include "common/reduction_table.h"

#ifndef REDUCTION
#define REDUCTION reduce_sum
#endif
#ifndef STAGE
#define STAGE 0
#endif

#if STAGE == 2
#define REDUCED WIDE
#define LOAD_REDUCED(x, at) x[at]
#else
#define REDUCED STORED
#define LOAD_REDUCED(x, at) load_element(x, at)
#endif
#if STAGE == 1
#define RESULT WIDE
#define STORE_RESULT(value, y, at) y[at] = value
#else
#define RESULT STORED
#define STORE_RESULT(value, y, at) store_element(value, y, at)
#endif

GROUP_FOLD(group_add, add)
GROUP_FOLD(group_multiply, multiply)
GROUP_FOLD(group_larger, larger)
GROUP_FOLD(group_smaller, smaller)

// What an item folds: elements from `first` up to `end` of a row, LANES apart.
typedef struct {
    int first;
    int end;
    int inner;
    WIDE divisor;
} Elements;

// Folds a term of all elements v - shift of a row, beginning with `start`.
#define FOLD(name, start, term, combine)                                                          \
    static inline WIDE fold_##name(__global const REDUCED *x, Elements e, WIDE shift, __local WIDE *shared) { \
        WIDE total = start;                                                                       \
        for (int k = e.first; k < e.end; k += LANES) {                                            \
            const WIDE v = LOAD_REDUCED(x, k * e.inner) - shift;                                  \
            total = combine(total, term);                                                         \
        }                                                                                         \
        return group_##combine(total, shared);                                                    \
    }

// The second stage folds results of folds.
#if STAGE == 2
#define FOLD_OF_STAGE(name, start, term, combine, value) FOLD(name, start, v, combine)
#else
#define FOLD_OF_STAGE(name, start, term, combine, value) FOLD(name, start, term, combine)
#endif

FOLDS(FOLD_OF_STAGE)
FOLD(exponential_sum, 0.0f, exp(v), add)

#define RULE(number, name, fold, finish)                                                          \
    static inline WIDE reduce_##name(__global const REDUCED *x, Elements e, __local WIDE *shared) { \
        const WIDE t = fold_##fold(x, e, 0.0f, shared);                                           \
        const WIDE n = e.divisor;                                                                 \
        return STAGE == 1 ? t : finish;                                                           \
    }

REDUCTIONS(RULE)

static inline WIDE reduce_log_sum_exp(__global const REDUCED *x, Elements e, __local WIDE *shared) {
    const WIDE shift = fold_largest(x, e, 0.0f, shared);
    const bool finite = !isinf(shift) && !isnan(shift);
    const WIDE sum = fold_exponential_sum(x, e, finite ? shift : 0.0f, shared);
    return finite ? shift + log(sum) : shift;
}

// Items without a result help to fold the last one.
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void reduce_groups(
        __global const REDUCED *x,
        __global RESULT *y,
        const int results,
        const int count,
        const int inner,
        const int parts,
        const int chunk,
        const WIDE divisor) {
    __local WIDE shared[GROUP_SIZE];
    const int at = min(group_result(), results - 1);
    const int line = at / inner;
    const int part = line % parts;
    const Elements elements = {
            part * chunk + group_lane(), min(part * chunk + chunk, count), inner, divisor};
    const WIDE result = REDUCTION(x + line / parts * count * inner + at % inner, elements, shared);
    if (group_lane() == 0 && group_result() < results) {
        STORE_RESULT(result, y, at);
    }
}
