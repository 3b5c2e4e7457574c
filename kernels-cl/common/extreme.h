// Which of two elements of a row is the extreme one. After common/element.h.
//
// Macros: FIND_LEAST  1: the smallest is sought, 0: the largest; KEEP_LAST  1: of equal ones the last. A NaN wins.
#ifndef CLINFER_EXTREME_H
#define CLINFER_EXTREME_H

#ifndef FIND_LEAST
#define FIND_LEAST 0
#endif
#ifndef KEEP_LAST
#define KEEP_LAST 0
#endif

// Whether v, which comes later, takes the place of best; what is not equal to itself is a NaN.
static inline int wins(WIDE v, WIDE best) {
    const int ahead = FIND_LEAST ? v < best : v > best;
    const int is_nan = v != v;
    const int was_nan = best != best;
    return (!was_nan && (ahead || is_nan)) || (KEEP_LAST && (v == best || (is_nan && was_nan)));
}

#endif
