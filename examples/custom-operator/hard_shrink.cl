// y[i] = x[i] where |x[i]| > threshold, otherwise 0.
//
// Layout: any, x and y alike and dense.
// Assumes: len < 2^31; the global size is at least len (items beyond it do nothing); threshold >= 0.
// Macros: ELEMENT  the data type, of common/element.h: one source for float16, bfloat16, float32 and float64.
#include "common/element.h"

__kernel void hard_shrink(__global const STORED *x, __global STORED *y, const int len, const REAL threshold) {
    const int i = get_global_id(0);
    if (i < len) {
        const WIDE value = load_element(x, i);
        store_element(fabs(value) <= threshold ? 0 : value, y, i);
    }
}
