// y[i] = x[i] converted to another type: reals to integers truncate and saturate (NaN gives 0), integers to
// narrower ones wrap, anything to bool is x != 0.
//
// Layout: any, x and y alike and dense.
// Assumes: len < 2^31; the global size is at least len.
// Macros: FROM, TO  OpenCL types; FROM_REAL, TO_BOOL  1 if x is real, if y is bool;
//         CONVERT  the saturating conversion to TO, used when x is real and y an integer.
#ifndef FROM
#define FROM float
#endif
#ifndef TO
#define TO int
#endif
#ifndef FROM_REAL
#define FROM_REAL 1
#endif
#ifndef TO_BOOL
#define TO_BOOL 0
#endif
#ifndef CONVERT
#define CONVERT convert_int_sat_rtz
#endif

static inline TO converted(FROM value) {
#if TO_BOOL
    return value != 0;
#elif FROM_REAL
    return isnan(value) ? (TO)0 : CONVERT(value);
#else
    return (TO)value;
#endif
}

__kernel void cast(__global const FROM *x, __global TO *y, const int len) {
    const int i = get_global_id(0);
    if (i < len) {
        y[i] = converted(x[i]);
    }
}
