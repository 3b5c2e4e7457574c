package org.clinfer.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.image.ImageSchema;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.clinfer.errors.InputException;
import org.jspecify.annotations.Nullable;

/** A function of SQL that runs a model for one row. */
final class ModelFunction implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The shares that running tasks have of models. */
    private static final Map<Use, ExecutorModels.Lease> USES = new ConcurrentHashMap<>();

    private final TaskPlan plan;
    private final String main;
    private final Broadcast<? extends Map<String, byte[]>> files;
    private final StructType added;

    /** @param added the columns, of which a single one is given as its value instead of a struct */
    ModelFunction(TaskPlan plan, String main, Broadcast<? extends Map<String, byte[]>> files, StructType added) {
        this.plan = plan;
        this.main = main;
        this.files = files;
        this.added = added;
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
        ExecutorModels.Lease held = USES.get(use);
        return run(held == null ? leaseOfTask(use) : held, arguments);
    }

    /** A task calls its function in one thread; the listener runs at once where the task has ended. */
    private ExecutorModels.Lease leaseOfTask(Use use) {
        ExecutorModels.Lease lease = lease();
        USES.put(use, lease);
        RowTask.closeAfterTask(() -> {
            USES.remove(use);
            lease.close();
        });
        return lease;
    }

    private ExecutorModels.Lease lease() {
        return ExecutorModels.lease(
                plan.engine().ofTask(), plan.network(), () -> new NetworkFiles(main, files.value()));
    }

    private @Nullable Object run(ExecutorModels.Lease lease, @Nullable Object... arguments) {
        Object[] values = new Object[arguments.length];
        Arrays.setAll(values, i -> internal(arguments[i]));
        InternalRow given = new RowIterator(
                        plan,
                        List.<InternalRow>of(new GenericInternalRow(values)).iterator(),
                        lease,
                        false)
                .next();
        StructField[] fields = added.fields();
        Object[] outputs = new Object[fields.length];
        for (int i = 0; i < outputs.length; i++) {
            DataType type = fields[i].dataType();
            outputs[i] = CatalystTypeConverters.convertToScala(given.get(arguments.length + i, type), type);
        }
        return outputs.length == 1 ? outputs[0] : RowFactory.create(outputs);
    }

    /** An argument in Spark's own format; images have the fields of Spark's image schema, in its order. */
    private static @Nullable Object internal(@Nullable Object argument) {
        if (argument instanceof Row image) {
            String[] names = ImageSchema.columnSchema().fieldNames();
            List<String> given = Arrays.asList(image.schema().fieldNames());
            if (!given.containsAll(Arrays.asList(names))) {
                throw new InputException(
                        "an argument is a struct of " + given + "; those of images have " + Arrays.toString(names));
            }
            Object[] fields = Arrays.stream(names).map(image::getAs).toArray();
            return CatalystTypeConverters.convertToCatalyst(RowFactory.create(fields));
        }
        if (!isInput(argument)) {
            throw new InputException("an argument is a "
                    + Objects.requireNonNull(argument).getClass().getSimpleName()
                    + "; inputs are made of numbers, arrays of numbers, vectors, binary and images");
        }
        return CatalystTypeConverters.convertToCatalyst(
                argument instanceof Vector vector ? vector.toArray() : argument);
    }

    private static boolean isInput(@Nullable Object argument) {
        return argument == null
                || argument instanceof Number
                || argument instanceof Boolean
                || argument instanceof Vector
                || argument instanceof byte[]
                || argument instanceof scala.collection.Seq<?>;
    }

    /** A model in a task. */
    private record Use(long task, TaskPlan plan) {}
}
