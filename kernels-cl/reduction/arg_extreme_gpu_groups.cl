// y[outer, inner] = where along the axis the largest or smallest element of x[outer, axis, inner] stands; LANES items of a
// work-group for each result.
//
// Layout: x is [outer, axis_size, inner], y [outer, inner] of int64, both dense.
// Assumes: axis_size >= LANES, fewer than 2^31 elements; results = outer * inner; global size
//          [ceil(results * LANES / GROUP_SIZE) * GROUP_SIZE], local size [GROUP_SIZE].
// Macros: ELEMENT (common/element.h); FIND_LEAST, KEEP_LAST (common/extreme.h);
//         GROUP_SIZE, LANES, ACROSS (common/group_fold.h): 1 where inner is not 1.
#include "common/element.h"
#include "common/extreme.h"
#include "common/group_fold.h"

typedef struct {
    WIDE value;
    int place;
} Extreme;

static inline Extreme winner(Extreme a, Extreme b) {
    const int a_is_later = a.place > b.place;
    const int later_wins = a_is_later ? wins(a.value, b.value) : wins(b.value, a.value);
    return a_is_later == later_wins ? a : b;
}

GROUP_FOLD_OF(Extreme, extreme_of, winner)

// Items without a result help to fold the last one.
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void arg_extreme_gpu_groups(
        __global const STORED *x, __global long *y, const int results, const int axis_size, const int inner) {
    __local Extreme shared[GROUP_SIZE];
    const int at = min(group_result(), results - 1);
    const int begin = at / inner * axis_size * inner + at % inner;
    Extreme best = {load_element(x, begin + group_lane() * inner), group_lane()};
    for (int k = group_lane() + LANES; k < axis_size; k += LANES) {
        const WIDE value = load_element(x, begin + k * inner);
        if (wins(value, best.value)) {
            best.value = value;
            best.place = k;
        }
    }
    best = extreme_of(best, shared);
    if (group_lane() == 0 && group_result() < results) {
        y[at] = best.place;
    }
}
