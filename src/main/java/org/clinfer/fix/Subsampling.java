package org.clinfer.fix;

import org.clinfer.ops.Edge;

/** Ways to take every so many-th row and column of pictures. */
enum Subsampling {
    SLICE("a slice in steps") {
        @Override
        Edge of(Draft draft, Edge x, long[] steps) {
            Edge rows = draft.slice(x, 2, 0, Draft.sizes(x)[2], steps[0]);
            return draft.slice(rows, 3, 0, Draft.sizes(x)[3], steps[1]);
        }
    },
    POOL("a pool of single elements in steps") {
        @Override
        Edge of(Draft draft, Edge x, long[] steps) {
            return steps[0] == 1 && steps[1] == 1
                    ? x
                    : draft.ops().maxPool(x).kernelSize(1, 1).strides(steps).y();
        }
    };

    private final String words;

    Subsampling(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    abstract Edge of(Draft draft, Edge x, long[] steps);
}
