// Storage of real numbers: tensors are stored as REAL, all arithmetic is in float.
//
// Macros: STORAGE  0 float32, 1 float16 (stored only, no cl_khr_fp16 needed), 2 bfloat16.
#ifndef CLINFER_REAL_H
#define CLINFER_REAL_H

#ifndef STORAGE
#define STORAGE 0
#endif

#if STORAGE == 0
#define REAL float
#elif STORAGE == 1
#define REAL half
#else
#define REAL ushort
#endif

static inline float load_real(__global const REAL *values, int index) {
#if STORAGE == 0
    return values[index];
#elif STORAGE == 1
    return vload_half(index, values);
#else
    return as_float((uint)values[index] << 16);
#endif
}

static inline void store_real(float value, __global REAL *values, int index) {
#if STORAGE == 0
    values[index] = value;
#elif STORAGE == 1
    vstore_half_rte(value, index, values);
#else
    const uint bits = as_uint(value);
    values[index] = isnan(value) ? (ushort)(bits >> 16 | 64) : (ushort)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#endif
}

#endif
