package org.clinfer.cli.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.PoolOptions;
import org.clinfer.SessionPool;
import org.clinfer.cli.io.JsonText;
import org.clinfer.report.TextTable;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The requests in a second that a model answers to several clients at once: Clinfer by a pool, the other program by one
 * session that all clients use.
 *
 * @param model its file
 * @param runs in flight at most, of the pool
 * @param loads one for each number of clients
 * @param agreement with the outputs of the peer; empty without one
 */
public record ClientLoads(String model, int runs, List<Load> loads, Optional<Agreement> agreement) {

    private static final double NANOS = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    /** The time that one program is asked before it is the other's turn: longer than one alone, until clients are out of step. */
    private static final long BLOCK_NANOS = 2 * Schedule.BLOCK_NANOS;

    /** The answers to so many clients at once. */
    public record Load(int clients, Side own, Optional<Side> peer) {

        /** Own time by request by the peer's, the p10 of blocks in turns: below 1 Clinfer is faster. */
        Optional<Double> ratio() {
            return peer.map(
                    other -> own.byRequest().p10Millis() / other.byRequest().p10Millis());
        }
    }

    /**
     * One program.
     *
     * @param perSecond requests
     * @param processorMillis the time of a request on all processors, which others on the machine do not change much
     * @param latencies the times of the requests
     * @param byRequest the times of blocks, by their requests
     */
    public record Side(double perSecond, double processorMillis, Timings latencies, Timings byRequest) {

        private static Side of(ClientCrew crew) {
            return new Side(
                    crew.requests() * NANOS / crew.nanos(),
                    crew.processorNanos() / NANOS_PER_MILLI / crew.requests(),
                    crew.latencies(),
                    crew.byRequest());
        }
    }

    public ClientLoads {
        loads = List.copyOf(loads);
    }

    /**
     * Measures one model.
     *
     * @param clients numbers of clients
     * @param inputs makes a tensor for each input of a model
     */
    public static ClientLoads of(
            Engine engine,
            Path file,
            List<Integer> clients,
            Schedule schedule,
            Optional<OnnxRuntime> peer,
            Function<Model, Map<String, Tensor>> inputs) {
        try (Model model = engine.load(file);
                SessionPool pool = model.pool(PoolOptions.defaults().withWhenFull(PoolOptions.WhenFull.WAIT))) {
            Map<String, Tensor> tensors = inputs.apply(model);
            Contender own = new PoolContender(pool, tensors);
            if (peer.isEmpty()) {
                return new ClientLoads(
                        file.toString(), pool.runs(), loads(List.of(own), clients, schedule), Optional.empty());
            }
            try (Contender other = peer.get().load(file, tensors)) {
                Agreement agreement = Agreement.of(peer.get(), file, tensors, other.outputs(), own.outputs());
                return new ClientLoads(
                        file.toString(),
                        pool.runs(),
                        loads(List.of(own, other), clients, schedule),
                        Optional.of(agreement));
            }
        }
    }

    private static List<Load> loads(List<Contender> programs, List<Integer> clients, Schedule schedule) {
        return clients.stream().map(count -> load(programs, count, schedule)).toList();
    }

    private static Load load(List<Contender> programs, int clients, Schedule schedule) {
        List<ClientCrew> crews = new ArrayList<>();
        try {
            programs.forEach(program -> crews.add(new ClientCrew(program, clients)));
            crews.forEach(crew -> warmUp(crew, schedule));
            long block = schedule.runs().isPresent() ? 1 : BLOCK_NANOS;
            for (int round = 0; isDue(crews, schedule); round++) {
                for (int turn = 0; turn < crews.size(); turn++) {
                    crews.get(round % 2 == 0 ? turn : crews.size() - 1 - turn).run(block);
                }
            }
            List<Side> sides = crews.stream().map(Side::of).toList();
            return new Load(clients, sides.get(0), sides.stream().skip(1).findFirst());
        } finally {
            crews.forEach(ClientCrew::close);
        }
    }

