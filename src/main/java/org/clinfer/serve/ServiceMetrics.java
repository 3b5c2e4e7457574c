package org.clinfer.serve;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.clinfer.Engine;
import org.clinfer.PoolStatistics;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;

/** The metrics of a service for Prometheus, by model and version. Thread-safe. */
public final class ServiceMetrics implements AutoCloseable {

    private static final double NANOS = 1e9;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** The meters of each version that is loaded; guarded by this object. */
    private final Map<String, Bound> bound = new HashMap<>();

    private record Bound(LoadedVersion version, List<Meter> meters) {}

    /** The metrics as text, in the exposition format of Prometheus 0.0.4. */
    public String scrape() {
        return registry.scrape();
    }

    /** Told of what engines do; counts their recoveries from failures of devices. */
    TraceSink recoveries() {
        Counter counter = Counter.builder("clinfer.recoveries")
                .description("Steps taken after failures of devices")
                .register(registry);
        return new TraceSink() {
            @Override
            public Detail detail() {
                return Detail.NONE;
            }

            @Override
            public void accept(TraceEvent event) {
                if (event instanceof TraceEvent.Recovery) {
                    counter.increment();
                }
            }
        };
    }

    /** Adds the gauges that are there without any model. */
    void watch(RepositoryService service, Engine engine) {
        Gauge.builder("clinfer.live", service, each -> each.live() ? 1 : 0)
                .description("0 once the device is lost for good")
                .register(registry);
        Gauge.builder("clinfer.ready", service, each -> each.ready() ? 1 : 0)
                .description("1 when every model that is to be loaded is ready")
                .register(registry);
        Gauge.builder("clinfer.memory.held", engine, Engine::memoryHeld)
                .baseUnit("bytes")
                .description("Memory of models and sessions, on the host and on devices")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
    }

    /** Shows a version, in the place of another of the same number. */
    synchronized void bind(LoadedVersion version) {
        Bound old = bound.remove(key(version));
        if (old != null) {
            // the times of requests go on
            old.meters().stream().filter(meter -> !(meter instanceof Timer)).forEach(registry::remove);
        }
        List<Meter> meters = new ArrayList<>();
        Tags tags = Tags.of("model", version.name(), "version", version.version());
        outcomes(version, tags, meters);
        counter("clinfer.rows", "Rows of requests that succeeded", version, tags, meters, each ->
                (double) each.statistics().inferences());
        pool(
                "clinfer.runs",
                "Runs of the network that have ended with outputs",
                version,
                tags,
                meters,
                PoolStatistics::runs);
        pool("clinfer.joined.requests", "Requests that shared a run", version, tags, meters, PoolStatistics::batched);
        pool(
                "clinfer.queue.seconds",
                "Waits of requests before these runs",
                version,
                tags,
                meters,
                counts -> counts.waited().toNanos() / NANOS);
        pool(
                "clinfer.run.seconds",
                "Time of these runs",
                version,
                tags,
                meters,
                counts -> counts.ran().toNanos() / NANOS);
        gauge(
                "clinfer.waiting",
                "Requests that wait for a run",
                version,
                tags,
                meters,
                each -> each.counts().pools().waiting());
        gauge(
                "clinfer.running",
                "Requests whose runs go on",
                version,
                tags,
                meters,
                each -> each.counts().pools().running());
        gauge("clinfer.instances", "Runs in flight at most", version, tags, meters, LoadedVersion::instances);
        Tags device = tags.and("place", "device");
        gauge(
                "clinfer.nodes",
                "Nodes by where they run",
                version,
                device,
                meters,
                each -> each.warmUp().onDevice());
        gauge(
                "clinfer.nodes",
                "Nodes by where they run",
                version,
                tags.and("place", "cpu"),
                meters,
                each -> each.warmUp().onProcessor());
        meters.add(latency(version, tags));
        bound.put(key(version), new Bound(version, meters));
    }

    private Timer latency(LoadedVersion version, Tags tags) {
        Timer timer = Timer.builder("clinfer.request.duration")
                .description("Requests that succeeded, from their arrival to their answer")
                .tags(tags)
                .serviceLevelObjectives(LoadHistory.objectives())
                .register(registry);
        version.counts().onSuccess(nanos -> timer.record(Duration.ofNanos(nanos)));
        return timer;
    }

    private void outcomes(LoadedVersion version, Tags tags, List<Meter> meters) {
        for (VersionCounts.Outcome outcome : VersionCounts.Outcome.values()) {
            counter(
                    "clinfer.requests",
                    "Requests by how they ended",
                    version,
                    tags.and("outcome", outcome.label()),
                    meters,
                    each -> (double) each.counts().requests(outcome));
        }
    }

    private void pool(
            String name,
            String description,
            LoadedVersion version,
            Tags tags,
            List<Meter> meters,
            ToDoubleFunction<PoolStatistics> count) {
        counter(
                name,
                description,
                version,
                tags,
                meters,
                each -> count.applyAsDouble(each.counts().pools()));
    }

    private void counter(
            String name,
            String description,
            LoadedVersion version,
            Tags tags,
            List<Meter> meters,
            ToDoubleFunction<LoadedVersion> count) {
        meters.add(FunctionCounter.builder(name, version, count)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private void gauge(
            String name,
            String description,
            LoadedVersion version,
            Tags tags,
            List<Meter> meters,
            ToDoubleFunction<LoadedVersion> value) {
        meters.add(Gauge.builder(name, version, value)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    /** Does not show a version any more, if no other has taken its place. */
    synchronized void forget(LoadedVersion version) {
        Bound current = bound.get(key(version));
        if (current != null && current.version() == version) {
            bound.remove(key(version));
            current.meters().forEach(registry::remove);
        }
    }

    private static String key(LoadedVersion version) {
        return version.name() + "/" + version.version();
    }

    @Override
    public void close() {
        registry.close();
    }
}
