package org.clinfer.spark;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.SessionPool;
import org.clinfer.tensor.Tensor;

/**
 * A model for code that runs on executors: made on the driver, sent with the functions of tasks. Immutable; the model behind it
 * is that of the executor, which all tasks share.
 *
 * <pre>{@code
 * ExecutorModel model = ExecutorModel.of(spark, stage);
 * Dataset<Float> scores = texts.mapPartitions(
 *         (MapPartitionsFunction<String, Float>) rows -> model.map(rows, 32, this::inputs, this::scores), Encoders.FLOAT());
 * }</pre>
 */
public final class ExecutorModel implements Serializable {

    private static final long serialVersionUID = 1L;

    private final EngineSettings engine;
    private final NetworkChoice network;
    private final String main;
    private final Broadcast<? extends Map<String, byte[]>> files;

    private ExecutorModel(
            EngineSettings engine, NetworkChoice network, String main, Broadcast<? extends Map<String, byte[]>> files) {
        this.engine = engine;
        this.network = network;
        this.main = main;
        this.files = files;
    }

    /**
     * {@return the model of a stage, with its device, precision and fetched values; nothing else of the stage is used}
     *
     * @param session of the driver
     * @param stage with a model
     * @throws org.clinfer.errors.ClinferException if the model cannot be read
     */
    public static ExecutorModel of(SparkSession session, ClinferModel stage) {
        return new ExecutorModel(stage.engine(), stage.network(), stage.files().main(), stage.sent(session));
    }

    /**
     * {@return the task's share of the model, which is loaded if no task has used it yet}
     *
     * @throws org.clinfer.errors.ClinferException if the device is not there, or the model does not fit it
     */
    public Lease lease() {
        return new Lease(ExecutorModels.lease(engine.ofTask(), network, () -> new NetworkFiles(main, files.value())));
    }

    /**
     * {@return what the model makes of the rows of a task, in their order} While a batch runs, the next one is read. The share
     * of the model is given back with the task, or before, when all rows are read.
     *
     * @param rows of the task
     * @param batchSize rows of a run at most, at least 1
     * @param inputs makes the tensors of a run of rows
     * @param outputs makes results of the rows of what the run gave, which is closed afterwards
     * @param <T> a row
     * @param <U> a result
     * @throws IllegalArgumentException for batches of no row
     */
    public <T, U> Iterator<U> map(Iterator<T> rows, int batchSize, ToInputs<T> inputs, ToRows<T, U> outputs) {
        if (batchSize < 1) {
            throw new IllegalArgumentException("a batch has at least one row, not " + batchSize);
        }
        Lease lease = lease();
        Mapped<T, U> results = new Mapped<>(rows, batchSize, inputs, outputs, lease);
        RowTask.closeAfterTask(results::close);
        return results;
    }

    /**
     * The tensors of a run.
     *
     * @param <T> a row
     */
    @FunctionalInterface
    public interface ToInputs<T> extends Serializable {
        /**
         * Makes the tensors of a run.
         *
         * @param rows at least one
         * @return a tensor for each input
         */
        Map<String, Tensor> inputs(List<T> rows);
    }

    /**
     * The results of a run.
     *
     * @param <T> a row
     * @param <U> a result
     */
    @FunctionalInterface
    public interface ToRows<T, U> extends Serializable {
        /**
         * Makes results of what a run gave.
         *
         * @param rows of the run
         * @param result closed afterwards
         * @return any number of them
         */
        List<U> rows(List<T> rows, Result result);
    }

    /** A task's share of a model; models that no task has a share of may be closed. */
    public static final class Lease implements AutoCloseable {
        private final ExecutorModels.Lease lease;

        private Lease(ExecutorModels.Lease lease) {
            this.lease = lease;
        }

        /** {@return the model, which stays the executor's} */
        public Model model() {
            return lease.model();
        }

        /** {@return the runs of the model, which stay the executor's} */
        public SessionPool pool() {
            return lease.pool();
        }

        /** Gives the share back; more calls do nothing. */
        @Override
        public void close() {
            lease.close();
        }
    }

    private record Running<T>(List<T> rows, CompletableFuture<Result> result) {}

    /** Results, with at most two batches of rows in memory. */
    private static final class Mapped<T, U> implements Iterator<U> {
        private final Iterator<T> rows;
        private final int batchSize;
        private final ToInputs<T> inputs;
        private final ToRows<T, U> outputs;
        private final Lease lease;
        private final Deque<Running<T>> running = new ArrayDeque<>();
        private Iterator<U> ready = List.<U>of().iterator();

        Mapped(Iterator<T> rows, int batchSize, ToInputs<T> inputs, ToRows<T, U> outputs, Lease lease) {
            this.rows = rows;
            this.batchSize = batchSize;
            this.inputs = inputs;
            this.outputs = outputs;
            this.lease = lease;
        }

        @Override
        public boolean hasNext() {
            while (!ready.hasNext()) {
                while (running.size() < 2 && rows.hasNext()) {
                    submit();
                }
                Running<T> first = running.poll();
                if (first == null) {
                    close();
                    return false;
                }
                try (Result result = RowBatch.await(first.result())) {
                    ready = outputs.rows(first.rows(), result).iterator();
                }
            }
            return true;
        }

        /** Gives up what runs, if anything, and the share of the model. */
        void close() {
            running.forEach(batch -> RowBatch.giveUp(batch.result()));
            running.clear();
            lease.close();
        }

        private void submit() {
            List<T> batch = new ArrayList<>(batchSize);
            while (batch.size() < batchSize && rows.hasNext()) {
                batch.add(rows.next());
            }
            running.add(new Running<>(batch, lease.pool().submit(inputs.inputs(batch))));
            ExecutorMetrics.current().batch(batch.size());
        }

        @Override
        public U next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the partition has no more rows");
            }
            return ready.next();
        }
    }
}
