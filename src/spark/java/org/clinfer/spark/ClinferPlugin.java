package org.clinfer.spark;

import java.util.Map;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of each executor in Spark's own metric system, and engines that are closed as soon as an executor ends: {@code
 * spark.plugins=org.clinfer.spark.ClinferPlugin}. Nothing else needs it.
 *
 * <p>The gauges, each since the executor began: {@code rows} and {@code batches} that were sent to runs, {@code
 * unreadableRows}, {@code runMillis} of all runs together, {@code waitMillis} for which tasks had nothing to do but wait for
 * them, {@code deviceMillis} if {@code spark.clinfer.deviceTime} is true, {@code fallbacks} (nodes that were planned for the
 * CPU because the device does not take them), {@code recoveries} (steps taken after failures of a device).
 */
public final class ClinferPlugin implements SparkPlugin {

    /** A plugin, as Spark makes it. */
    public ClinferPlugin() {}

    @Override
    public @Nullable DriverPlugin driverPlugin() {
        return null;
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            @Override
            public void init(PluginContext context, Map<String, String> extra) {
                ExecutorMetrics.current().register(context.metricRegistry());
            }

            @Override
            public void shutdown() {
                ExecutorModels.close();
            }
        };
    }
}
