// Softmax and its logarithm along one axis, shifted by the largest element so that nothing overflows; LANES items of a
// work-group for each line, which keep its elements, so that x is read once. A line is a row whose elements lie side by
// side, of which an item takes WIDTH neighbours at a time; or, across, WIDTH neighbouring rows at a time.
//
// Layout: x and y are [outer, size, inner]; across, inner is a multiple of WIDTH; else inner is 1 and size is one.
// Assumes: 2^30 elements at most; lines = outer * inner / WIDTH across, else outer; steps = size across, else
//          size / WIDTH, LANES * KEPT at most; global size [ceil(lines * LANES / GROUP_SIZE) * GROUP_SIZE], local size
//          [GROUP_SIZE].
// Macros: ELEMENT (common/element.h): float32, float16 or bfloat16; WIDTH, 4 or 1; KEPT, the most steps of an item;
//         GROUP_SIZE, LANES, ACROSS (common/group_fold.h).
#include "common/element.h"
#include "common/fours.h"
#include "common/group_fold.h"

#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef KEPT
#define KEPT 4
#endif

#if WIDTH == 4
#define VALUES WIDE4
#define LOAD_VALUES(x, at) load_aligned_four(x, at)
#define STORE_VALUES(values, y, at) store_four(values, y, at)
#else
#define VALUES WIDE
#define LOAD_VALUES(x, at) load_element(x, at)
#define STORE_VALUES(values, y, at) store_element(values, y, at)
#endif

// What is left of a line's values in one item: across, those of each row.
#if WIDTH == 4 && !ACROSS
#define FOLDED WIDE
#define OF_ITEM(combine, v) combine(combine(v.s0, v.s1), combine(v.s2, v.s3))
#else
#define FOLDED VALUES
#define OF_ITEM(combine, v) (v)
#endif

// A NaN makes the sum one, whatever the maximum is.
#define SUM_OF(a, b) ((a) + (b))
GROUP_FOLD_OF(FOLDED, largest, fmax)
GROUP_FOLD_OF(FOLDED, added, SUM_OF)

// Where an item's first step stands, how far the next one is, and where the line's last one stands.
typedef struct {
    int first;
    int jump;
    int last;
} Line;

static inline Line line_of(int lines, int steps, int inner) {
    const int line = min(group_result(), lines - 1);
#if ACROSS
    const int columns = inner / WIDTH;
    const int begin = line / columns * steps * inner + line % columns * WIDTH;
    const int pitch = inner;
#else
    const int begin = line * steps * WIDTH;
    const int pitch = WIDTH;
#endif
    const Line result = {begin + group_lane() * pitch, LANES * pitch, begin + (steps - 1) * pitch};
    return result;
}

// Reads an item's steps, and -infinity where there is none; returns the largest value of each row.
static inline __attribute__((always_inline)) VALUES keep_line(
        VALUES *kept, __global const STORED *x, Line line, __local FOLDED *shared) {
    VALUES best = (VALUES)LOWEST;
    _Pragma("unroll")
    for (int k = 0; k < KEPT; ++k) {
        const int at = line.first + k * line.jump;
        const VALUES values = LOAD_VALUES(x, min(at, line.last));
        kept[k] = at <= line.last ? values : (VALUES)LOWEST;
    }
    _Pragma("unroll")
    for (int k = 0; k < KEPT; ++k) {
        best = fmax(best, kept[k]);
    }
    return (VALUES)largest(OF_ITEM(fmax, best), shared);
}

// Items without a line help to fold the last one, and store nothing.
static inline __attribute__((always_inline)) void store_line(
        const VALUES *kept, __global STORED *y, Line line, int lines) {
    const int last = group_result() < lines ? line.last : -1;
    _Pragma("unroll")
    for (int k = 0; k < KEPT; ++k) {
        const int at = line.first + k * line.jump;
        if (at <= last) {
            STORE_VALUES(kept[k], y, at);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void softmax_kept(
        __global const STORED *x, __global STORED *y, const int lines, const int steps, const int inner) {
    __local FOLDED shared[GROUP_SIZE];
    const Line line = line_of(lines, steps, inner);
    VALUES kept[KEPT];
    const VALUES shift = keep_line(kept, x, line, shared);
    VALUES sum = (VALUES)0;
    _Pragma("unroll")
    for (int k = 0; k < KEPT; ++k) {
        kept[k] = exp(kept[k] - shift);
        sum += kept[k];
    }
    const VALUES factor = 1 / (VALUES)added(OF_ITEM(SUM_OF, sum), shared);
    _Pragma("unroll")
    for (int k = 0; k < KEPT; ++k) {
        kept[k] *= factor;
    }
    store_line(kept, y, line, lines);
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void log_softmax_kept(
        __global const STORED *x, __global STORED *y, const int lines, const int steps, const int inner) {
    __local FOLDED shared[GROUP_SIZE];
    const Line line = line_of(lines, steps, inner);
    VALUES kept[KEPT];
    const VALUES shift = keep_line(kept, x, line, shared);
    VALUES sum = (VALUES)0;
    _Pragma("unroll")
    for (int k = 0; k < KEPT; ++k) {
        kept[k] -= shift;
        sum += exp(kept[k]);
    }
    const VALUES logarithm = log((VALUES)added(OF_ITEM(SUM_OF, sum), shared));
    _Pragma("unroll")
    for (int k = 0; k < KEPT; ++k) {
        kept[k] -= logarithm;
    }
    store_line(kept, y, line, lines);
}
