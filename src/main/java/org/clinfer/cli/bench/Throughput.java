package org.clinfer.cli.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.cli.io.JsonText;
import org.clinfer.device.DeviceFacts;
import org.clinfer.report.TextTable;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a model in a second, by several sessions at once, on engines that take turns in blocks: usually one on a
 * single device and one on several.
 *
 * @param model its file
 * @param sessions that run at once
 * @param engines in the order given, the first of which is what others are compared with
 */
public record Throughput(String model, int sessions, List<OnEngine> engines) {

    private static final double NANOS = 1e9;

    /** Of one engine. */
    public record OnEngine(List<String> devices, long runs, double perSecond) {}

    public Throughput {
        engines = List.copyOf(engines);
    }

    /**
     * Measures one model.
     *
     * @param schedule of each session
     * @param inputs makes a tensor for each input of a model
     */
    public static Throughput of(
            List<Engine> engines,
            Path file,
            int sessions,
            Schedule schedule,
            Function<Model, Map<String, Tensor>> inputs) {
        List<SessionCrew> crews = new ArrayList<>();
        try {
            for (Engine engine : engines) {
                crews.add(new SessionCrew(engine, file, sessions, inputs));
            }
            measure(crews, schedule);
            return new Throughput(
                    file.toString(),
                    sessions,
                    crews.stream().map(Throughput::measured).toList());
        } finally {
            crews.forEach(SessionCrew::close);
        }
    }

    /** Blocks of as many runs for each, in turns, in an order that is turned around every round. */
    private static void measure(List<SessionCrew> crews, Schedule schedule) {
        long estimate = 1;
        for (SessionCrew crew : crews) {
            long start = System.nanoTime();
            estimate = Math.max(estimate, crew.run(done -> schedule.warmsUp((int) done, System.nanoTime() - start, 0)));
            crew.begin();
        }
        int done = 0;
        for (int block = schedule.block(0, 0, estimate), round = 0; block > 0; round++) {
            int runs = block;
            long slowest = 1;
            for (int turn = 0; turn < crews.size(); turn++) {
                SessionCrew crew = crews.get(round % 2 == 0 ? turn : crews.size() - 1 - turn);
                slowest = Math.max(slowest, crew.run(own -> own < runs));
            }
            done += runs;
            long total = crews.stream().mapToLong(SessionCrew::nanos).max().orElse(0);
            block = schedule.block(done, total, slowest);
        }
    }

    private static OnEngine measured(SessionCrew crew) {
        List<String> names =
                crew.engine().devices().stream().map(DeviceFacts::name).toList();
        return new OnEngine(names.isEmpty() ? List.of("cpu") : names, crew.runs(), crew.runs() * NANOS / crew.nanos());
    }

    /** The runs in a second by those of the first engine. */
    double ratio(OnEngine engine) {
        return engine.perSecond() / engines.get(0).perSecond();
    }

    /** A table with a row for each model and engine, in lines of a width. */
    public static List<String> table(List<Throughput> measured, int width) {
        TextTable table = new TextTable();
        table.row("model", "sessions", "devices", "runs/s", "ratio", "runs");
        for (Throughput each : measured) {
            for (OnEngine engine : each.engines()) {
                table.row(
                        each.model(),
                        Integer.toString(each.sessions()),
                        engine.devices().size() + ": " + String.join(", ", engine.devices()),
                        String.format(Locale.ROOT, "%.1f", engine.perSecond()),
                        String.format(Locale.ROOT, "%.2f", each.ratio(engine)),
                        Long.toString(engine.runs()));
            }
        }
        return table.lines(width);
    }

    /** {@code {"cpu_path": "vector", "models": [{"model": …, "throughput": [{"devices": […], "runs_per_s": …}]}]}}. */
    public static String json(List<Throughput> measured, String cpuPath) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("cpu_path", cpuPath);
        document.put("models", measured.stream().map(Throughput::document).toList());
        return JsonText.of(document);
    }

    private Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("model", model);
        document.put("sessions", sessions);
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (OnEngine engine : engines) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("devices", engine.devices());
            row.put("runs", engine.runs());
            row.put("runs_per_s", engine.perSecond());
            row.put("ratio", ratio(engine));
            rows.add(row);
        }
        document.put("throughput", rows);
        return document;
    }
}
