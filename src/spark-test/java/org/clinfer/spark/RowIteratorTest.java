package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.clinfer.Result;
import org.clinfer.image.Preprocessing;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class RowIteratorTest {

    private static final EngineSettings CPU = new EngineSettings("cpu", "gpu", "float32", "cpu");

    @Test
    void atMostTwoBatchesAreInMemory() {
        NetworkFiles files = NetworkFiles.of(SampleNetworks.sum());
        AtomicInteger read = new AtomicInteger();
        int given = 0;
        try (RowIterator rows = iterator(files, 8, 0, counted(read, 1000))) {
            while (rows.hasNext()) {
                assertThat(rows.next().getFloat(1)).isEqualTo(given++);
                assertThat(read.get() - given).isLessThanOrEqualTo(16);
            }
        }
        assertThat(given).isEqualTo(1000);
    }

    @Test
    void aBatchIsSentWhenItsTimeIsOver() {
        NetworkFiles files = NetworkFiles.of(SampleNetworks.sum());
        ExecutorMetrics metrics = ExecutorMetrics.current();
        long before = metrics.batches();
        Iterator<InternalRow> slow = new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < 4;
            }

            @Override
            public InternalRow next() {
                long start = System.nanoTime();
                while (System.nanoTime() - start < 2_000_000) {
                    Thread.onSpinWait();
                }
                return row(next++);
            }
        };
        List<InternalRow> rows = new ArrayList<>();
        try (RowIterator all = iterator(files, 1000, 1, slow)) {
            all.forEachRemaining(rows::add);
        }
        assertThat(rows).hasSize(4);
        assertThat(metrics.batches() - before).isGreaterThan(1);
    }

    @Test
    void aTaskThatEndsEarlyGivesItsShareBack() {
        NetworkFiles files = NetworkFiles.of(SampleNetworks.sum());
        RowIterator rows = iterator(files, 4, 0, counted(new AtomicInteger(), 100));
        rows.next();

        rows.close();
        rows.close();

        assertThat(rows.hasNext()).isFalse();
    }

    @Test
    void aResultThatNobodyReadsIsClosed() {
        NetworkFiles files = NetworkFiles.of(SampleNetworks.sum());
        NetworkChoice network = new NetworkChoice(files.digest(), List.of("y"));
        try (ExecutorModels.Lease lease = ExecutorModels.lease(CPU, network, () -> files)) {
            Result result = lease.pool().run(Map.of("x", Tensor.of(new float[] {1}, 1, 1)));
            new RowBatch(List.of(), CompletableFuture.completedFuture(result)).giveUp();
            assertThatThrownBy(() -> result.get("y").toFloatArray())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    private static RowIterator iterator(NetworkFiles files, int batchSize, int millis, Iterator<InternalRow> rows) {
        TaskPlan plan = new TaskPlan(
                CPU,
                new NetworkChoice(files.digest(), List.of("y")),
                List.of(new TaskPlan.Feed(
                        "x", 0, "x", DataTypes.createArrayType(DataTypes.FloatType), ColumnKind.NUMBERS)),
                List.of(new TaskPlan.Fetch("y", TaskPlan.Form.NUMBER)),
                JsonParams.json(Preprocessing.defaults()),
                batchSize,
                millis,
                false);
        return new RowIterator(plan, rows, ExecutorModels.lease(CPU, plan.network(), () -> files), true);
    }

    private static InternalRow row(float element) {
        return new GenericInternalRow(new Object[] {UnsafeArrayData.fromPrimitiveArray(new float[] {element})});
    }

    private static Iterator<InternalRow> counted(AtomicInteger read, int rows) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return read.get() < rows;
            }

            @Override
            public InternalRow next() {
                return row(read.getAndIncrement());
            }
        };
    }
}
