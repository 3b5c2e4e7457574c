package org.clinfer.spark;

import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.TaskCompletionListener;

/** The function that each task applies to its partition of {@link RowEncoders rows in rows}. */
final class RowTask implements MapPartitionsFunction<Row, Row> {

    private static final long serialVersionUID = 1L;

    private final TaskPlan plan;
    private final String main;
    private final Broadcast<? extends Map<String, byte[]>> files;

    /** @param main the name of the model's own file among those */
    RowTask(TaskPlan plan, String main, Broadcast<? extends Map<String, byte[]>> files) {
        this.plan = plan;
        this.main = main;
        this.files = files;
    }

    @Override
    public Iterator<Row> call(Iterator<Row> rows) {
        if (!rows.hasNext()) {
            return rows;
        }
        RowIterator all = new RowIterator(
                plan,
                // Spark uses the memory of a row again for the next
                mapped(rows, row -> ((InternalRow) row.get(0)).copy()),
                ExecutorModels.lease(
                        plan.engine().ofTask(), plan.network(), () -> new NetworkFiles(main, files.value())),
                true);
        closeAfterTask(all::close);
        return mapped(all, RowFactory::create);
    }

    private static <T, U> Iterator<U> mapped(Iterator<T> rows, Function<T, U> change) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public U next() {
                return change.apply(rows.next());
            }
        };
    }

    static void closeAfterTask(Runnable closing) {
        TaskContext task = TaskContext.get();
        if (task != null) {
            task.addTaskCompletionListener(new TaskCompletionListener() {
                @Override
                public void onTaskCompletion(TaskContext context) {
                    closing.run();
                }
            });
        }
    }
}
