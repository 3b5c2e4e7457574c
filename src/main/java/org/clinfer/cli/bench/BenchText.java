package org.clinfer.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.clinfer.Precision;
import org.clinfer.cli.io.JsonText;
import org.clinfer.device.CommandCounts;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.report.TextTable;
import org.clinfer.report.WrappedText;
import org.clinfer.text.Printable;
import org.clinfer.trace.TraceEvent;
import org.jspecify.annotations.Nullable;

/** Measurements as a table for people and as JSON for programs. */
public final class BenchText {

    private static final double BYTES_OF_MEBI = 1 << 20;
    private static final double NANOS_PER_MICRO = 1e3;

    private BenchText() {}

    /**
     * Lines on where it ran, how the CPU computes floats, in which precision, and what the device can do, then a table: one row per model.
     *
     * @param speed of the device; empty where there is none
     * @param width of the lines, in characters
     */
    public static List<String> table(
            List<BenchRecord> records,
            String deviceNote,
            String cpuPath,
            Precision precision,
            Optional<DeviceSpeed> speed,
            int width) {
        Optional<BenchRecord.Peer> peer =
                records.stream().flatMap(record -> record.peer().stream()).findFirst();
        List<String> lines = new ArrayList<>();
        lines.add("device: " + deviceNote + "; CPU path: " + cpuPath + "; precision: " + precision.word());
        speed.ifPresent(most -> lines.add("peak GFLOP/s: " + format("%.0f", most.gflops()) + " (float32); copies: "
                + format("%.1f", most.gigabytes()) + " GB/s; share: GFLOP/s by the peak"));
        peer.ifPresent(other -> lines.add("peer: " + other.name() + " " + other.version() + ", "
                + records.get(0).threads() + " threads; ratio: own p10 by the peer's"));
        TextTable table = new TextTable();
        List<String> head = new ArrayList<>(
                List.of("model", "median ms", "p10 ms", "p90 ms", "GFLOP/s", "memory MiB", "first result ms", "runs"));
        if (speed.isPresent()) {
            head.add(head.indexOf("memory MiB"), "share");
        }
        boolean launches = records.stream().anyMatch(BenchText::hasLaunches);
        if (launches) {
            head.addAll(head.indexOf("memory MiB"), List.of("launches", "us/launch"));
        }
        if (peer.isPresent()) {
            head.addAll(List.of("peer median ms", "peer p10 ms", "peer first ms", "ratio p10", "difference"));
        }
        table.row(head.toArray(String[]::new));
        records.forEach(record -> table.row(row(record, speed, launches).toArray(String[]::new)));
        lines.addAll(table.lines(width));
        records.forEach(record -> record.operators().ifPresent(times -> {
            lines.add("");
            lines.add(record.model() + " by operator:");
            lines.addAll(times.lines(width));
            record.launchMicrosBeyondKernels().ifPresent(micros -> lines.add(launchLine(record, micros)));
        }));
        return lines.stream()
                .flatMap(line -> WrappedText.lines(Printable.of(line), width).stream())
                .toList();
    }

    private static boolean hasLaunches(BenchRecord record) {
        return record.commands().launches() > 0;
    }

    private static String launchLine(BenchRecord record, double micros) {
        CommandCounts commands = record.commands();
        return "  launches " + commands.launches() + ", transfers " + commands.transfers() + ", waits "
                + commands.waits() + format(": beyond the kernels %.1f us a launch", micros);
    }

    private static List<String> row(BenchRecord record, Optional<DeviceSpeed> speed, boolean launches) {
        Timings timings = record.own().timings();
        List<String> row = new ArrayList<>(List.of(
                record.model(),
                millis(timings.medianMillis()),
                millis(timings.p10Millis()),
                millis(timings.p90Millis()),
                record.gflops().map(value -> format("%.1f", value)).orElse("?")));
        if (speed.isPresent()) {
            row.add(record.share(speed).map(value -> format("%.2f", value)).orElse("?"));
        }
        if (launches) {
            row.add(Long.toString(record.commands().launches()));
            row.add(record.launchMicros().map(value -> format("%.1f", value)).orElse(""));
        }
        row.add(format("%.1f", record.memoryBytes() / BYTES_OF_MEBI));
        row.add(format("%.0f", record.own().firstResultMillis()));
        row.add(Integer.toString(timings.runs()));
        record.peer().ifPresent(peer -> {
            row.add(millis(peer.side().timings().medianMillis()));
            row.add(millis(peer.side().timings().p10Millis()));
            row.add(format("%.0f", peer.side().firstResultMillis()));
            row.add(record.ratio().map(value -> format("%.2f", value)).orElse("?"));
            row.add(format("%.1e", peer.agreement().difference()));
        });
        return row;
    }

