// Elements moved without being looked at: BITS is the unsigned type as wide as an element, BITS16 its vector of 16.
//
// Macros: ELEMENT (common/element.h).
#ifndef CLINFER_BITS_H
#define CLINFER_BITS_H

#include "common/element.h"

#if ELEMENT_KIND == 1 || ELEMENT_KIND == 9 || ELEMENT_KIND == 10
#define BITS uchar
#elif ELEMENT_KIND == 2 || ELEMENT_KIND == 5 || ELEMENT_KIND == 6 || ELEMENT_KIND == 11
#define BITS ushort
#elif ELEMENT_KIND == 3 || ELEMENT_KIND == 7 || ELEMENT_KIND == 12
#define BITS uint
#else
#define BITS ulong
#endif
#define BITS16 ELEMENT_VECTOR(BITS, 16)

#endif
