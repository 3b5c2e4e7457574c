package org.clinfer.cpu;

/**
 * About how long the CPU path with vectors takes for a node, for choosing where it runs: measured on two cores of a
 * server processor, to within a factor of 2 for products and 3 for the rest. Another machine may be slower by a factor
 * that is about the same for all kinds.
 */
public final class HostCosts {

    /**
     * What a node does.
     *
     * <p>Each kind takes a time of its own for every node, for one multiply-add (or element that is folded), and for one
     * byte that is read or written.
     */
    public enum Kind {
        /** Convolutions in which every output sees many channels, either direction, and products of matrices. */
        PRODUCT(15_000, 0.02, 0.01),
        /** Convolutions of single channels. */
        DEPTHWISE(6_000, 0.028, 0.01),
        /** A matrix times a few vectors: as fast as the matrix is read. */
        VECTOR_PRODUCT(2_000, 0.3, 0.01),
        /** Maxima over windows. */
        MAXIMUM(3_000, 0.24, 0.01),
        /** Means over windows. */
        MEAN(3_000, 2.2, 0.01),
        /** Reductions, global pools and softmax. */
        REDUCTION(2_000, 1.2, 0.01),
        /** Arithmetic, comparisons and rectifiers, element by element, and everything that only moves elements. */
        ELEMENTS(1_500, 0, 0.05),
        /** Exponentials and what is made of them, element by element. */
        FUNCTION(1_500, 0, 0.4);

        private final double nodeNanos;
        private final double termNanos;
        private final double byteNanos;

        Kind(double nodeNanos, double termNanos, double byteNanos) {
            this.nodeNanos = nodeNanos;
            this.termNanos = termNanos;
            this.byteNanos = byteNanos;
        }
    }

    /** What a run takes beside its nodes. */
    public static final long RUN_NANOS = 1_500;

    private HostCosts() {}

    /**
     * Nanoseconds for a node.
     *
     * @param terms multiply-adds, or elements that are folded; 0 where there are none
     * @param bytes of inputs and outputs together, without weights
     */
    public static long nanos(Kind kind, long terms, long bytes) {
        return (long) (kind.nodeNanos + kind.termNanos * terms + kind.byteNanos * bytes);
    }
}
