import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.clinfer.MemoryUse;
import org.clinfer.PoolStatistics;
import org.clinfer.SessionPool;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;

/**
 * Meters of engines and of pools. As a sink of an engine ({@code EngineOptions.withTrace}) it counts and times runs, plans,
 * builds of kernels, fallbacks to the CPU and recoveries; it wants no steps, so that devices take no times. Thread-safe.
 */
public final class ClinferMetrics implements TraceSink {

    private final MeterRegistry registry;
    private final Map<List<Tag>, AtomicLong> deviceBytes = new ConcurrentHashMap<>();

    public ClinferMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Detail detail() {
        return Detail.RUNS;
    }

    @Override
    public void accept(TraceEvent event) {
        long nanos = event.time().nanos();
        if (event instanceof TraceEvent.Run run) {
            String outcome = run.failure().isEmpty() ? "done" : "failed";
            time("clinfer.runs", Tags.of("network", run.network(), "outcome", outcome), nanos);
        } else if (event instanceof TraceEvent.Plan plan) {
            time("clinfer.plans", Tags.of("network", plan.network()), nanos);
            if (!plan.device().isEmpty()) {
                bytes(plan.network(), plan.device()).set(plan.deviceBytes());
            }
        } else if (event instanceof TraceEvent.Build build) {
            time("clinfer.builds", Tags.of("from", build.isCached() ? "binary" : "source"), nanos);
        } else if (event instanceof TraceEvent.Fallback node) {
            registry.counter("clinfer.fallbacks", Tags.of("network", node.network(), "operator", node.op()))
                    .increment();
        } else if (event instanceof TraceEvent.Recovery recovery) {
            registry.counter("clinfer.recoveries", Tags.of("device", recovery.device()))
                    .increment();
        }
    }

    private void time(String name, Tags tags, long nanos) {
        registry.timer(name, tags).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** The memory of the values of the network's latest plan on the device. */
    private AtomicLong bytes(String network, String device) {
        Tags tags = Tags.of("network", network, "device", device);
        return deviceBytes.computeIfAbsent(
                tags.stream().toList(),
                any -> registry.gauge("clinfer.device.values", tags, new AtomicLong(), AtomicLong::get));
    }

    /**
     * Meters of a pool: its queue, its requests by what became of them, and its runs.
     *
     * @param name tells it from other pools
     * @param pool is not kept by its meters
     */
    public void add(String name, SessionPool pool) {
        Tags tags = Tags.of("pool", name);
        gauge("clinfer.pool.waiting", tags, pool, PoolStatistics::waiting);
        gauge("clinfer.pool.running", tags, pool, PoolStatistics::running);
        requests(pool, tags, "done", PoolStatistics::done);
        requests(pool, tags, "failed", PoolStatistics::failed);
        requests(pool, tags, "refused", PoolStatistics::refused);
        requests(pool, tags, "late", PoolStatistics::late);
        requests(pool, tags, "cancelled", PoolStatistics::cancelled);
        FunctionTimer.builder(
                        "clinfer.pool.wait",
                        pool,
                        each -> taken(each.statistics()),
                        each -> each.statistics().waited().toNanos(),
                        TimeUnit.NANOSECONDS)
                .tags(tags)
                .register(registry);
        FunctionTimer.builder(
                        "clinfer.pool.runs",
                        pool,
                        each -> each.statistics().runs(),
                        each -> each.statistics().ran().toNanos(),
                        TimeUnit.NANOSECONDS)
                .tags(tags)
                .register(registry);
    }

    /** The requests that runs have taken. */
    private static long taken(PoolStatistics counts) {
        return counts.runs() - counts.batches() + counts.batched();
    }

    /**
     * The memory that a network takes once it runs.
     *
     * @param memory as {@code Session.memory} tells it
     */
    public void add(String network, MemoryUse memory) {
        size(network, "device", "weights", memory.deviceWeights());
        size(network, "device", "values", memory.deviceValues());
        size(network, "host", "weights", memory.weights());
        size(network, "host", "values", memory.hostValues());
    }

    private void size(String network, String where, String what, long bytes) {
        Gauge.builder("clinfer.memory", () -> bytes)
                .tags("network", network, "where", where, "what", what)
                .baseUnit("bytes")
                .strongReference(true)
                .register(registry);
    }

    private void requests(SessionPool pool, Tags tags, String outcome, ToLongFunction<PoolStatistics> count) {
        FunctionCounter.builder("clinfer.pool.requests", pool, each -> count.applyAsLong(each.statistics()))
                .tags(tags.and("outcome", outcome))
                .register(registry);
    }

    private void gauge(String name, Tags tags, SessionPool pool, ToDoubleFunction<PoolStatistics> value) {
        Gauge.builder(name, pool, each -> value.applyAsDouble(each.statistics()))
                .tags(tags)
                .register(registry);
    }
}
