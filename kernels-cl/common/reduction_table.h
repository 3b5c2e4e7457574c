// The reductions that kernels choose by number or name. Generated from reductions.json and functions2.json.
//
// Gives: FOLDS, INTEGER_FOLDS  EACH(name, start, term, combine, value): of reals or 16 floats, and of integers. term is
//                   over the element v; value, of reals alone, is what combine, a function of functions2.h, has for a, b;
//        REDUCTIONS, INTEGER_REDUCTIONS  EACH(number, name, fold, finish): of reals or 16 floats, and of integers.
//                   finish is over the total t of n elements.
#ifndef CLINFER_REDUCTION_TABLE_H
#define CLINFER_REDUCTION_TABLE_H

#define FOLDS(EACH) \
    EACH(sum, 0, v, add, a + b) \
    EACH(largest, -INFINITY, v, larger, ((a >= b) | (a != a)) ? a : b) \
    EACH(smallest, INFINITY, v, smaller, ((a <= b) | (a != a)) ? a : b) \
    EACH(product, 1, v, multiply, a * b) \
    EACH(absolute_sum, 0, fabs(v), add, a + b) \
    EACH(square_sum, 0, v * v, add, a + b)

#define INTEGER_FOLDS(EACH) \
    EACH(sum, 0, v, add) \
    EACH(largest, LOWEST, v, larger) \
    EACH(smallest, LARGEST, v, smaller) \
    EACH(product, 1, v, multiply) \
    EACH(absolute_sum, 0, size_of(v), add) \
    EACH(square_sum, 0, folded_multiply(v, v), add)

#define REDUCTIONS(EACH) \
    EACH(0, sum, sum, t) \
    EACH(1, mean, sum, t / n) \
    EACH(2, max, largest, t) \
    EACH(3, min, smallest, t) \
    EACH(4, prod, product, t) \
    EACH(5, l1, absolute_sum, t) \
    EACH(6, l2, square_sum, sqrt(t)) \
    EACH(7, sum_square, square_sum, t) \
    EACH(8, log_sum, sum, log(t))

#define INTEGER_REDUCTIONS(EACH) \
    EACH(0, sum, sum, low_bits(t)) \
    EACH(1, mean, sum, n == 0 ? 0 : mean_of(t, n)) \
    EACH(2, max, largest, t) \
    EACH(3, min, smallest, t) \
    EACH(4, prod, product, low_bits(t)) \
    EACH(5, l1, absolute_sum, low_bits(t)) \
    EACH(7, sum_square, square_sum, low_bits(t))

#endif
