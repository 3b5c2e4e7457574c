// The functions of one number that kernels choose by number or name. Generated from functions.json.
//
// Gives: FUNCTION_NAME         the number of a function, which descriptions have for it, too;
//        ACTIVATED_NAME        its value in kernels of any type, where it follows sums; by common/functions.h;
//        VECTOR_NAME           its value for 16 floats; by common/vector_functions.h;
//        UNARY_VECTORS         EACH(NAME) for those that unary operators have in vectors;
//        BOUNDED_FUNCTIONS     EACH(NAME, low, high) for those that only keep x between bounds;
//        STRAIGHT_ACTIVATIONS  EACH(NAME) for those that follow sums and are made of straight pieces, but NONE;
//        SMOOTH_ACTIVATIONS    EACH(NAME) for the others that follow sums.
// The arguments of values are names, not expressions.
#ifndef CLINFER_FUNCTION_TABLE_H
#define CLINFER_FUNCTION_TABLE_H

#define FUNCTION_NONE 0
#define FUNCTION_RELU 1
#define FUNCTION_RELU6 2
#define FUNCTION_LEAKY_RELU 3
#define FUNCTION_PRELU 4
#define FUNCTION_CLIP 5
#define FUNCTION_SIGMOID 6
#define FUNCTION_HARD_SWISH 7
#define FUNCTION_TANH 8
#define FUNCTION_SWISH 9
#define FUNCTION_GELU 10
#define FUNCTION_AFFINE 11
#define FUNCTION_THRESHOLDED_RELU 12
#define FUNCTION_SCALED_TANH 13
#define FUNCTION_HARD_SIGMOID 14
#define FUNCTION_ELU 15
#define FUNCTION_SOFTSIGN 16
#define FUNCTION_SOFTPLUS 17
#define FUNCTION_SELU 18
#define FUNCTION_SWISH_WITH_ALPHA 19
#define FUNCTION_GELU_TANH 20
#define FUNCTION_EXPONENTIAL 21
#define FUNCTION_LOGARITHM 22
#define FUNCTION_ERROR_FUNCTION 23
#define FUNCTION_SQUARE_ROOT 24
#define FUNCTION_ABSOLUTE 25
#define FUNCTION_NEGATIVE 26
#define FUNCTION_RECIPROCAL 27
#define FUNCTION_ROUND_DOWN 28
#define FUNCTION_ROUND_UP 29
#define FUNCTION_ROUND_EVEN 30
#define FUNCTION_SIGNUM 31

#define ACTIVATED_NONE(x, slope, alpha, beta) (x)
#define ACTIVATED_RELU(x, slope, alpha, beta) (relu(x, alpha, beta))
#define ACTIVATED_RELU6(x, slope, alpha, beta) (relu6(x, alpha, beta))
#define ACTIVATED_LEAKY_RELU(x, slope, alpha, beta) (leaky_relu(x, alpha, beta))
#define ACTIVATED_PRELU(x, slope, alpha, beta) (x < 0 ? slope * x : x)
#define ACTIVATED_CLIP(x, slope, alpha, beta) (clip(x, rounded(alpha), rounded(beta)))
#define ACTIVATED_SIGMOID(x, slope, alpha, beta) (sigmoid(x, alpha, beta))
#define ACTIVATED_HARD_SWISH(x, slope, alpha, beta) (hard_swish(x, alpha, beta))
#define ACTIVATED_TANH(x, slope, alpha, beta) (hyperbolic_tangent(x, alpha, beta))
#define ACTIVATED_SWISH(x, slope, alpha, beta) (swish(x, 1, 0))
#define ACTIVATED_GELU(x, slope, alpha, beta) (gelu(x, alpha, beta))

