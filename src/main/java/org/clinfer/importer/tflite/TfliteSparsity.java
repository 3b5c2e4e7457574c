package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A constant of which only some elements are stored: its axes, and those of blocks within them, are walked in an order of the
 * file's, and along a sparse one only some indices are there. The elements that are not stored are 0.
 *
 * <p>Source: SparsityParameters in schema.fbs of TensorFlow Lite, after the format of the Tensor Algebra Compiler (TACO).
 */
final class TfliteSparsity {

    private static final int ORDER = 0;
    private static final int BLOCKS = 1;
    private static final int LEVELS = 2;

    private static final int FORMAT = 0;
    private static final int SIZE = 1;
    private static final int SEGMENTS = 2;
    private static final int INDICES = 4;

    private static final int SPARSE = 1;

    /** All elements take at most so many times the bytes of those that are stored, or those of a small tensor. */
    private static final long MOST_TIMES = 256;

    private static final long SMALL = 1 << 20;

    /** The bytes of an element of a vector, by the number of its kind. */
    private static final int[] VECTOR_BYTES = {0, Integer.BYTES, Short.BYTES, Byte.BYTES};

    /**
     * An axis of the walk.
     *
     * @param axis the axis of the tensor
     * @param step how far an index along it goes along that axis
     * @param segments where the indices of each walk along it begin and end; null where all are there
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Level(int axis, long step, long size, long @Nullable [] segments, long[] indices) {}

    private final FlatTable table;
    private final TensorType type;
    private final SourceRef source;
    private final List<Level> levels = new ArrayList<>();
    private final long[] strides;
    private final Tensor dense;
    private final int width;
    private final ByteBuffer stored;
    private long read;

    /** @param stored the elements that are stored, in the order of the walk */
    TfliteSparsity(FlatTable table, TensorType type, ByteBuffer stored, SourceRef source) {
        this.table = table;
        this.type = type;
        this.source = source;
        this.stored = stored;
        this.width = type.dtype().bits() / Byte.SIZE;
        if (!type.shape().isKnown() || width == 0) {
            throw malformed("a type of " + type);
        }
        if (type.bytes() > Math.max(SMALL, MOST_TIMES * stored.remaining())) {
            throw malformed(stored.remaining() + " bytes of elements, which is too few for " + type);
        }
        this.strides = strides(type.shape().sizes());
        readLevels();
        this.dense = Tensor.allocate(type);
    }

    /**
     * All elements.
     *
     * @throws GraphException if those that are stored are not as many as the walk visits
     */
    Tensor dense() {
        walk(0, 0, 0);
        if (read * width != stored.remaining()) {
            throw malformed(stored.remaining() + " bytes, where " + read + " elements are visited");
        }
        return dense;
    }

    private static long[] strides(long[] sizes) {
        long[] strides = new long[sizes.length];
        long stride = 1;
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride *= sizes[axis];
        }
        return strides;
    }

    private void readLevels() {
        int[] order = table.integers(ORDER);
        int[] blocked = table.integers(BLOCKS);
        List<FlatTable> given = table.tables(LEVELS);
        int rank = strides.length;
        int[] sorted = order.clone();
        Arrays.sort(sorted);
        boolean isOrder = order.length == rank + blocked.length && given.size() == order.length;
        for (int i = 0; i < sorted.length; i++) {
            isOrder &= sorted[i] == i;
        }
        if (!isOrder) {
            throw malformed("axes in the order " + Arrays.toString(order));
        }
        long[] block = new long[rank];
        Arrays.fill(block, 1);
        for (int i = 0; i < order.length; i++) {
            if (order[i] >= rank) {
                int axis = blocked[order[i] - rank];
                if (axis < 0 || axis >= rank || block[axis] != 1) {
                    throw malformed("blocks of the axes " + Arrays.toString(blocked));
                }
                block[axis] = given.get(i).integer(SIZE, 0);
            }
        }
        for (int i = 0; i < order.length; i++) {
            boolean isBlock = order[i] >= rank;
            int axis = isBlock ? blocked[order[i] - rank] : order[i];
            levels.add(level(given.get(i), axis, block[axis], isBlock));
        }
    }

    private Level level(FlatTable given, int axis, long block, boolean isBlock) {
        long whole = type.shape().size(axis);
        if (block < 1 || whole % block != 0) {
            throw malformed("blocks of " + block + " along axis " + axis + " of " + type.shape());
        }
        long size = isBlock ? block : whole / block;
        long step = isBlock ? 1 : block;
        if (given.small(FORMAT) == SPARSE) {
            return new Level(axis, step, size, vector(given, SEGMENTS), vector(given, INDICES));
        }
        if (given.integer(SIZE, 0) != size) {
            throw malformed("a dense axis of " + given.integer(SIZE, 0) + " instead of " + size);
        }
        return new Level(axis, step, size, null, new long[0]);
    }

    /** The numbers of a vector, whose kind stands before it. */
    private long[] vector(FlatTable given, int field) {
        int kind = given.small(field);
        FlatTable vector = given.table(field + 1).orElseThrow(() -> malformed("a sparse axis without indices"));
        if (kind < 1 || kind >= VECTOR_BYTES.length) {
            throw malformed("indices of kind " + kind);
        }
        int bytes = VECTOR_BYTES[kind];
        long mask = (1L << (bytes * Byte.SIZE)) - 1;
        long[] numbers = vector.integers(0, bytes);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] &= mask;
        }
        return numbers;
    }

    /**
     * Visits the elements below an axis of the walk.
     *
     * @param position which of the walks along this axis it is
     * @param element the element of the tensor that the indices so far lead to
     */
    private void walk(int depth, long position, long element) {
        if (depth == levels.size()) {
            put(element);
            return;
        }
        Level level = levels.get(depth);
        long[] segments = level.segments();
        if (segments == null) {
            for (long i = 0; i < level.size(); i++) {
                walk(depth + 1, position * level.size() + i, next(element, level, i));
            }
            return;
        }
        long from = position + 1 < segments.length ? segments[(int) position] : -1;
        long to = from < 0 ? -1 : segments[(int) position + 1];
        if (from < 0 || to < from || to > level.indices().length) {
            throw malformed("indices from " + from + " to " + to + " of " + level.indices().length);
        }
        for (long i = from; i < to; i++) {
            long index = level.indices()[(int) i];
            if (index >= level.size() || (i > from && index <= level.indices()[(int) i - 1])) {
                throw malformed("the index " + index + " along an axis of " + level.size());
            }
            walk(depth + 1, i, next(element, level, index));
        }
    }

    private long next(long element, Level level, long index) {
        return element + index * level.step() * strides[level.axis()];
    }

    private void put(long element) {
        long at = read * width;
        if (at + width > stored.remaining()) {
            throw malformed(stored.remaining() + " bytes, which end before element " + read);
        }
        dense.bytes().put(Math.toIntExact(element * width), stored, stored.position() + (int) at, width);
        read++;
    }

    private GraphException malformed(String what) {
        return new GraphException(source, "it is a sparse tensor with " + what);
    }
}
