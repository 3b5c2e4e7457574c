// y[i] = value for every element.
//
// Layout: any, dense.
// Assumes: len < 2^31; the global size is at least len.
// Macros: TYPE  the OpenCL type of an element; VALUE_REAL  1: real_value is written, 0: integer_value.
#ifndef TYPE
#define TYPE float
#endif
#ifndef VALUE_REAL
#define VALUE_REAL 1
#endif

__kernel void fill(__global TYPE *y, const int len, const float real_value, const long integer_value) {
    const int i = get_global_id(0);
    if (i < len) {
#if VALUE_REAL
        y[i] = (TYPE)real_value;
#else
        y[i] = (TYPE)integer_value;
#endif
    }
}
