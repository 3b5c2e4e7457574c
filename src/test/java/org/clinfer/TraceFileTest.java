package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.Tensor;
import org.clinfer.trace.TraceFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A trace as a viewer reads it. */
class TraceFileTest {

    private static final Tensor X = TestGraphs.numbers(3, 6, 24);

    /** So many bytes that one may begin behind another on any device. */
    private static final Tensor ALIGNED = TestGraphs.numbers(3, 32, 32);

    @TempDir
    private Path folder;

    private static List<JsonNode> events(Path file) throws IOException {
        JsonNode document = new JsonMapper().readTree(Files.readAllBytes(file));
        assertThat(document.get("displayTimeUnit").asString()).isEqualTo("ns");
        assertThat(document.at("/otherData/chains").asString()).contains("one launch");
        List<JsonNode> events = new ArrayList<>();
        document.get("traceEvents").forEach(events::add);
        return events;
    }

    private static List<JsonNode> of(List<JsonNode> events, String phase, String category) {
        return events.stream()
                .filter(event -> event.get("ph").asString().equals(phase)
                        && event.path("cat").asString("").equals(category))
                .toList();
    }

    private static JsonNode chainOnDevice(List<JsonNode> events) {
        return of(events, "X", "chain").stream()
                .filter(event -> event.get("pid").asInt() > 1)
                .findFirst()
                .orElseThrow();
    }

    private static double start(JsonNode event) {
        return event.get("ts").asDouble();
    }

    private static double end(JsonNode event) {
        return start(event) + event.get("dur").asDouble();
    }

    private static List<String> track(JsonNode event) {
        return List.of(event.get("pid").asString(), event.get("tid").asString());
    }

    private Path traced(DeviceChoice device) {
        Path file = folder.resolve("trace.json");
        try (Engine engine =
                        Engine.open(EngineOptions.defaults().withDevice(device).withTrace(file));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            engine.deviceSpeed();
            session.run(Map.of("x", X)).close();
            session.run(Map.of("x", X)).close();
            session.profile(Map.of("x", X));
        }
        return file;
    }

    @Test
    @RequiresOpenCl
    void kernelsHaveTheirNodeTheirFiguresAndTheirReasons() throws IOException {
        List<JsonNode> events = events(traced(new DeviceChoice.FirstOpenCl()));
        List<JsonNode> alone = of(events, "X", "kernels");
        JsonNode product = alone.stream()
                .filter(event -> event.at("/args/op").asString("").equals("MatMul")
                        && event.get("pid").asInt() > 1)
                .findFirst()
                .orElseThrow();
        JsonNode arguments = product.get("args");
        double nanos = 1e3 * product.get("dur").asDouble();
        assertThat(arguments.get("multiply_adds").asLong()).isEqualTo(6 * 24 * 40);
        if (!arguments.has("kernels_of_node")) {
            assertThat(arguments.get("gflops").asDouble())
                    .isCloseTo(2.0 * 6 * 24 * 40 / nanos, org.assertj.core.data.Percentage.withPercentage(1));
        }
        assertThat(arguments.get("share_of_peak_gflops").asDouble()).isBetween(0.0, 1.5);
        assertThat(arguments.get("gb_per_s").asDouble()).isPositive();
        assertThat(arguments.get("variant").asString()).isNotEmpty();
        assertThat(arguments.get("why").asString()).isNotEmpty();
        assertThat(arguments.get("work_size").get(0).asString()).contains("[");
        assertThat(alone.stream().filter(event -> event.get("pid").asInt() > 1).map(event -> event.at("/args/refused")))
                .as("why not the faster ones")
                .anyMatch(refused -> !refused.isEmpty());
        JsonNode chain = chainOnDevice(events);
        assertThat(chain.get("name").asString()).isEqualTo("chain of 3 nodes");
        assertThat(chain.at("/args/nodes"))
                .hasSize(3)
                .allSatisfy(node -> assertThat(node.get("variant").asString()).isNotEmpty());
    }

    /** Also of the nodes of a chain, of which only the whole has a time. */
    @Test
    @RequiresOpenCl
    void everyKernelHasItsShareAndSaysWhyThisVariant() throws IOException {
        List<JsonNode> events = events(traced(new DeviceChoice.FirstOpenCl()));
        int chains = 0;
        int alone = 0;
        for (JsonNode event : events) {
            JsonNode arguments = event.path("args");
            if (event.get("pid").asInt() == 1 || !arguments.has("command")) {
                continue;
            }
            assertThat(arguments.get("gb_per_s").asDouble()).isPositive();
            if (event.get("cat").asString().equals("transfer")) {
                continue;
            }
            assertThat(arguments.get("share_of_peak_gb_per_s").asDouble()).isPositive();
            if (arguments.has("nodes")) {
                chains++;
                arguments.get("nodes").forEach(TraceFileTest::assertExplained);
            } else {
                alone++;
                assertExplained(arguments);
            }
        }
        assertThat(chains).isPositive();
        assertThat(alone).isPositive();
    }

    private static void assertExplained(JsonNode node) {
        assertThat(node.get("variant").asString()).isNotEmpty();
        String form = node.has("runs_as")
                ? node.get("runs_as").asString()
                : node.get("op").asString();
        assertThat(node.get("why").asString())
                .isEqualTo("the first of the kernels for " + form
                        + (node.get("refused").isEmpty() ? "" : " that takes the node"));
        assertThat(node.get("refused"))
                .allSatisfy(reason -> assertThat(reason.asString()).contains(": "));
        assertThat(node.get("work_size")).isNotEmpty();
        assertThat(node.has("multiply_adds")).isTrue();
    }

