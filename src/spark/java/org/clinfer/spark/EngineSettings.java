package org.clinfer.spark;

import java.io.Serializable;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;
import org.clinfer.DeviceChoice;
import org.clinfer.EngineOptions;
import org.clinfer.OnUnsupported;
import org.clinfer.Precision;
import org.clinfer.errors.InputException;

/**
 * The engine that a task needs.
 *
 * @param device as {@link DeviceChoice#parse} takes it; {@code auto} is the device that Spark has given to the task, if it has
 * @param resource the name under which Spark schedules devices
 * @param precision the word of a {@link Precision}
 * @param onUnsupported {@code cpu} or {@code fail}
 */
record EngineSettings(String device, String resource, String precision, String onUnsupported) implements Serializable {

    /** {@return these settings with the device that Spark has given to the running task, if any and none is named} */
    EngineSettings ofTask() {
        TaskContext task = TaskContext.get();
        if (task == null || !device.equals("auto")) {
            return this;
        }
        return assigned(task.resourcesJMap())
                .map(address -> new EngineSettings(address, resource, precision, onUnsupported))
                .orElse(this);
    }

    private Optional<String> assigned(Map<String, ResourceInformation> resources) {
        ResourceInformation given = resources.get(resource);
        return given == null || given.addresses().length == 0
                ? Optional.empty()
                : Optional.of(String.join(",", given.addresses()));
    }

    /**
     * {@return the options of the engine}
     *
     * @throws InputException if a word means nothing
     */
    EngineOptions options() {
        try {
            return EngineOptions.defaults()
                    .withThreads(threads())
                    .withDevice(DeviceChoice.parse(device))
                    .withPrecision(Precision.parse(precision))
                    .withOnUnsupported(OnUnsupported.valueOf(onUnsupported.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            throw new InputException("device '" + device + "', precision '" + precision + "', onUnsupported '"
                    + onUnsupported + "': " + e.getMessage());
        }
    }

    /** The cores that Spark lets an executor use. */
    private static int threads() {
        int processors = Runtime.getRuntime().availableProcessors();
        SparkEnv environment = SparkEnv.get();
        SparkConf conf = environment == null ? new SparkConf(false) : environment.conf();
        return Math.max(1, Math.min(processors, conf.getInt("spark.executor.cores", processors)));
    }
}
