package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.Optional;
import org.clinfer.importer.Integers;

/**
 * The blocks of SpaceToBatchND or BatchToSpaceND: their sizes along the first axes of the space, and what is added, or cut,
 * before and behind along each of these.
 */
final class Blocks {

    private final long[] sizes;
    private final long[] borders;

    Blocks(long[] sizes, long[] borders) {
        this.sizes = sizes;
        this.borders = borders;
    }

    long[] sizes() {
        return sizes;
    }

    long[] borders() {
        return borders;
    }

    /** The blocks of a node that was or will be translated; empty if they are not known beforehand. */
    static Optional<Blocks> of(TfCall call, TfNode node) {
        Optional<long[]> borders = call.translated(node.inputs().get(2))
                .flatMap(value -> call.graph().constant(value))
                .filter(tensor -> tensor.dtype().isInteger() && tensor.elements() <= Integers.MOST)
                .map(tensor -> tensor.toLongArray());
        Optional<long[]> sizes = sizes(call, node);
        if (sizes.isEmpty() || borders.isEmpty()) {
            return Optional.empty();
        }
        boolean fits = borders.get().length == 2 * sizes.get().length
                && Arrays.stream(borders.get()).allMatch(border -> border >= 0 && border < 1 << 30);
        if (!fits) {
            throw node.malformed("its blocks are " + Arrays.toString(sizes.get()) + ", its borders "
                    + Arrays.toString(borders.get()));
        }
        return Optional.of(new Blocks(sizes.get(), borders.get()));
    }

    /** The sizes of the blocks alone; empty if they are not known beforehand. */
    static Optional<long[]> sizes(TfCall call, TfNode node) {
        Optional<long[]> sizes = call.translated(node.inputs().get(1))
                .flatMap(value -> call.graph().integers(value))
                .flatMap(Integers::all);
        if (sizes.isPresent() && !Arrays.stream(sizes.get()).allMatch(size -> size >= 1 && size < 1 << 15)) {
            throw node.malformed("its blocks are " + Arrays.toString(sizes.get()));
        }
        return sizes;
    }
}
