// Mean and variance of a row that LANES items of a work-group have. After common/group_fold.h; every item has to call.
//
// Macros: ELEMENT (common/element.h); GROUP_SIZE, LANES (common/group_fold.h).
// Gives:  row_moments  those of the `size` elements of x from `begin`; added  the sum of a value of all lanes;
//         from_mean    how far a value is from the mean.
#ifndef CLINFER_GROUP_MOMENTS_H
#define CLINFER_GROUP_MOMENTS_H

GROUP_FOLD(added, add)

// The mean is centre + residue: rounding leaves the latter, which matters where the mean is large against the deviation.
typedef struct {
    WIDE centre;
    WIDE residue;
    WIDE variance;
} Moments;

static inline Moments row_moments(__global const STORED *x, int begin, int size, __local WIDE *shared) {
    Moments moments;
    WIDE sum = 0;
    for (int i = group_lane(); i < size; i += LANES) {
        sum += load_element(x, begin + i);
    }
    moments.centre = added(sum, shared) / (WIDE)size;
    WIDE distances = 0;
    WIDE squares = 0;
    for (int i = group_lane(); i < size; i += LANES) {
        const WIDE distance = load_element(x, begin + i) - moments.centre;
        distances += distance;
        squares += distance * distance;
    }
    moments.residue = added(distances, shared) / (WIDE)size;
    moments.variance = added(squares, shared) / (WIDE)size - moments.residue * moments.residue;
    return moments;
}

static inline WIDE from_mean(WIDE value, Moments moments) {
    return value - moments.centre - moments.residue;
}

#endif
