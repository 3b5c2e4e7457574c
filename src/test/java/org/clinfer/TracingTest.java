package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.clinfer.errors.InputException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceEvent.StepKind;
import org.clinfer.trace.TraceSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What listeners are told of an engine, on the CPU and on a device. */
class TracingTest {

    private static final Tensor X = TestGraphs.numbers(3, 6, 24);
    private static final EngineOptions CPU = EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());
    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());

    @TempDir
    private Path folder;

    /** Runs a network once on an engine that is not traced: the expected elements. */
    private static float[] expected() {
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            return run(session);
        }
    }

    private static float[] run(Session session) {
        try (Result result = session.run(Map.of("x", X))) {
            return result.get("y").toFloatArray();
        }
    }

    @Test
    void aRunOnTheCpuHasAStepForEachNode() {
        TraceEvents events = new TraceEvents(TraceSink.Detail.STEPS);
        try (Engine engine = Engine.open(CPU.withTrace(events));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            float[] traced = run(session);
            assertThat(traced).isEqualTo(expected());
            TraceEvent.Run run = one(events.of(TraceEvent.Run.class));
            assertThat(run.network()).isEqualTo("net");
            assertThat(run.failure()).isEmpty();
            assertThat(run.device()).isEmpty();
            List<TraceEvent.Step> steps = events.of(TraceEvent.Step.class);
            assertThat(steps).hasSize(run.steps()).allMatch(step -> step.run() == run.number());
            assertThat(steps.stream()
                            .filter(step -> step.kind() == StepKind.CPU)
                            .map(TraceEvent.Step::operators))
                    .containsExactlyElementsOf(session.placement().nodes().stream()
                            .map(Placement.Entry::op)
                            .toList());
            assertThat(steps).allSatisfy(step -> assertThat(step.commands()).isEmpty());
            steps.forEach(step -> assertWithin(step.time(), run.time()));
            assertThat(steps.get(0).multiplyAdds()).hasValue(6 * 24 * 40);
            assertThat(steps.get(0).bytes()).isEqualTo(4 * (6 * 24 + 24 * 40 + 6 * 40));
            TraceEvent.Plan plan = one(events.of(TraceEvent.Plan.class));
            assertThat(plan.onCpu()).isEqualTo(4);
            assertThat(plan.onDevice()).isZero();
            assertWithin(plan.time(), run.time());
            assertThat(events.of(TraceEvent.Fallback.class)).isEmpty();
        }
    }

    private static <T> T one(List<T> list) {
        assertThat(list).hasSize(1);
        return list.get(0);
    }

    private static void assertWithin(TraceEvent.Time inner, TraceEvent.Time outer) {
        assertThat(inner.startNanos()).isGreaterThanOrEqualTo(outer.startNanos());
        assertThat(inner.endNanos()).isLessThanOrEqualTo(outer.endNanos());
        assertThat(inner.nanos()).isNotNegative();
    }

    @Test
    @RequiresOpenCl
    void commandsOfTheDeviceLieWithinTheirRun() {
        TraceEvents events = new TraceEvents(TraceSink.Detail.STEPS);
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = Engine.open(DEVICE.withTrace(events), () -> OpenCl.over(counting.api()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            run(session);
            events.clear();
            for (int i = 0; i < 3; i++) {
                assertThat(run(session)).containsExactly(expected(), org.assertj.core.data.Offset.offset(1e-5f));
            }
            List<TraceEvent.Run> runs = events.of(TraceEvent.Run.class);
            assertThat(runs).hasSize(3);
            Map<Long, TraceEvent.Run> byNumber =
                    runs.stream().collect(Collectors.toMap(TraceEvent.Run::number, run -> run));
            List<TraceEvent.Step> chains = events.of(TraceEvent.Step.class).stream()
                    .filter(step -> step.kind() == StepKind.CHAIN)
                    .toList();
            assertThat(chains).hasSize(3);
            for (TraceEvent.Step chain : chains) {
                TraceEvent.Run run = Objects.requireNonNull(byNumber.get(chain.run()));
                assertThat(chain.work()).extracting(TraceEvent.NodeWork::op).contains("MatMul", "Softmax");
                assertThat(chain.work()).allSatisfy(node -> {
                    assertThat(node.variant()).isNotEmpty();
                    assertThat(node.launches()).isNotEmpty();
                });
                TraceEvent.Command launch = one(chain.commands().stream()
                        .filter(TraceEvent.Command::isKernel)
                        .toList());
                assertWithin(launch.enqueued(), chain.time());
                TraceEvent.Time device = launch.device().orElseThrow();
                assertThat(device.nanos()).isPositive();
                assertWithin(device, run.time());
                assertThat(device.startNanos())
                        .isGreaterThanOrEqualTo(launch.enqueued().startNanos());
                assertThat(run.device().orElseThrow()).isGreaterThanOrEqualTo(device.nanos());
            }
        }
        counting.assertAllReleased();
    }

    @Test
    @RequiresOpenCl
    void aProfileShowsTheNodesOfChainsOneByOne() {
        TraceEvents events = new TraceEvents(TraceSink.Detail.STEPS);
        try (Engine engine = Engine.open(DEVICE.withTrace(events));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            run(session);
            events.clear();
            RunProfile profile = session.profile(Map.of("x", X));
            assertThat(one(events.of(TraceEvent.Run.class)).isOneByOne()).isTrue();
            List<TraceEvent.Step> kernels = events.of(TraceEvent.Step.class).stream()
                    .filter(step -> step.kind() == StepKind.KERNELS)
                    .toList();
            // after a run as usual, which has the time of all kernels
            List<TraceEvent.Step> alone = kernels.subList(kernels.size() - 4, kernels.size());
            assertThat(alone.stream().map(TraceEvent.Step::label))
                    .containsExactlyElementsOf(profile.entries().stream()
                            .filter(entry -> !entry.variant().isEmpty())
                            .map(RunProfile.Entry::node)
                            .toList());
            assertThat(alone).allSatisfy(step -> assertThat(step.deviceNanos()).isPositive());
        }
    }

    @Test
    @RequiresOpenCl
    void whatIsBuiltAndWhatFallsBackIsTold() {
        TraceEvents events = new TraceEvents(TraceSink.Detail.NONE);
        EngineOptions auto = EngineOptions.defaults().withTrace(events);
        try (Engine engine = Engine.open(auto);
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            session.run(Map.of("x", TestGraphs.numbers(1, 1, 5))).close();
            List<TraceEvent.Fallback> fallbacks = events.of(TraceEvent.Fallback.class);
            assertThat(fallbacks)
                    .isNotEmpty()
                    .allSatisfy(node -> assertThat(node.reasons()).isNotEmpty());
            assertThat(fallbacks)
                    .extracting(TraceEvent.Fallback::node)
                    .containsExactlyElementsOf(session.placement().nodes().stream()
                            .map(Placement.Entry::node)
                            .toList());
        }
        events.clear();
        try (Engine engine = Engine.open(DEVICE.withTrace(events));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            run(session);
            assertThat(events.of(TraceEvent.Build.class)).isNotEmpty().allSatisfy(build -> {
                assertThat(build.time().nanos()).isPositive();
                assertThat(build.device())
                        .isEqualTo(engine.device().orElseThrow().name());
                assertThat(build.failure()).isEmpty();
            });
            engine.deviceSpeed();
            assertThat(one(events.of(TraceEvent.Peak.class)).gflops()).isPositive();
        }
        assertThat(events.of(TraceEvent.Run.class)).as("not asked for").isEmpty();
        assertThat(events.of(TraceEvent.Step.class)).as("not asked for").isEmpty();
    }

    @Test
    @RequiresOpenCl
    void recoveriesAreTold() {
        TraceEvents events = new TraceEvents(TraceSink.Detail.STEPS);
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = Engine.open(DEVICE.withTrace(events), () -> OpenCl.over(counting.api()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            run(session);
            counting.fail("clFinish", 1, ClStatus.CL_DEVICE_NOT_AVAILABLE);
            assertThat(run(session)).containsExactly(expected(), org.assertj.core.data.Offset.offset(1e-5f));
            assertThat(one(events.of(TraceEvent.Recovery.class)).step())
                    .isEqualTo(session.recoveries().get(0))
                    .startsWith("opened a new context");
        }
        counting.assertAllReleased();
    }

    @Test
    void aRunThatFailsSaysWhy() {
        TraceEvents events = new TraceEvents(TraceSink.Detail.RUNS);
        try (Engine engine = Engine.open(CPU.withTrace(events));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            assertThatThrownBy(() -> session.run(Map.of())).isInstanceOf(InputException.class);
            run(session);
            List<TraceEvent.Run> runs = events.of(TraceEvent.Run.class);
            assertThat(runs).hasSize(2);
            assertThat(runs.get(0).failure())
                    .hasValueSatisfying(
                            why -> assertThat(why).contains("input 'x'").contains("is missing"));
            assertThat(runs.get(1).failure()).isEmpty();
            assertThat(events.of(TraceEvent.Step.class)).as("not asked for").isEmpty();
        }
    }

    @Test
    void aSinkThatThrowsIsNotAskedAgain() {
        int[] calls = new int[2];
        TraceSink broken = new TraceSink() {
            @Override
            public void accept(TraceEvent event) {
                calls[0]++;
                throw new IllegalStateException("broken");
            }

            @Override
            public void closed() {
                calls[1]++;
            }
        };
        try (Engine engine = Engine.open(CPU.withTrace(broken));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            assertThat(run(session)).isEqualTo(expected());
            assertThat(run(session)).isEqualTo(expected());
        }
        assertThat(calls).containsExactly(1, 1);
    }

    @Test
    void aTraceThatCannotBeWrittenIsNoEngine() {
        Path missing = folder.resolve("missing").resolve("trace.json");
        assertThatThrownBy(() -> Engine.open(CPU.withTrace(missing)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("trace.json")
                .hasMessageContaining("NoSuchFileException");
    }
}
