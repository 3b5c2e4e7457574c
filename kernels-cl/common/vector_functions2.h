// The functions of function2_table.h for 16 numbers at once, named with a 16 at the end; in larger and smaller a NaN wins.
#ifndef CLINFER_VECTOR_FUNCTIONS2_H
#define CLINFER_VECTOR_FUNCTIONS2_H

#include "common/function2_table.h"

#define FUNCTION_OF_SIXTEEN(NAME, VALUE) \
    static inline float16 NAME##16(float16 a, float16 b) { \
        return VALUE; \
    }

FUNCTIONS_OF_TWO(FUNCTION_OF_SIXTEEN)

#endif