    private static String millis(double value) {
        return format(value < 10 ? "%.3f" : "%.1f", value);
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }

    /** {@code {"cpu_path": "vector", "precision": "float32", "models": [...]}}, with null for what was not measured or cannot be told. */
    public static String json(
            List<BenchRecord> records, String cpuPath, Precision precision, Optional<DeviceSpeed> speed) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("cpu_path", cpuPath);
        document.put("precision", precision.word());
        document.put("peak_gflops", speed.map(DeviceSpeed::gflops).orElse(null));
        document.put("copy_gb_per_s", speed.map(DeviceSpeed::gigabytes).orElse(null));
        document.put(
                "models",
                records.stream().map(record -> document(record, speed)).toList());
        return JsonText.of(document);
    }

    /** For programs. */
    static Map<String, @Nullable Object> document(BenchRecord record, Optional<DeviceSpeed> speed) {
        Timings timings = record.own().timings();
        OptionalLong multiplyAdds = record.multiplyAdds();
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("model", record.model());
        document.put("device", record.device());
        document.put("threads", record.threads());
        document.put("runs", timings.runs());
        document.put("median_ms", timings.medianMillis());
        document.put("p10_ms", timings.p10Millis());
        document.put("p90_ms", timings.p90Millis());
        document.put("multiply_adds", multiplyAdds.isPresent() ? multiplyAdds.getAsLong() : null);
        document.put("gflops", record.gflops().orElse(null));
        document.put("share", record.share(speed).orElse(null));
        document.put("weight_bytes", record.memory().weights());
        document.put("device_weight_bytes", record.memory().deviceWeights());
        document.put("device_value_bytes", record.memory().deviceValues());
        document.put("host_value_bytes", record.memory().hostValues());
        document.put("launches", record.commands().launches());
        document.put("transfers", record.commands().transfers());
        document.put("waits", record.commands().waits());
        document.put("us_per_launch", record.launchMicros().orElse(null));
        document.put(
                "us_per_launch_beyond_kernels",
                record.launchMicrosBeyondKernels().orElse(null));
        document.put("first_result_ms", record.own().firstResultMillis());
        Optional<BenchRecord.Peer> peer = record.peer();
        document.put("peer", peer.map(BenchRecord.Peer::name).orElse(null));
        document.put("peer_version", peer.map(BenchRecord.Peer::version).orElse(null));
        document.put("peer_median_ms", ofPeer(peer, side -> side.timings().medianMillis()));
        document.put("peer_p10_ms", ofPeer(peer, side -> side.timings().p10Millis()));
        document.put("peer_p90_ms", ofPeer(peer, side -> side.timings().p90Millis()));
        document.put("peer_first_result_ms", ofPeer(peer, BenchRecord.Side::firstResultMillis));
        document.put("ratio_p10", record.ratio().orElse(null));
        document.put(
                "largest_difference",
                peer.map(each -> each.agreement().difference()).orElse(null));
        document.put(
                "peer_own_difference",
                peer.flatMap(each -> each.agreement().ofPeer()).orElse(null));
        document.put(
                "operators", record.operators().map(OperatorTimes::document).orElse(null));
        document.put("run_ms", record.operators().map(OperatorTimes::runMillis).orElse(null));
        document.put(
                "kernels_ms",
                record.operators().map(OperatorTimes::kernelMillis).orElse(null));
        document.put("nodes", record.steps().oneByOne().isEmpty() ? null : nodes(record));
        return document;
    }

    /** Each node by itself. */
    private static List<Map<String, Object>> nodes(BenchRecord record) {
        return record.steps().oneByOne().stream()
                .filter(step -> step.work().size() == 1)
                .map(step -> {
                    long nanos =
                            step.kind() == TraceEvent.StepKind.CPU ? step.time().nanos() : step.deviceNanos();
                    Map<String, Object> node = new LinkedHashMap<>();
                    node.put("node", step.label());
                    node.put("op", step.operators());
                    node.put("variant", step.variants());
                    node.put("us", nanos / NANOS_PER_MICRO);
                    node.put("multiply_adds", step.multiplyAdds().orElse(0));
                    node.put("bytes", step.bytes());
                    return node;
                })
                .toList();
    }

    private static @Nullable Double ofPeer(Optional<BenchRecord.Peer> peer, Function<BenchRecord.Side, Double> value) {
        return peer.map(other -> value.apply(other.side())).orElse(null);
    }
}
