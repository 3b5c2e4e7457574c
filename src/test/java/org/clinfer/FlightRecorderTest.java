package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of the Flight Recorder, as its files have them. */
class FlightRecorderTest {

    private static final Tensor X = TestGraphs.numbers(3, 6, 24);

    @TempDir
    private Path folder;

    /** The events of ours while something was done. */
    private List<RecordedEvent> recorded(boolean steps, Runnable work) throws IOException {
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            if (steps) {
                recording.enable("org.clinfer.Step");
                recording.enable("org.clinfer.Transfer");
            }
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("org.clinfer."))
                .toList();
    }

    private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("org.clinfer." + name))
                .toList();
    }

    private static void runTwice(EngineOptions options) {
        try (Engine engine = Engine.open(options);
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            session.run(Map.of("x", X)).close();
            session.run(Map.of("x", X)).close();
        }
    }

    @Test
    void runsAndPlansAreRecorded() throws IOException {
        List<RecordedEvent> events =
                recorded(false, () -> runTwice(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu())));
        assertThat(of(events, "Run")).hasSize(2).allSatisfy(run -> {
            assertThat(run.getString("network")).isEqualTo("net");
            assertThat(run.getDuration("time")).isPositive();
            assertThat(run.getString("failure")).isNull();
        });
        assertThat(of(events, "Plan")).singleElement().satisfies(plan -> {
            assertThat(plan.getString("inputs")).startsWith("x=");
            assertThat(plan.getInt("nodesOnCpu")).isEqualTo(4);
        });
        assertThat(of(events, "Step")).as("not enabled").isEmpty();
    }

    @Test
    @RequiresOpenCl
    void stepsHaveTimesOfTheDevice() throws IOException {
        EngineOptions device = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        List<RecordedEvent> events = recorded(true, () -> runTwice(device));
        assertThat(of(events, "Run"))
                .hasSize(2)
                .allSatisfy(run -> assertThat(run.getDuration("deviceTime")).isPositive());
        assertThat(of(events, "Build")).isNotEmpty();
        assertThat(of(events, "Transfer"))
                .extracting(event -> event.getString("kind"))
                .contains("results");
        assertThat(of(events, "Step")).isNotEmpty().allSatisfy(step -> {
            assertThat(step.getString("operators")).containsAnyOf("MatMul", "Softmax");
            assertThat(step.getString("variants")).isNotEmpty();
            assertThat(step.getDuration("deviceTime")).isPositive();
        });
    }

    @Test
    @RequiresOpenCl
    void fallbacksAndRecoveriesAreRecorded() throws IOException {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        List<RecordedEvent> events = recorded(false, () -> {
            try (Engine engine = Engine.open(EngineOptions.defaults());
                    Model model = engine.load(TestGraphs.rectifier(5));
                    Session session = model.session()) {
                session.run(Map.of("x", TestGraphs.numbers(1, 1, 5))).close();
            }
            try (Engine engine = Engine.open(
                            EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()),
                            () -> OpenCl.over(counting.api()));
                    Model model = engine.load(TestGraphs.products());
                    Session session = model.session()) {
                counting.fail("clFinish", 1, ClStatus.CL_DEVICE_NOT_AVAILABLE);
                session.run(Map.of("x", X)).close();
            }
        });
        assertThat(of(events, "Fallback"))
                .isNotEmpty()
                .allSatisfy(node -> assertThat(node.getString("reasons")).isNotEmpty());
        assertThat(of(events, "Recovery"))
                .singleElement()
                .satisfies(step -> assertThat(step.getString("step")).startsWith("opened a new context"));
    }
}
