// The functions of two numbers that kernels choose by number or name. Generated from functions2.json.
//
// Gives: FUNCTIONS_OF_TWO           EACH(name, value) for those that kernels have by name;
//        NUMBERED_FUNCTIONS_OF_TWO  EACH(number, name, value) for those that kernels have by number;
//        BLOCKED_FUNCTIONS_OF_TWO   EACH(number, name, value) for those of blocked channels;
//        RELATIONS                  EACH(number, name, value), 0 or 1, in vectors 0 or -1;
//        LOGIC                      EACH(number, name, value) of integers that are 0 or 1.
// A value is an expression over a and b: of the first three reals or 16 floats, which integers have otherwise.
#ifndef CLINFER_FUNCTION2_TABLE_H
#define CLINFER_FUNCTION2_TABLE_H

#define FUNCTIONS_OF_TWO(EACH) \
    EACH(add, a + b) \
    EACH(subtract, a - b) \
    EACH(multiply, a * b) \
    EACH(divide, a / b) \
    EACH(larger, ((a >= b) | (a != a)) ? a : b) \
    EACH(smaller, ((a <= b) | (a != a)) ? a : b) \
    EACH(prelu, a < 0 ? b * a : a) \
    EACH(power, pow(a, b))

#define NUMBERED_FUNCTIONS_OF_TWO(EACH) \
    EACH(0, add, a + b) \
    EACH(1, subtract, a - b) \
    EACH(2, multiply, a * b) \
    EACH(3, divide, a / b) \
    EACH(4, larger, ((a >= b) | (a != a)) ? a : b) \
    EACH(5, smaller, ((a <= b) | (a != a)) ? a : b) \
    EACH(6, prelu, a < 0 ? b * a : a) \
    EACH(7, square, a * a) \
    EACH(8, cube, a * a * a) \
    EACH(9, root, a == -INFINITY ? INFINITY : sqrt(a + 0.0f))

#define BLOCKED_FUNCTIONS_OF_TWO(EACH) \
    EACH(0, add, a + b) \
    EACH(1, subtract, a - b) \
    EACH(2, multiply, a * b) \
    EACH(4, larger, ((a >= b) | (a != a)) ? a : b)

#define RELATIONS(EACH) \
    EACH(0, less, a < b) \
    EACH(1, less_or_equal, a <= b) \
    EACH(2, greater, a > b) \
    EACH(3, greater_or_equal, a >= b) \
    EACH(4, equal, a == b)

#define LOGIC(EACH) \
    EACH(0, and, a & b) \
    EACH(1, or, a | b) \
    EACH(2, xor, a ^ b) \
    EACH(3, not, a ^ 1)

#endif
