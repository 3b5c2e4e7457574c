package org.clinfer.costs;

/**
 * The kind of work of an operator's code on the CPU, and whether it has loops of vectors for it: said by the operators of
 * the CPU, used where nodes are placed. The shapes of a node decide which {@link CpuLoop} that is.
 */
public enum CpuWork {
    /** A matrix, the second input, times another. */
    PRODUCT,
    /** Windows times weights, the second input. */
    CONVOLUTION,
    /** Copies elements. */
    MOVEMENT,
    /** A few additions, multiplications and comparisons an element. */
    ARITHMETIC,
    /** The same, or a choice or a conversion, without loops of vectors. */
    SCALAR_ARITHMETIC,
    /** An exponential, or as much, an element. */
    FUNCTION,
    /** The same without loops of vectors. */
    SCALAR_FUNCTION,
    /** Sums or maxima along axes. */
    REDUCTION,
    /** The same without loops of vectors. */
    SCALAR_REDUCTION,
    /** A reduction and an exponential. */
    SOFTMAX,
    /** Maxima over windows, whose sizes are {@code kernel}. */
    MAXIMUM,
    /** Means over windows, whose sizes are {@code kernel}. */
    MEAN
}
