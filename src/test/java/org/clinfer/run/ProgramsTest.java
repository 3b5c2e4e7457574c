package org.clinfer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.cache.ProgramCache;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelSources;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.opencl.ClContext;
import org.clinfer.opencl.ClDevice;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClLoad;
import org.clinfer.opencl.ClQueue;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.tracesinks.Tracing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that come from binaries on disk, or would if these were sound. */
@RequiresOpenCl
class ProgramsTest {

    private static final KernelLaunch TWICE =
            new KernelLaunch("twice.cl", "twice", "-DFACTOR=2", Map.of(), -1, List.of(4L), List.of(1L));

    @TempDir
    Path folder;

    private CountingClApi counting;
    private ClDevice device;
    private ClContext context;
    private ProgramCache cache;

    @BeforeEach
    void open() throws IOException {
        Files.writeString(
                folder.resolve("twice.cl"),
                "__kernel void twice(__global float *x) { x[get_global_id(0)] *= FACTOR; }\n");
        counting = CountingClApi.over(ClBinding.LWJGL);
        OpenCl openCl = ((ClLoad.Available) OpenCl.over(counting.api())).openCl();
        device = openCl.devices().get(0);
        context = openCl.context(device);
        cache = new ProgramCache(folder);
    }

    @AfterEach
    void everythingIsReleased() {
        context.close();
        counting.assertAllReleased();
    }

    private Programs programs(DeviceFacts facts) {
        return new Programs(facts, context, KernelSources.in(folder), Optional.of(cache), Tracing.OFF);
    }

    private float[] run(Programs programs) {
        Tensor values = Tensor.of(new float[] {1, -2, 3.5f, 0}, 4);
        try (ClKernel kernel = programs.kernel(TWICE);
                ClBuffer buffer = context.buffer(16);
                ClQueue queue = context.queue(false)) {
            queue.write(buffer, 0, values.bytes());
            queue.launch(kernel.arg("x", buffer), new long[] {4}, new long[] {1});
            queue.read(buffer, 0, values.bytes());
            return values.toFloatArray();
        }
    }

    private void store() {
        try (Programs programs = programs(device.facts())) {
            assertThat(run(programs)).containsExactly(2, -4, 7, 0);
            programs.store();
            programs.store();
        }
        assertThat(cache.statistics()).isEqualTo(new ProgramCache.Statistics(0, 1, 0, 1));
    }

    private void runAgain() {
        try (Programs programs = programs(device.facts())) {
            assertThat(run(programs)).containsExactly(2, -4, 7, 0);
        }
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("programs"))) {
            return files.filter(file -> file.toString().endsWith(".bin"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Under which the program is kept: it is told of the device as well. */
    private String key() {
        String options = TWICE.options() + " -DREGISTER_LANES=" + device.facts().registerLanes();
        return ProgramCache.key(device.facts(), KernelSources.in(folder).text("twice.cl"), options);
    }

    @Test
    void runsABinary() {
        store();
        runAgain();
        assertThat(cache.statistics().hits()).isEqualTo(1);
        assertThat(cache.statistics().damaged()).isZero();
    }

    @Test
    void buildsFromSourceWhereTheFileIsDamaged() throws IOException {
        store();
        byte[] content = Files.readAllBytes(file());
        content[content.length / 2] ^= 1;
        Files.write(file(), content);
        runAgain();
        assertThat(cache.statistics().damaged()).isEqualTo(1);
    }

    @Test
    void buildsFromSourceWhereTheDriverRefusesTheBinary() {
        String key = key();
        assertThat(cache.store(key, "twice.cl", new byte[] {1, 2, 3, 4})).isTrue();
        runAgain();
        assertThat(cache.statistics().hits()).isEqualTo(1);
        assertThat(cache.statistics().damaged()).isEqualTo(1);
        assertThat(cache.entries()).isEmpty();
    }

    @Test
    void buildsFromSourceWhereTheBinaryHasOtherKernels() throws IOException {
        store();
        byte[] binary = cache.find(key()).orElseThrow();
        Files.writeString(folder.resolve("twice.cl"), """
                __kernel void twice_more(__global float *x) { x[get_global_id(0)] *= FACTOR; }
                __kernel void twice(__global float *x) { x[get_global_id(0)] *= FACTOR; }
                """);
        KernelLaunch more =
                new KernelLaunch("twice.cl", "twice_more", "-DFACTOR=2", Map.of(), -1, List.of(4L), List.of(1L));
        String changed = key();
        assertThat(cache.store(changed, "twice.cl", binary)).isTrue();
        try (Programs programs = programs(device.facts());
                ClKernel kernel = programs.kernel(more)) {
            assertThat(kernel.entry()).isEqualTo("twice_more");
            assertThat(run(programs)).containsExactly(2, -4, 7, 0);
        }
        assertThat(cache.entries()).as("the useless one is gone").hasSize(1);
    }

    @Test
    void buildsFromSourceAfterTheDriverChanged() {
        store();
        DeviceFacts facts = device.facts();
        DeviceFacts updated = new DeviceFacts(
                facts.name(),
                facts.vendor(),
                facts.driver() + ".1",
                facts.platform(),
                facts.openclVersion(),
                facts.kind(),
                facts.extensions(),
                facts.limits());
        try (Programs programs = programs(updated)) {
            assertThat(run(programs)).containsExactly(2, -4, 7, 0);
        }
        assertThat(cache.statistics().hits()).isZero();
    }

    private static KernelLaunch launch(String options) {
        return new KernelLaunch("twice.cl", "twice", options, Map.of(), -1, List.of(4L), List.of(1L));
    }

    @Test
    void beginsWhatNobodyAskedForYet() throws InterruptedException {
        try (Programs programs = programs(device.facts())) {
            programs.begin(List.of(TWICE, launch("-DFACTOR=3"), TWICE));
            long end = System.nanoTime() + 20_000_000_000L;
            while (counting.calls("clBuildProgram") < 2 && System.nanoTime() < end) {
                Thread.sleep(5);
            }
            assertThat(counting.calls("clBuildProgram"))
                    .as("built before a kernel is asked for")
                    .isEqualTo(2);
            assertThat(run(programs)).containsExactly(2, -4, 7, 0);
            programs.begin(List.of(TWICE));
            assertThat(counting.calls("clBuildProgram")).as("built once").isEqualTo(2);
        }
    }

    @Test
    void whoAsksForAKernelHearsThatItsProgramDidNotBuild() {
        KernelLaunch wrong = launch("-DFACTOR=nonsense");
        try (Programs programs = programs(device.facts())) {
            programs.begin(List.of(wrong, TWICE));
            assertThatThrownBy(() -> programs.kernel(wrong)).isInstanceOf(ClBuildException.class);
            assertThat(run(programs)).containsExactly(2, -4, 7, 0);
        }
    }

    @Test
    void leavesNothingWhereItIsClosedWhileProgramsAreMade() {
        Programs programs = programs(device.facts());
        programs.begin(List.of(TWICE, launch("-DFACTOR=3"), launch("-DFACTOR=4"), launch("-DFACTOR=5")));
        programs.close();
        assertThat(counting.live()).doesNotContainKey("Program");
    }
}
