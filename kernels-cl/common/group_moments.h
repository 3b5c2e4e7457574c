// Rows that LANES items of a work-group have, their mean and variance. After common/group_fold.h; every item has to call.
//
// Macros: ELEMENT (common/element.h); GROUP_SIZE, LANES (common/group_fold.h); KEPT  how many elements of a row an item
//         keeps; further ones it reads again.
// Gives:  keep_row     reads the elements to keep of the `size` ones of x from `begin`;
//         EACH_OF_ROW(i, value, begin, end, ...)  does something with each of an item's elements, of which `kept` are
//                      kept and x has the others: the value at place i, where i < end;
//         row_moments  mean and variance of a row; added, added_pairs  sums of a value or two of all lanes;
//         from_mean    how far a value is from the mean.
#ifndef CLINFER_GROUP_MOMENTS_H
#define CLINFER_GROUP_MOMENTS_H

#ifndef KEPT
#define KEPT 1
#endif

#define WIDE2 ELEMENT_VECTOR(WIDE, 2)
#define SUM_OF(a, b) ((a) + (b))

GROUP_FOLD(added, SUM_OF)
GROUP_FOLD_OF(WIDE2, added_pairs, SUM_OF)

#define EACH_OF_ROW(i, value, begin, end, ...)                                                    \
    _Pragma("unroll")                                                                             \
    for (int k = 0; k < KEPT; ++k) {                                                              \
        const int i = group_lane() + k * LANES;                                                   \
        const WIDE value = kept[k];                                                               \
        if (i < (end)) {                                                                          \
            __VA_ARGS__                                                                           \
        }                                                                                         \
    }                                                                                             \
    for (int i = group_lane() + KEPT * LANES; i < (end); i += LANES) {                            \
        const WIDE value = load_element(x, (begin) + i);                                          \
        __VA_ARGS__                                                                               \
    }

// The mean is centre + residue: rounding leaves the latter, which matters where the mean is large against the deviation.
typedef struct {
    WIDE centre;
    WIDE residue;
    WIDE variance;
} Moments;

static inline __attribute__((always_inline)) void keep_row(
        WIDE *kept, __global const STORED *x, int begin, int size) {
    _Pragma("unroll")
    for (int k = 0; k < KEPT; ++k) {
        kept[k] = load_element(x, begin + min(group_lane() + k * LANES, size - 1));
    }
}

static inline Moments row_moments(
        const WIDE *kept,
        __global const STORED *x,
        int begin,
        int size,
        __local WIDE *shared,
        __local WIDE2 *pairs) {
    Moments moments;
    WIDE sum = 0;
    EACH_OF_ROW(i, value, begin, size, sum += value;)
    moments.centre = added(sum, shared) / (WIDE)size;
    WIDE2 sums = (WIDE2)(0, 0);
    EACH_OF_ROW(i, value, begin, size, {
        const WIDE distance = value - moments.centre;
        sums += (WIDE2)(distance, distance * distance);
    })
    sums = added_pairs(sums, pairs) / (WIDE2)size;
    moments.residue = sums.s0;
    moments.variance = sums.s1 - sums.s0 * sums.s0;
    return moments;
}

static inline WIDE from_mean(WIDE value, Moments moments) {
    return value - moments.centre - moments.residue;
}

#endif
