// Relations of two numbers of the type WIDE of common/element.h, which is included before. A NaN has none.
#ifndef CLINFER_RELATIONS_H
#define CLINFER_RELATIONS_H

static inline int less(WIDE a, WIDE b) {
    return a < b;
}

static inline int less_or_equal(WIDE a, WIDE b) {
    return a <= b;
}

static inline int greater(WIDE a, WIDE b) {
    return a > b;
}

static inline int greater_or_equal(WIDE a, WIDE b) {
    return a >= b;
}

static inline int equal(WIDE a, WIDE b) {
    return a == b;
}

#endif
