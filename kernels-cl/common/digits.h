// Gives:  digits_of  a position, tap or phase of three axes by its number, the last axis counted first;
//         is_inside  whether a position is one of those of `size`.
#ifndef CLINFER_DIGITS_H
#define CLINFER_DIGITS_H

static inline int4 digits_of(int number, int4 size) {
    const int row = number / size.z;
    return (int4)(row / size.y, row % size.y, number % size.z, 0);
}

static inline bool is_inside(int4 at, int4 size) {
    return at.x >= 0 && at.x < size.x && at.y >= 0 && at.y < size.y && at.z >= 0 && at.z < size.z;
}

#endif
