package org.clinfer.cli.bench;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.cli.io.JsonText;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.report.HtmlPage;
import org.clinfer.trace.TraceEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
     * @param saved models of another run as {@link SavedBench} reads them, each beside the record of the same file
     * @param deviceNote where the records ran
     * @param speed what the device can do at most; empty without one
     */
    public static void write(
            List<BenchRecord> records, List<JsonNode> saved, String deviceNote, Optional<DeviceSpeed> speed, Writer to)
            throws IOException {
        List<JsonNode> models = new ArrayList<>(saved);
        records.forEach(record -> models.add(JsonText.tree(model(record, speed))));
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("device", deviceNote);
        data.put("peak_gflops", speed.map(DeviceSpeed::gflops).orElse(null));
        data.put("copy_gb_per_s", speed.map(DeviceSpeed::gigabytes).orElse(null));
        data.put("models", models);
        data.put("pairs", pairs(models, saved.size()));
        PAGE.write(data, to);
    }

    /** Each of the models from {@code first} on with the one before that is of the same file, or else the only one. */
    private static List<Map<String, @Nullable Object>> pairs(List<JsonNode> models, int first) {
        List<Integer> free = new ArrayList<>(IntStream.range(0, first).boxed().toList());
        boolean isOneOfEach = first == 1 && models.size() == 2;
        List<Map<String, @Nullable Object>> pairs = new ArrayList<>();
        for (int after = first; after < models.size(); after++) {
            String name = fileName(models.get(after));
            Optional<Integer> before = free.stream()
                    .filter(each -> isOneOfEach || fileName(models.get(each)).equals(name))
                    .findFirst();
            if (before.isPresent()) {
                free.remove(before.get());
                Map<String, @Nullable Object> pair = new LinkedHashMap<>();
                pair.put("before", before.get());
                pair.put("after", after);
                pair.putAll(BenchChanges.of(models.get(before.get()), models.get(after)));
                pairs.add(pair);
            }
        }
        return pairs;
    }

    private static String fileName(JsonNode model) {
        String name = model.get("model").asString();
        return name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    }

    private static Map<String, @Nullable Object> model(BenchRecord record, Optional<DeviceSpeed> speed) {
        Map<String, @Nullable Object> model = BenchText.document(record, speed);
        model.put("peak_gflops", speed.map(DeviceSpeed::gflops).orElse(null));
        model.put("copy_gb_per_s", speed.map(DeviceSpeed::gigabytes).orElse(null));
        List<TraceEvent.Step> run = record.steps().run();
        long start = run.isEmpty() ? 0 : run.get(0).time().startNanos();
        model.put("timeline", timeline(run, start));
        model.put(
                "memory",
                run.stream()
                        .map(step -> Map.of(
                                "us", micros(step.time().startNanos() - start), "bytes", (Object) step.liveBytes()))
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

    private static double micros(long nanos) {
        return nanos / NANOS_PER_MICRO;
    }
}
