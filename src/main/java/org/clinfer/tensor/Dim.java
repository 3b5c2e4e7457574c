package org.clinfer.tensor;

import org.jspecify.annotations.Nullable;

/** One dimension of a shape: a known size, or a name for a size that is not known yet. */
public sealed interface Dim {

    /**
     * A size known now; zero is allowed (an empty tensor).
     *
     * @param size 0 or more
     */
    record Known(long size) implements Dim {
        public Known {
            if (size < 0) {
                throw new IllegalArgumentException("a dimension must be >= 0, but is " + size);
            }
        }

        // types are compared often, and the methods that records get take long to link and to interpret
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Known known && known.size == size;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(size);
        }

        @Override
        public String toString() {
            return Long.toString(size);
        }
    }

    /**
     * A size not known yet; equal names mean equal sizes. The name {@code ?} stands for "any".
     *
     * @param name of the size
     */
    record Named(String name) implements Dim {
        @Override
        public String toString() {
            return name;
        }
    }

    /** {@return the anonymous unknown dimension} */
    static Dim unknown() {
        return new Named("?");
    }

    /**
     * {@return a dimension of known size}
     *
     * @param size at least 0
     */
    static Dim of(long size) {
        return new Known(size);
    }

    /**
     * {@return a dimension of any size; dimensions of one name have one size in a run}
     *
     * @param name the name, as {@code batch}
     */
    static Dim named(String name) {
        return name.isEmpty() ? unknown() : new Named(name);
    }

    /** {@return whether the size is known} */
    default boolean isKnown() {
        return this instanceof Known;
    }
}