    @Test
    @RequiresOpenCl
    void arrowsLeadFromTheCallToTheCommand() throws IOException {
        List<JsonNode> events = events(traced(new DeviceChoice.FirstOpenCl()));
        Set<List<Object>> slices = new HashSet<>();
        for (JsonNode event : events) {
            if (event.get("ph").asString().equals("X")) {
                assertThat(event.get("dur").asDouble()).isNotNegative();
                slices.add(List.of(track(event), start(event)));
            }
        }
        List<JsonNode> begins = of(events, "s", "queue");
        List<JsonNode> ends = of(events, "f", "queue");
        assertThat(begins).isNotEmpty().hasSameSizeAs(ends);
        for (int i = 0; i < begins.size(); i++) {
            assertThat(begins.get(i).get("id")).isEqualTo(ends.get(i).get("id"));
            assertThat(slices).contains(List.of(track(begins.get(i)), start(begins.get(i))));
            assertThat(slices).contains(List.of(track(ends.get(i)), start(ends.get(i))));
            assertThat(start(begins.get(i))).isLessThanOrEqualTo(start(ends.get(i)));
        }
        List<Integer> queued = of(events, "C", "queue").stream()
                .map(event -> event.get("args").iterator().next().asInt())
                .toList();
        assertThat(queued).contains(1).allMatch(count -> count >= 0);
        assertThat(queued.get(queued.size() - 1)).isZero();
    }

    /** Slices of one track are inside one another or apart. */
    @Test
    @RequiresOpenCl
    void slicesOfATrackDoNotCross() throws IOException {
        List<JsonNode> slices = events(traced(new DeviceChoice.FirstOpenCl())).stream()
                .filter(event -> event.get("ph").asString().equals("X"))
                .toList();
        double unit = 0.01; // µs: times have three decimals
        for (JsonNode one : slices) {
            for (JsonNode other : slices) {
                boolean crosses = track(one).equals(track(other))
                        && start(one) < start(other) - unit
                        && start(other) < end(one) - unit
                        && end(other) > end(one) + unit;
                assertThat(crosses).as("%s and %s", one, other).isFalse();
            }
        }
    }

    /** A run of a Concat whose inputs lie in its output already. */
    private Path tracedConcat(DeviceChoice device) {
        Graph joined = new GraphBuilder("joined", new SourceRef("joined", ""))
                .input("x", ALIGNED.type())
                .node("Sigmoid", List.of("x"), List.of("a"), Map.of())
                .node("Tanh", List.of("x"), List.of("b"), Map.of())
                .node("Concat", List.of("a", "b"), List.of("both"), Map.of("axis", Attribute.of(0)))
                .node("Exp", List.of("both"), List.of("y"), Map.of())
                .output("y")
                .build();
        Path file = folder.resolve("trace.json");
        try (Engine engine =
                        Engine.open(EngineOptions.defaults().withDevice(device).withTrace(file));
                Model model = engine.load(joined);
                Session session = model.session()) {
            session.run(Map.of("x", ALIGNED)).close();
        }
        return file;
    }

    @Test
    void whatMovesNothingHasNoRate() throws IOException {
        List<JsonNode> nodes = of(events(tracedConcat(new DeviceChoice.Cpu())), "X", "cpu");
        assertThat(nodes).hasSize(4).allSatisfy(node -> {
            JsonNode arguments = node.get("args");
            boolean moves = !arguments.get("op").asString().equals("Concat");
            assertThat(arguments.get("bytes").asLong() > 0).isEqualTo(moves);
            assertThat(arguments.has("gb_per_s")).isEqualTo(moves);
        });
    }

    @Test
    @RequiresOpenCl
    void whatMovesNothingAddsNoBytesToItsChain() throws IOException {
        JsonNode chain = chainOnDevice(events(tracedConcat(new DeviceChoice.FirstOpenCl())));
        // Sigmoid and Tanh read and write one tensor each, Exp two.
        assertThat(chain.at("/args/bytes").asLong())
                .isEqualTo(8 * ALIGNED.type().bytes());
    }

    @Test
    void theCpuHasNoDeviceTracks() throws IOException {
        List<JsonNode> events = events(traced(new DeviceChoice.Cpu()));
        assertThat(events)
                .allSatisfy(event -> assertThat(event.get("pid").asInt()).isEqualTo(1));
        List<JsonNode> nodes = of(events, "X", "cpu");
        assertThat(nodes).hasSize(16);
        assertThat(nodes.get(0).at("/args/gflops").asDouble()).isPositive();
        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.at("/args/why_on_the_cpu/0").asString())
                        .isEqualTo("no node of this plan runs on a device"));
        assertThat(of(events, "X", "run"))
                .hasSize(3)
                .allSatisfy(run -> assertThat(run.get("name").asString()).isEqualTo("run net"));
        assertThat(events.stream().filter(event -> event.get("name").asString().equals("thread_name")))
                .hasSize(1);
    }

    @Test
    void aFileOfTwoEnginesIsCompleteWithTheSecond() throws IOException {
        TraceFile file = new TraceFile(folder.resolve("both.json"));
        EngineOptions options =
                EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withTrace(file);
        try (Engine first = Engine.open(options)) {
            try (Engine second = Engine.open(options);
                    Model model = second.load(TestGraphs.products());
                    Session session = model.session()) {
                session.run(Map.of("x", X)).close();
            }
            try (Model model = first.load(TestGraphs.products());
                    Session session = model.session()) {
                session.run(Map.of("x", X)).close();
            }
        }
        assertThat(of(events(file.path()), "X", "run")).hasSize(2);
    }
}
