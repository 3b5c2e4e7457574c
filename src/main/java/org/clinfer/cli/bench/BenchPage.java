package org.clinfer.cli.bench;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.report.HtmlPage;
import org.clinfer.trace.TraceEvent;
import org.jspecify.annotations.Nullable;

/** Measurements as one page: bars by operator, the timeline of a run, a roofline and the memory, models side by side. */
public final class BenchPage {

    private static final HtmlPage PAGE =
            new HtmlPage(BenchPage.class, "bench.html", "bench.css", List.of("chart.js", "views.js", "bench.js"));

    private static final double NANOS_PER_MICRO = 1e3;

    private BenchPage() {}

    /**
     * Writes the page.
     *
     * @param records measured with their steps
     * @param deviceNote where they ran
     * @param speed what the device can do at most; empty without one
     */
    public static void write(List<BenchRecord> records, String deviceNote, Optional<DeviceSpeed> speed, Writer to)
            throws IOException {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("device", deviceNote);
        data.put("peak_gflops", speed.map(DeviceSpeed::gflops).orElse(null));
        data.put("peak_gb_per_s", speed.map(DeviceSpeed::gigabytes).orElse(null));
        data.put("models", records.stream().map(BenchPage::model).toList());
        PAGE.write(data, to);
    }

    private static Map<String, @Nullable Object> model(BenchRecord record) {
        Map<String, @Nullable Object> model = new LinkedHashMap<>();
        model.put("name", record.model());
        model.put("median_ms", record.own().timings().medianMillis());
        model.put("runs", record.own().timings().runs());
        model.put("operators", record.operators().map(OperatorTimes::document).orElseThrow());
        List<TraceEvent.Step> run = record.steps().run();
        long start = run.isEmpty() ? 0 : run.get(0).time().startNanos();
        model.put("timeline", timeline(run, start));
        model.put(
                "memory",
                run.stream()
                        .map(step -> Map.of(
                                "us", micros(step.time().startNanos() - start), "bytes", (Object) step.liveBytes()))
                        .toList());
        model.put(
                "points",
                record.steps().oneByOne().stream()
                        .filter(step -> step.work().size() == 1 && nanos(step) > 0 && step.bytes() > 0)
                        .map(BenchPage::point)
                        .toList());
        return model;
    }

    private static List<Map<String, Object>> timeline(List<TraceEvent.Step> run, long start) {
        List<Map<String, Object>> slices = new ArrayList<>();
        for (TraceEvent.Step step : run) {
            slices.add(slice("host", step.operators() + " " + step.label(), step.time(), start));
            for (TraceEvent.Command command : step.commands()) {
                command.device()
                        .ifPresent(time -> slices.add(slice(
                                command.isKernel() ? "kernels" : "transfers",
                                command.name() + ": " + step.label(),
                                time,
                                start)));
            }
        }
        return slices;
    }

    private static Map<String, Object> slice(String track, String name, TraceEvent.Time time, long start) {
        Map<String, Object> slice = new LinkedHashMap<>();
        slice.put("track", track);
        slice.put("name", name);
        slice.put("us", micros(time.startNanos() - start));
        slice.put("dur", micros(time.nanos()));
        return slice;
    }

    /** A node on the roofline: those without operations worth counting have bandwidth alone. */
    private static Map<String, Object> point(TraceEvent.Step step) {
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("name", step.label());
        point.put("op", step.operators());
        point.put("variant", step.variants());
        point.put("us", micros(nanos(step)));
        point.put("flops", 2 * step.multiplyAdds().orElse(0));
        point.put("bytes", step.bytes());
        return point;
    }

    private static long nanos(TraceEvent.Step step) {
        return step.kind() == TraceEvent.StepKind.CPU ? step.time().nanos() : step.deviceNanos();
    }

    private static double micros(long nanos) {
        return nanos / NANOS_PER_MICRO;
    }
}
