package org.clinfer.spark;

import java.nio.LongBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.clinfer.Result;
import org.clinfer.SessionPool;
import org.clinfer.errors.BadInputException;
import org.clinfer.errors.InputException;
import org.clinfer.tensor.Tensor;

/**
 * The rows of a partition with the columns that a model adds, in Spark's own format, in the order in which they came. At most two batches of rows
 * are in memory: while one runs, the next is filled. Rows of different shapes run in batches of their own.
 */
final class RowIterator implements Iterator<InternalRow>, AutoCloseable {

    private static final int BATCHES = 2;

    private final TaskPlan plan;
    private final Iterator<InternalRow> input;
    private final ExecutorModels.Lease lease;
    private final boolean isPartition;
    private final SessionPool pool;
    private final BatchTensors tensors;
    private final int rowsOfRun;
    private final Deque<RowSlot> pending = new ArrayDeque<>();
    private final Map<List<LongBuffer>, List<RowSlot>> open = new LinkedHashMap<>();
    private long oldest;
    private long read;
    private boolean closed;

    /** @param isPartition whether the rows are those of a partition, from its first on; otherwise errors do not number them */
    RowIterator(TaskPlan plan, Iterator<InternalRow> input, ExecutorModels.Lease lease, boolean isPartition) {
        this.isPartition = isPartition;
        this.plan = plan;
        this.input = input;
        this.lease = lease;
        this.pool = lease.pool();
        this.tensors = new BatchTensors(lease.model(), plan.feeds(), JsonParams.preprocessing(plan.preprocessing()));
        this.rowsOfRun = Math.toIntExact(tensors.fixedRows() > 0 ? tensors.fixedRows() : plan.batchSize());
    }

    @Override
    public boolean hasNext() {
        fill();
        return !pending.isEmpty();
    }

    @Override
    public InternalRow next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the partition has no more rows");
        }
        RowSlot slot = pending.element();
        while (!slot.isDone()) {
            if (slot.batch().isEmpty()) {
                submitAll();
            }
            slot.batch().ifPresent(this::finish);
        }
        pending.remove();
        return row(slot);
    }

    /** Reads rows until two batches are full, or as many rows of different shapes are here. */
    private void fill() {
        // runs of one row: as many as the device bears at once
        long window = BATCHES * (long) (rowsOfRun == 1 ? pool.runs() : rowsOfRun);
        while (!closed && pending.size() < window && input.hasNext()) {
            RowSlot slot = new RowSlot(input.next(), read++);
            pending.add(slot);
            try {
                List<LongBuffer> shapes = tensors.read(slot);
                if (open.isEmpty()) {
                    oldest = System.nanoTime();
                }
                List<RowSlot> group = open.computeIfAbsent(shapes, s -> new ArrayList<>());
                group.add(slot);
                if (group.size() == rowsOfRun) {
                    open.remove(shapes);
                    submit(group);
                }
            } catch (RowException e) {
                slot.fail(String.valueOf(e.getMessage()));
                requireErrors(slot);
            }
            if (plan.maxBatchMillis() > 0
                    && !open.isEmpty()
                    && System.nanoTime() - oldest > plan.maxBatchMillis() * 1_000_000L) {
                submitAll();
            }
        }
    }

    private void submitAll() {
        List<List<RowSlot>> groups = new ArrayList<>(open.values());
        open.clear();
        groups.forEach(this::submit);
    }

    private void submit(List<RowSlot> group) {
        List<RowSlot> rows = new ArrayList<>(group);
        Map<String, Tensor> inputs = tensors.inputs(rows);
        group.stream().filter(RowSlot::isDone).forEach(this::requireErrors);
        if (!rows.isEmpty()) {
            RowBatch batch = new RowBatch(rows, pool.submit(inputs));
            rows.forEach(slot -> slot.in(batch));
            ExecutorMetrics.current().batch(rows.size());
        }
    }

    private void finish(RowBatch batch) {
        try (Result result = batch.await()) {
            give(batch.rows(), result);
        } catch (BadInputException refused) {
            batch.rows().forEach(this::alone);
        }
    }

    /** Runs a row by itself after its batch was refused, because of this row or another one. */
    private void alone(RowSlot slot) {
        List<RowSlot> one = new ArrayList<>(List.of(slot));
        try (Result result = pool.run(tensors.inputs(one))) {
            give(one, result);
        } catch (BadInputException e) {
            slot.fail(String.valueOf(e.getMessage()));
            requireErrors(slot);
        }
    }

    private void give(List<RowSlot> rows, Result result) {
        long all = tensors.fixedRows() > 0 ? tensors.fixedRows() : rows.size();
        for (int i = 0; i < rows.size(); i++) {
            Object[] values = new Object[plan.fetches().size()];
            for (int j = 0; j < values.length; j++) {
                TaskPlan.Fetch fetch = plan.fetches().get(j);
                values[j] = OutputReader.read(fetch, result.get(fetch.value()), i, all);
            }
            rows.get(i).give(values);
        }
    }

    private void requireErrors(RowSlot slot) {
        ExecutorMetrics.current().unreadableRow();
        if (!plan.hasErrors()) {
            String place =
                    isPartition ? "row " + slot.number() + " of partition " + TaskContext.getPartitionId() + ": " : "";
            throw new InputException(place + slot.error().orElse("unreadable"));
        }
    }

    private InternalRow row(RowSlot slot) {
        int added = plan.fetches().size();
        Object[] values = new Object[added + (plan.hasErrors() ? 1 : 0)];
        Object[] outputs = slot.outputs();
        if (outputs != null) {
            System.arraycopy(outputs, 0, values, 0, added);
        }
        slot.error().ifPresent(error -> values[added] = UTF8String.fromString(error));
        return new JoinedRow(slot.row(), new GenericInternalRow(values));
    }

    /** Gives up what runs, if anything, and the task's share of the model. */
    @Override
    public void close() {
        closed = true;
        pending.forEach(slot -> slot.batch().ifPresent(RowBatch::giveUp));
        pending.clear();
        open.clear();
        lease.close();
    }
}
