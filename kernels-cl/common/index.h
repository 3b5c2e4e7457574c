// Walking tensors of up to 8 axes. `dims` and `strides` stand in the last components, axes that do not
// exist have size 1 and stride 0 in front of them; strides count elements and may be 0 or negative.
#ifndef CLINFER_INDEX_H
#define CLINFER_INDEX_H

#define WALK_AXIS(s)                     \
    if (index == 0) return offset;       \
    offset += index % dims.s * strides.s; \
    index /= dims.s;

// Offset of element number `index`, counted in row-major order over `dims`, in a tensor with these strides.
static inline int strided_offset(int index, int8 dims, int8 strides) {
    int offset = 0;
    WALK_AXIS(s7)
    WALK_AXIS(s6)
    WALK_AXIS(s5)
    WALK_AXIS(s4)
    WALK_AXIS(s3)
    WALK_AXIS(s2)
    WALK_AXIS(s1)
    WALK_AXIS(s0)
    return offset;
}

#endif
