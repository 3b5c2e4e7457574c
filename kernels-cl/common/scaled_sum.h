// What becomes of the sum of a matrix product. After common/element.h.
//
// Macros: SCALED  0: alpha and beta are 1, so that integers need no real numbers.
// Gives:  scaled  alpha * product + beta * added.
#ifndef CLINFER_SCALED_SUM_H
#define CLINFER_SCALED_SUM_H

#ifndef SCALED
#define SCALED 1
#endif

static inline WIDE scaled(WIDE product, WIDE added, REAL alpha, REAL beta) {
#pragma OPENCL FP_CONTRACT OFF
#if SCALED
    return rounded(alpha * (REAL)product + beta * (REAL)added);
#else
    return product + added;
#endif
}

#endif
