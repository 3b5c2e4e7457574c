package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Memory after many runs and many sessions. One value of the network has a quarter of a mebibyte (runs) or a mebibyte
 * (sessions), so a single one lost each time is several times what is allowed; that much the collector and the C
 * library may keep for themselves.
 */
@EnabledOnOs(OS.LINUX)
class LeakTest {

    private static final long ALLOWED_KIB = 48 * 1024;
    private static final int ROUNDS = 10;
    private static final int PER_ROUND = 100;

    /** What is done again and again. */
    private interface Work {
        void once();
    }

    private static long residentKib() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("/proc/self/status has no VmRSS");
    }

    private static void round(int times, Work work) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            work.once();
        }
        System.gc();
        // Direct memory is freed by a thread of its own after a collection.
        Thread.sleep(20);
    }

    private static void staysFlat(int rounds, int times, Work work) throws IOException, InterruptedException {
        for (int i = 0; i < 3; i++) {
            round(times, work);
        }
        long before = residentKib();
        for (int i = 0; i < rounds; i++) {
            round(times, work);
        }
        assertThat(residentKib() - before)
                .as("growth of the resident memory in KiB after %d KiB", before)
                .isLessThan(ALLOWED_KIB);
    }

    private static void manyRuns(Engine engine) throws IOException, InterruptedException {
        Tensor x = TestGraphs.numbers(1, 256, 256);
        try (Model model = engine.load(TestGraphs.rectifier(256));
                Session session = model.session()) {
            staysFlat(ROUNDS, PER_ROUND, () -> session.run(Map.of("x", x)).close());
        }
    }

    private static void manySessions(Engine engine) throws IOException, InterruptedException {
        Tensor x = TestGraphs.numbers(1, 512, 512);
        try (Model model = engine.load(TestGraphs.rectifier(512))) {
            staysFlat(10, 10, () -> {
                try (Session session = model.session()) {
                    session.run(Map.of("x", x)).close();
                }
            });
        }
    }

    private static Engine onCpu() {
        return Engine.open(
                EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(2));
    }

    private static Engine onDevice(CountingClApi counting) {
        return Engine.open(
                EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()), () -> OpenCl.over(counting.api()));
    }

    @Test
    void runsOnTheCpuKeepNothing() throws IOException, InterruptedException {
        try (Engine engine = onCpu()) {
            manyRuns(engine);
        }
    }

    @Test
    void sessionsOnTheCpuKeepNothing() throws IOException, InterruptedException {
        try (Engine engine = onCpu()) {
            manySessions(engine);
        }
    }

    @Test
    @RequiresOpenCl
    void runsOnTheDeviceKeepNothing() throws IOException, InterruptedException {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = onDevice(counting)) {
            manyRuns(engine);
        }
        counting.assertAllReleased();
    }

    @Test
    @RequiresOpenCl
    void sessionsOnTheDeviceKeepNothing() throws IOException, InterruptedException {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = onDevice(counting)) {
            try (Model model = engine.load(TestGraphs.rectifier(4))) {
                oneRun(model);
                Map<String, Integer> live = counting.live();
                for (int i = 0; i < 100; i++) {
                    oneRun(model);
                }
                assertThat(counting.live()).as("handles that outlive a session").isEqualTo(live);
            }
            manySessions(engine);
        }
        counting.assertAllReleased();
    }

    private static void oneRun(Model model) {
        try (Session session = model.session()) {
            session.run(Map.of("x", TestGraphs.numbers(1, 3, 4))).close();
        }
    }
}
