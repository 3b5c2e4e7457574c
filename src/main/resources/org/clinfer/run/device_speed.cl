// What a device can do at most, to judge kernels by: multiplications with an addition, and copies.
//
// multiply_add: an item makes `steps` steps with SUMS sums that do not depend on one another; y has one element an item.
// copy_all:     an item copies `count` elements, from `from_each` times its number on, `step` apart.
// Macros: NUMBERS  float, or a vector of it; SUMS  as many as the registers hold with two vectors beside them.
#ifndef NUMBERS
#define NUMBERS float
#endif
#ifndef SUMS
#define SUMS 24
#endif

#define EACH_SUM _Pragma("unroll") for (int i = 0; i < SUMS; ++i)

__kernel void multiply_add(__global NUMBERS *y, const int steps, const float factor, const float addend) {
    NUMBERS sums[SUMS];
    EACH_SUM {
        sums[i] = (NUMBERS)((float)(get_global_id(0) % 64) + i);
    }
    const NUMBERS factors = (NUMBERS)(factor);
    const NUMBERS addends = (NUMBERS)(addend);
    for (int step = 0; step < steps; ++step) {
        EACH_SUM {
            sums[i] = sums[i] * factors + addends;
        }
    }
    NUMBERS total = sums[0];
    EACH_SUM {
        total += sums[i];
    }
    y[get_global_id(0)] = total;
}

__kernel void copy_all(
        __global const NUMBERS *x, __global NUMBERS *y, const int from_each, const int step, const int count) {
    const int from = get_global_id(0) * from_each;
    for (int i = 0; i < count; ++i) {
        y[from + i * step] = x[from + i * step];
    }
}
