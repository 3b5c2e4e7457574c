package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.clinfer.device.CommandCounts;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Graph;
import org.clinfer.networks.BenchmarkNetwork;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The launches, transfers and waits of a run, on a device that says it is a GPU with memory of its own. */
@RequiresOpenCl
class LaunchesTest {

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());

    private static final Set<String> ENQUEUED = Set.of(
            "clEnqueueWriteBuffer",
            "clEnqueueReadBuffer",
            "clEnqueueMapBuffer",
            "clEnqueueUnmapMemObject",
            "clEnqueueNDRangeKernel");

    @TempDir
    Path folder;

    /** Real OpenCL calls, and in order those that give the device work, {@code WAIT} for each that waits for it. */
    private static final class CallLog {
        private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
        private final ClApi api;

        CallLog(ClApi real) {
            api = (ClApi) Proxy.newProxyInstance(
                    ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                        String name = method.getName();
                        if (name.equals("clFinish") || name.equals("clWaitForEvents")) {
                            calls.add("WAIT");
                        } else if (ENQUEUED.contains(name)) {
                            boolean blocks = Arrays.asList(arguments).contains(true);
                            calls.add(blocks ? "WAIT" : name);
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    private static Map<String, Tensor> inputs(Model model) {
        return model.inputs().stream()
                .collect(Collectors.toMap(
                        Graph.Input::name,
                        input -> TestGraphs.numbers(1, input.type().shape().sizes())));
    }

    private static int parts(Model model) {
        return model.graph().nodes().stream()
                .filter(node -> node.op().equals("Concat"))
                .mapToInt(node -> node.inputs().size() + 1)
                .sum();
    }

    private static ClApi gpu(ClApi real) {
        return DeviceAnswers.separateMemory(DeviceAnswers.gpu(16, real));
    }

    /** A transfer for each MiB that a value begins. */
    private static long transfers(Tensor value) {
        return (value.type().bytes() + (1 << 20) - 1) >> 20;
    }

    /** For all commands together, and for each piece of a large result. */
    @ParameterizedTest
    @EnumSource
    void aRunOnTheDeviceWaitsAtItsEndAlone(BenchmarkNetwork network) {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        CallLog log = new CallLog(gpu(counting.api()));
        Path file = network.write(folder, network.smallForm()).file();
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(log.api));
                Model model = engine.load(file);
                Session session = model.session()) {
            Map<String, Tensor> inputs = inputs(model);
            session.run(inputs).close();
            assertThat(session.placement().count(Placement.Target.CPU)).isZero();
            assertThat(counting.calls("clCreateSubBuffer"))
                    .as("parts of buffers, which make launches slow, are those of concatenations alone")
                    .isLessThanOrEqualTo(parts(model));
            log.calls.clear();
            CommandCounts before = engine.commands();

            List<Long> fetched = new ArrayList<>();
            try (Result result = session.run(inputs)) {
                result.outputs().values().forEach(output -> fetched.add(transfers(output)));
            }

            CommandCounts run = engine.commands().since(before);
            assertThat(run.waits())
                    .isEqualTo(1
                            + fetched.stream()
                                    .filter(pieces -> pieces > 1)
                                    .mapToLong(pieces -> pieces)
                                    .sum());
            assertThat(run.transfers())
                    .isEqualTo(inputs.values().stream()
                                    .mapToLong(LaunchesTest::transfers)
                                    .sum()
                            + fetched.stream().mapToLong(pieces -> pieces).sum());
            assertThat(run.launches())
                    .isPositive()
                    .isEqualTo(session.placement().launches())
                    .isEqualTo(Collections.frequency(log.calls, "clEnqueueNDRangeKernel"));
            int download = log.calls.lastIndexOf("clEnqueueReadBuffer");
            assertThat(log.calls).contains("clEnqueueWriteBuffer");
            assertThat(log.calls.subList(0, download + 1)).doesNotContain("WAIT");
            assertThat(log.calls.subList(download, log.calls.size())).contains("WAIT");
        }
        counting.assertAllReleased();
    }

    /** Planned for a large GPU, whatever the device is, without running. */
    @Test
    void theManualHasTheLaunchesOfEachNetwork() throws IOException {
        List<Integer> written = Files.readAllLines(Path.of("docs/kernels.md")).stream()
                .map(Pattern.compile(" {2}\\| [^|]+ \\| (\\d+) \\|")::matcher)
                .filter(Matcher::matches)
                .map(row -> Integer.valueOf(row.group(1)))
                .toList();
        List<Integer> planned = new ArrayList<>();
        ClApi real = CountingClApi.over(ClBinding.LWJGL).api();
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(DeviceAnswers.h200(real)))) {
            for (BenchmarkNetwork network : BenchmarkNetwork.values()) {
                Path file = network.write(folder, network.form().withZeros()).file();
                try (Model model = engine.load(file);
                        Session session = model.session()) {
                    planned.add(session.placement(Map.of()).launches());
                }
            }
        }
        assertThat(planned).isEqualTo(written);
    }

    /** Neither the products with constants nor those of attention: what follows them is fused into kernels of either kind. */
    @Test
    void matrixUnitsTakeNoFusionAway() throws IOException {
        Path file = BenchmarkNetwork.DEIT_TINY
                .write(folder, BenchmarkNetwork.DEIT_TINY.form().withZeros())
                .file();
        assertThat(plannedWithUnits(file, Precision.TF32)).isEqualTo(plannedWithUnits(file, Precision.FLOAT32));
    }

    private static int plannedWithUnits(Path file, Precision precision) throws IOException {
        ClApi real = CountingClApi.over(ClBinding.LWJGL).api();
        try (Engine engine = Engine.open(
                        DEVICE.withPrecision(precision),
                        () -> OpenCl.over(DeviceAnswers.emulatedWgmma(DeviceAnswers.h200(real))));
                Model model = engine.load(file);
                Session session = model.session()) {
            return session.placement(Map.of()).launches();
        }
    }

    @Test
    void chainsAreOneLaunch() {
        try (Engine engine = Engine.open(DEVICE)) {
            assumeTrue(engine.device().orElseThrow().kind() == DeviceFacts.Kind.CPU, "chains are for processors");
        }
        ClApi processor =
                DeviceAnswers.processor(16, CountingClApi.over(ClBinding.LWJGL).api());
        try (Engine chained = Engine.open(DEVICE, () -> OpenCl.over(processor));
                Engine single = Engine.open(DEVICE.withChain(false), () -> OpenCl.over(processor))) {
            assertThat(launches(chained)).isLessThan(launches(single));
        }
    }

    private static long launches(Engine engine) {
        try (Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            Map<String, Tensor> inputs = inputs(model);
            session.run(inputs).close();
            CommandCounts before = engine.commands();
            session.run(inputs).close();
            long launches = engine.commands().since(before).launches();
            assertThat(session.placement().launches()).isEqualTo((int) launches);
            return launches;
        }
    }

    @Test
    void withoutADeviceThereAreNone() {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            session.run(inputs(model)).close();

            assertThat(engine.commands()).isEqualTo(CommandCounts.NONE);
            assertThat(session.placement().launches()).isZero();
        }
    }
}
