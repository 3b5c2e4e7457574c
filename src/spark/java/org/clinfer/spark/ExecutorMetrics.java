package org.clinfer.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.spark.SparkEnv;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;

/** Counts of what this executor has done, since it began. */
final class ExecutorMetrics {

    /** The setting that has the device take the time of each command, which makes runs a little slower. */
    static final String DEVICE_TIME = "spark.clinfer.deviceTime";

    private static final ExecutorMetrics CURRENT = new ExecutorMetrics();

    private final LongAdder rows = new LongAdder();
    private final LongAdder unreadable = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder waitedNanos = new LongAdder();
    private final LongAdder ranNanos = new LongAdder();
    private final LongAdder deviceNanos = new LongAdder();
    private final LongAdder fallbacks = new LongAdder();
    private final LongAdder recoveries = new LongAdder();

    private ExecutorMetrics() {}

    static ExecutorMetrics current() {
        return CURRENT;
    }

    void batch(int size) {
        batches.increment();
        rows.add(size);
    }

    void unreadableRow() {
        unreadable.increment();
    }

    /** A task had nothing to do but wait for a run for this time. */
    void waited(long nanos) {
        waitedNanos.add(nanos);
    }

    /** {@return rows that were sent to runs} */
    long rows() {
        return rows.sum();
    }

    /** {@return runs that rows were sent to} */
    long batches() {
        return batches.sum();
    }

    private Map<String, LongSupplier> counts() {
        return Map.of(
                "rows", rows::sum,
                "unreadableRows", unreadable::sum,
                "batches", batches::sum,
                "waitMillis", () -> waitedNanos.sum() / 1_000_000,
                "runMillis", () -> ranNanos.sum() / 1_000_000,
                "deviceMillis", () -> deviceNanos.sum() / 1_000_000,
                "fallbacks", fallbacks::sum,
                "recoveries", recoveries::sum);
    }

    void register(MetricRegistry registry) {
        counts().forEach((name, count) -> registry.register(name, (Gauge<Long>) count::getAsLong));
    }

    /** {@return the sink that counts what engines do} */
    TraceSink sink() {
        SparkEnv environment = SparkEnv.get();
        boolean timed = environment != null && environment.conf().getBoolean(DEVICE_TIME, false);
        return new TraceSink() {
            @Override
            public Detail detail() {
                return timed ? Detail.STEPS : Detail.RUNS;
            }

            @Override
            public void accept(TraceEvent event) {
                if (event instanceof TraceEvent.Run run) {
                    ranNanos.add(run.time().nanos());
                    run.device().ifPresent(deviceNanos::add);
                } else if (event instanceof TraceEvent.Fallback) {
                    fallbacks.increment();
                } else if (event instanceof TraceEvent.Recovery) {
                    recoveries.increment();
                }
            }
        };
    }
}
