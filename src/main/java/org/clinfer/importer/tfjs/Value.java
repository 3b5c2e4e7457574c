package org.clinfer.importer.tfjs;

import java.util.OptionalInt;

/** A value of the graph while it is written, and the number of its axes where that is known. */
record Value(String name, OptionalInt rank) {

    static Value of(String name, int rank) {
        return new Value(name, OptionalInt.of(rank));
    }
}
