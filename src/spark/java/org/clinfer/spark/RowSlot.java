package org.clinfer.spark;

import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/** A row between its arrival and its departure; rows leave in the order in which they came. */
final class RowSlot {

    private final InternalRow row;
    private final long number;
    private Cell[] cells = {};
    private Object @Nullable [] outputs;
    private @Nullable String error;
    private @Nullable RowBatch batch;

    /** @param number of the row in its partition, from 0 */
    RowSlot(InternalRow row, long number) {
        this.row = row;
        this.number = number;
    }

    InternalRow row() {
        return row;
    }

    long number() {
        return number;
    }

    Cell[] cells() {
        return cells;
    }

    /** Sets the elements for each input. */
    void read(Cell[] elements) {
        cells = elements;
    }

    Optional<RowBatch> batch() {
        return Optional.ofNullable(batch);
    }

    void in(RowBatch running) {
        batch = running;
    }

    Object @Nullable [] outputs() {
        return outputs;
    }

    Optional<String> error() {
        return Optional.ofNullable(error);
    }

    /** Sets what the row gets, and forgets what it was made of. */
    void give(Object[] values) {
        outputs = values;
        cells = new Cell[0];
    }

    void fail(String sentence) {
        error = sentence;
        cells = new Cell[0];
    }

    boolean isDone() {
        return outputs != null || error != null;
    }
}
