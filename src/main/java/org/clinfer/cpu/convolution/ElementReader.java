package org.clinfer.cpu.convolution;

/**
 * The elements of a tensor, in its order.
 *
 * @param <A> the arrays that they are read to
 */
@FunctionalInterface
public interface ElementReader<A> {

    /** Reads {@code count} of them from {@code from} on to {@code to[at]}; safe for several threads. */
    void read(int from, A to, int at, int count);
}