    private static void warmUp(ClientCrew crew, Schedule schedule) {
        double fastest = Double.MAX_VALUE;
        long improved = 0;
        while (schedule.warmsUp(crew.requests(), crew.nanos(), improved)) {
            crew.run(schedule.warmUps().isPresent() ? 1 : Schedule.BLOCK_NANOS);
            double latest = crew.byRequest().p10Millis();
            if (latest < Measurement.IMPROVEMENT * fastest) {
                improved = crew.nanos();
            }
            fastest = Math.min(fastest, latest);
        }
        crew.begin();
    }

    private static boolean isDue(List<ClientCrew> crews, Schedule schedule) {
        return crews.stream().anyMatch(crew -> schedule.block(crew.requests(), crew.nanos(), 1) > 0);
    }

    /** A table with a row for each model and number of clients. */
    public static List<String> table(List<ClientLoads> measured) {
        TextTable table = new TextTable();
        boolean hasPeer = measured.stream().anyMatch(each -> each.agreement().isPresent());
        List<String> head =
                new ArrayList<>(List.of("model", "runs", "clients", "requests/s", "p50 ms", "p99 ms", "CPU ms"));
        if (hasPeer) {
            head.addAll(
                    List.of("peer requests/s", "peer p50 ms", "peer p99 ms", "peer CPU ms", "ratio p10", "difference"));
        }
        table.row(head.toArray(String[]::new));
        for (ClientLoads each : measured) {
            for (Load load : each.loads()) {
                List<String> row = new ArrayList<>(
                        List.of(each.model(), Integer.toString(each.runs()), Integer.toString(load.clients())));
                row.addAll(cells(load.own()));
                load.peer().ifPresent(peer -> {
                    row.addAll(cells(peer));
                    row.add(format("%.2f", load.ratio().orElseThrow()));
                    row.add(format("%.1e", each.agreement().orElseThrow().difference()));
                });
                table.row(row.toArray(String[]::new));
            }
        }
        return table.lines();
    }

    private static List<String> cells(Side side) {
        return List.of(
                format("%.1f", side.perSecond()),
                format("%.2f", side.latencies().medianMillis()),
                format("%.2f", side.latencies().p99Millis()),
                format("%.2f", side.processorMillis()));
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }

    /** {@code {"cpu_path": "vector", "models": [{"model": …, "clients": [{"clients": 2, "requests_per_s": …}]}]}}. */
    public static String json(List<ClientLoads> measured, String cpuPath) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("cpu_path", cpuPath);
        document.put("models", measured.stream().map(ClientLoads::document).toList());
        return JsonText.of(document);
    }

    private Map<String, @Nullable Object> document() {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("model", model);
        document.put("runs_in_flight", runs);
        document.put("largest_difference", agreement.map(Agreement::difference).orElse(null));
        document.put("peer_own_difference", agreement.flatMap(Agreement::ofPeer).orElse(null));
        document.put("clients", loads.stream().map(ClientLoads::document).toList());
        return document;
    }

    private static Map<String, @Nullable Object> document(Load load) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("clients", load.clients());
        put(row, "", Optional.of(load.own()));
        put(row, "peer_", load.peer());
        row.put("ratio_p10", load.ratio().orElse(null));
        return row;
    }

    private static void put(Map<String, @Nullable Object> row, String prefix, Optional<Side> side) {
        row.put(prefix + "requests_per_s", side.map(Side::perSecond).orElse(null));
        row.put(prefix + "requests", side.map(of -> of.latencies().runs()).orElse(null));
        row.put(prefix + "p50_ms", side.map(of -> of.latencies().medianMillis()).orElse(null));
        row.put(prefix + "p99_ms", side.map(of -> of.latencies().p99Millis()).orElse(null));
        row.put(
                prefix + "processor_ms_per_request",
                side.map(Side::processorMillis).orElse(null));
        row.put(
                prefix + "ms_per_request_p10",
                side.map(of -> of.byRequest().p10Millis()).orElse(null));
    }
}
