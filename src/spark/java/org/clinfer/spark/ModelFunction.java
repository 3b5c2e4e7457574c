package org.clinfer.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.jspecify.annotations.Nullable;

/** A function of SQL that runs a model for one row. */
final class ModelFunction implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The shares that running tasks have of models. */
    private static final Map<Use, ExecutorModels.Lease> USES = new ConcurrentHashMap<>();

    private final TaskPlan plan;
    private final String main;
    private final Broadcast<? extends Map<String, byte[]>> files;
    private final boolean single;

    /** @param single whether the value of the only column is given instead of a struct */
    ModelFunction(TaskPlan plan, String main, Broadcast<? extends Map<String, byte[]>> files, boolean single) {
        this.plan = plan;
        this.main = main;
        this.files = files;
        this.single = single;
    }

    @Nullable
    Object run(@Nullable Object... arguments) {
        TaskContext task = TaskContext.get();
        if (task == null) {
            // a constant, which the driver computes
            try (ExecutorModels.Lease lease = lease()) {
                return run(lease, arguments);
            }
        }
        Use use = new Use(task.taskAttemptId(), plan);
        return run(
                USES.computeIfAbsent(use, missing -> {
                    ExecutorModels.Lease lease = lease();
                    RowTask.closeAfterTask(() -> {
                        USES.remove(use);
                        lease.close();
                    });
                    return lease;
                }),
                arguments);
    }

    private ExecutorModels.Lease lease() {
        return ExecutorModels.lease(
                plan.engine().ofTask(), plan.network(), () -> new NetworkFiles(main, files.value()));
    }

    private @Nullable Object run(ExecutorModels.Lease lease, @Nullable Object... arguments) {
        RowIterator rows =
                new RowIterator(plan, List.<Row>of(RowFactory.create(arguments)).iterator(), lease);
        Row row = rows.next();
        if (single) {
            return row.get(arguments.length);
        }
        List<Object> values = new ArrayList<>();
        for (int i = arguments.length; i < row.length(); i++) {
            values.add(row.get(i));
        }
        return RowFactory.create(values.toArray());
    }

    /** A model in a task. */
    private record Use(long task, TaskPlan plan) {}
}
