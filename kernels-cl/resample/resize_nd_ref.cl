// Resamples a tensor along any of its axes: nearest, linear or cubic, coordinates as ONNX Resize names them.
//
// Layout: any of up to 8 axes, dense; dims and x_dims are those of y and x. An axis of scale 1 and equal sizes
// is copied. Each other axis has 1, 2 or 4 taps; an output element is the weighted sum over all combinations.
// Integers are copied where each axis has one tap, else summed in REAL and rounded half to even.
// Assumes: fewer than 2^31 elements; the global size is at least len.
// coordinates, nearest: kinds as in common/resample_kinds.h; excludes: cubic taps outside x weigh nothing.
// Macros: ELEMENT (common/element.h); TAPS (common/resample.h).
#include "common/element.h"
#include "common/resample.h"

#define CROPS 5
#define EPSILON 1e-5f

__kernel void resize(
        __global const STORED *x,
        __global STORED *y,
        const int len,
        const int8 dims8,
        const int8 x_dims8,
        const REAL8 scale8,
        const REAL8 roi_begin8,
        const REAL8 roi_end8,
        const int coordinates,
        const int nearest,
        const int excludes,
        const REAL cubic_a,
        const REAL extrapolation_value) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    int dims[8], x_dims[8], taps[8], offsets[8 * TAPS];
    REAL scale[8], roi_begin[8], roi_end[8], weights[8 * TAPS];
    vstore8(dims8, 0, dims);
    vstore8(x_dims8, 0, x_dims);
    vstore8(scale8, 0, scale);
    vstore8(roi_begin8, 0, roi_begin);
    vstore8(roi_end8, 0, roi_end);
    int rest = i, stride = 1, combinations = 1;
    const bool crops = coordinates == CROPS;
    bool outside = false;
    for (int axis = 7; axis >= 0; --axis) {
        const int at = rest % dims[axis];
        rest /= dims[axis];
        const bool copied = !crops && dims[axis] == x_dims[axis] && scale[axis] == 1.0f;
        taps[axis] = copied ? 1 : TAPS;
        offsets[axis * TAPS] = at;
        weights[axis * TAPS] = 1.0f;
        if (!copied) {
            const REAL coordinate = resample_coordinate(
                    at, dims[axis], x_dims[axis], scale[axis], coordinates, roi_begin[axis], roi_end[axis]);
            outside = outside || (crops && (coordinate < -EPSILON || coordinate > x_dims[axis] - 1 + EPSILON));
            find_taps(coordinate, scale[axis], x_dims[axis], nearest, excludes, cubic_a, offsets + axis * TAPS,
                    weights + axis * TAPS);
        }
        for (int tap = 0; tap < taps[axis]; ++tap) {
            offsets[axis * TAPS + tap] *= stride;
        }
        stride *= x_dims[axis];
        combinations *= taps[axis];
    }
    if (outside) {
        store_element(rounded(extrapolation_value), y, i);
        return;
    }
    REAL total = 0.0f;
    int offset = 0;
    for (int combination = 0; combination < combinations; ++combination) {
        int left = combination;
        REAL weight = 1.0f;
        offset = 0;
        for (int axis = 0; axis < 8; ++axis) {
            const int tap = axis * TAPS + left % taps[axis];
            left /= taps[axis];
            offset += offsets[tap];
            weight *= weights[tap];
        }
        // A neighbour of no weight must not bring in an infinite value.
        total += weight == 0.0f ? 0.0f : weight * load_element(x, offset);
    }
    if (combinations == 1) {
        store_element(load_element(x, offset), y, i);
    } else {
        store_element(rounded(IS_INTEGER ? exact_tie(total) : total), y, i);
    }
}