#define VECTOR_NONE(x, slope, alpha, beta) (x)
#define VECTOR_RELU(x, slope, alpha, beta) (clip16(x, 0.0f, INFINITY))
#define VECTOR_RELU6(x, slope, alpha, beta) (clip16(x, 0.0f, 6.0f))
#define VECTOR_LEAKY_RELU(x, slope, alpha, beta) (x < 0.0f ? alpha * x : x)
#define VECTOR_PRELU(x, slope, alpha, beta) (x < 0.0f ? slope * x : x)
#define VECTOR_CLIP(x, slope, alpha, beta) (clip16(x, alpha, beta))
#define VECTOR_SIGMOID(x, slope, alpha, beta) (sigmoid16(x, 0.0f))
#define VECTOR_HARD_SWISH(x, slope, alpha, beta) (x * clip16(x / 6.0f + 0.5f, 0.0f, 1.0f))
#define VECTOR_TANH(x, slope, alpha, beta) (hyperbolic_tangent16(x, 0.0f))
#define VECTOR_SWISH(x, slope, alpha, beta) (swish16(x, 1.0f))
#define VECTOR_GELU(x, slope, alpha, beta) (gelu16(x, alpha))
#define VECTOR_HARD_SIGMOID(x, slope, alpha, beta) (clip16(alpha * x + beta, 0.0f, 1.0f))
#define VECTOR_ELU(x, slope, alpha, beta) (x > 0.0f ? x : alpha * exp_minus_1_16(x))
#define VECTOR_SELU(x, slope, alpha, beta) (beta * (x > 0.0f ? x : alpha * exp_minus_1_16(x)))
#define VECTOR_SWISH_WITH_ALPHA(x, slope, alpha, beta) (swish16(x, alpha))
#define VECTOR_GELU_TANH(x, slope, alpha, beta) (gelu_tanh16(x, alpha))
#define VECTOR_EXPONENTIAL(x, slope, alpha, beta) (exponential16(x, alpha))
#define VECTOR_LOGARITHM(x, slope, alpha, beta) (logarithm16(x, alpha))
#define VECTOR_ERROR_FUNCTION(x, slope, alpha, beta) (error_function16(x, alpha))
#define VECTOR_SQUARE_ROOT(x, slope, alpha, beta) (sqrt(x))
#define VECTOR_ABSOLUTE(x, slope, alpha, beta) (fabs(x))
#define VECTOR_NEGATIVE(x, slope, alpha, beta) (-x)
#define VECTOR_RECIPROCAL(x, slope, alpha, beta) (1.0f / x)
#define VECTOR_ROUND_DOWN(x, slope, alpha, beta) (floor(x))
#define VECTOR_ROUND_UP(x, slope, alpha, beta) (ceil(x))
#define VECTOR_ROUND_EVEN(x, slope, alpha, beta) (rint(x))
#define VECTOR_SIGNUM(x, slope, alpha, beta) (x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x)

#define UNARY_VECTORS(EACH) \
    EACH(RELU) \
    EACH(RELU6) \
    EACH(LEAKY_RELU) \
    EACH(CLIP) \
    EACH(SIGMOID) \
    EACH(HARD_SWISH) \
    EACH(TANH) \
    EACH(GELU) \
    EACH(HARD_SIGMOID) \
    EACH(ELU) \
    EACH(SELU) \
    EACH(SWISH_WITH_ALPHA) \
    EACH(GELU_TANH) \
    EACH(EXPONENTIAL) \
    EACH(LOGARITHM) \
    EACH(ERROR_FUNCTION) \
    EACH(SQUARE_ROOT) \
    EACH(ABSOLUTE) \
    EACH(NEGATIVE) \
    EACH(RECIPROCAL) \
    EACH(ROUND_DOWN) \
    EACH(ROUND_UP) \
    EACH(ROUND_EVEN) \
    EACH(SIGNUM)

#define BOUNDED_FUNCTIONS(EACH) \
    EACH(RELU, 0.0f, INFINITY) \
    EACH(RELU6, 0.0f, 6.0f) \
    EACH(CLIP, alpha, beta)

#define STRAIGHT_ACTIVATIONS(EACH) \
    EACH(RELU) \
    EACH(RELU6) \
    EACH(LEAKY_RELU) \
    EACH(PRELU) \
    EACH(CLIP)

#define SMOOTH_ACTIVATIONS(EACH) \
    EACH(SIGMOID) \
    EACH(HARD_SWISH) \
    EACH(TANH) \
    EACH(SWISH) \
    EACH(GELU)

#endif
