package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.Test;

/** What every binding must do with programs, kernels and events. */
abstract class KernelContract extends OpenClFixture {

    private static final String ROTATE = """
            kernel void rotate_group(global const int *x, global int *y, local int *tile) {
                size_t l = get_local_id(0);
                tile[l] = x[get_global_id(0)];
                barrier(CLK_LOCAL_MEM_FENCE);
                y[get_global_id(0)] = tile[(l + 1) % get_local_size(0)];
            }
            """;

    KernelContract(ClBinding binding) {
        super(binding);
    }

    @Test
    void kernelArgumentsGoByName() {
        float[] values = new float[207];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        try (ClProgram program = context.program("scale.cl", SCALE, "");
                ClKernel kernel = program.kernel("scale", scaleArguments());
                ClBuffer x = context.bufferOf(floats(values), ClAccess.READ_WRITE)) {
            kernel.arg("count", 206L).arg("offset", -3).arg("factor", 2.5f).arg("x", x);
            queue.launch(kernel, new long[] {208}, null);
            ByteBuffer result = read(x);
            assertThat(result.getFloat(4 * 205)).isEqualTo(205 * 2.5f - 3);
            assertThat(result.getFloat(4 * 206)).isEqualTo(206f);
            assertThat(kernel.maxWorkGroupSize()).isPositive();
            assertThat(kernel.preferredWorkGroupMultiple()).isPositive();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> kernel.arg("stride", 1))
                    .withMessage("kernel scale has no argument stride; it has [x, factor, offset, count]");
        }
    }

    @Test
    void localMemoryAndWorkGroups() {
        ByteBuffer numbers = ByteBuffer.allocateDirect(48).order(ByteOrder.nativeOrder());
        for (int i = 0; i < 12; i++) {
            numbers.putInt(4 * i, i);
        }
        try (ClProgram program = context.program("rotate.cl", ROTATE, "-cl-std=CL1.2");
                ClKernel kernel = program.kernel("rotate_group", List.of("x", "y", "tile"));
                ClBuffer x = context.bufferOf(numbers, ClAccess.READ_ONLY);
                ClBuffer y = context.buffer(48, ClAccess.WRITE_ONLY)) {
            kernel.arg("x", x).arg("y", y).local("tile", 16);
            queue.launch(kernel, new long[] {12}, new long[] {4});
            ByteBuffer result = read(y);
            List<Integer> got = new ArrayList<>();
            while (result.hasRemaining()) {
                got.add(result.getInt());
            }
            assertThat(got).containsExactly(1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8);
            assertThat(kernel.localBytes()).isNotNegative(); // PoCL 6 does not count arguments
        }
    }

    @Test
    void threeDimensionsAndDoubles() {
        assumeTrue(device.facts().limit("double_fp_config", 0) > 0, () -> "double arithmetic on " + device.name());
        String source = """
                kernel void grid(global double *y, double step) {
                    size_t i = get_global_id(0) + 3 * (get_global_id(1) + 2 * get_global_id(2));
                    y[i] = i * step;
                }
                """;
        try (ClProgram program = context.program("grid.cl", source, "");
                ClKernel kernel = program.kernel("grid", List.of("y", "step"));
                ClBuffer y = context.buffer(8 * 24)) {
            kernel.arg("y", y).arg("step", 0.1);
            queue.launch(kernel, new long[] {3, 2, 4}, new long[] {1, 1, 1});
            assertThat(read(y).getDouble(8 * 23)).isEqualTo(23 * 0.1);
        }
    }

    @Test
    void launchWithoutAnArgumentIsRefused() {
        try (ClProgram program = context.program("scale.cl", SCALE, "");
                ClKernel kernel = program.kernel("scale", scaleArguments());
                ClBuffer x = context.buffer(4)) {
            kernel.arg("x", x).arg("factor", 1f).arg("count", 1L);
            assertThatIllegalStateException()
                    .isThrownBy(() -> queue.launch(kernel, new long[] {1}, null))
                    .withMessage("kernel scale: argument offset is not set");
            kernel.arg("offset", 0);
            x.close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> queue.launch(kernel, new long[] {1}, null))
                    .withMessage("buffer of 4 bytes is closed");
        }
        assertThat(counting.calls("clEnqueueNDRangeKernel")).isZero();
    }

    @Test
    void wrongLaunchSizesAreRefused() {
        try (ClProgram program = context.program("e.cl", "kernel void e() {}", "");
                ClKernel kernel = program.kernel("e", List.of())) {
            for (long[] global : new long[][] {{}, {1, 1, 1, 1}, {4, 0}, {-1}}) {
                assertThatIllegalArgumentException().isThrownBy(() -> queue.launch(kernel, global, null));
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> queue.launch(kernel, new long[] {4, 4}, new long[] {2}));
            long tooMany = device.facts().limit("max_work_group_size", 0) * 2;
            assertThatThrownBy(() -> queue.launch(kernel, new long[] {tooMany}, new long[] {tooMany}))
                    .isInstanceOf(ClException.class)
                    .hasMessageContaining("clEnqueueNDRangeKernel(e) failed");
        }
    }

    @Test
    void wrongArgumentTypesAreNamed() {
        try (ClProgram program = context.program("scale.cl", SCALE, "");
                ClKernel kernel = program.kernel("scale", scaleArguments())) {
            assertThatThrownBy(() -> kernel.arg("count", 1))
                    .isInstanceOf(ClException.class)
                    .hasMessageContaining("clSetKernelArg(scale: count) failed on")
                    .hasMessageContaining("CL_INVALID_ARG_SIZE (-51)");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> program.kernel("scale", List.of("x", "factor")))
                    .withMessage("kernel scale of scale.cl takes 4 arguments, but 2 are named: [x, factor]");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> program.kernel("scale", List.of("x", "x", "factor", "count")))
                    .withMessageContaining("named twice");
            assertThatThrownBy(() -> program.kernel("scole", List.of()))
                    .isInstanceOf(ClException.class)
                    .hasMessageContaining("clCreateKernel(scale.cl: scole)")
                    .hasMessageContaining("CL_INVALID_KERNEL_NAME");
        }
    }

    @Test
    void buildErrorCarriesLogOptionsAndFile() {
        String source = "kernel void broken(global float *x) { x[0] = no_such_name; }";
        assertThatThrownBy(() -> context.program("conv/broken.cl", source, "-DWIDTH=3"))
                .isInstanceOfSatisfying(ClBuildException.class, failure -> {
                    assertThat(failure.label()).isEqualTo("conv/broken.cl");
                    assertThat(failure.options()).isEqualTo("-DWIDTH=3");
                    assertThat(failure.log()).contains("no_such_name");
                    assertThat(failure)
                            .hasMessageContaining("conv/broken.cl")
                            .hasMessageContaining("-DWIDTH=3")
                            .hasMessageContaining("no_such_name");
                });
    }

    private static final String LOST_FILE = "error: unable to rename temporary 'a' to 'b'";

    /** Builds fail as often as is asked for, with this log. */
    private ClContext disturbed(AtomicInteger disturbances, String log) {
        ClApi disturbed = (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(),
                new Class<?>[] {ClApi.class},
                (proxy, method, args) -> disturbed(disturbances, log, method, args));
        return ((ClLoad.Available) OpenCl.over(disturbed)).openCl().context(device);
    }

    @Test
    void buildThatFailsWithoutAReasonIsRepeated() {
        AtomicInteger disturbances = new AtomicInteger(3);
        try (ClContext other =
                disturbed(disturbances, "\nDevice " + device.name() + " failed to build the program\n")) {
            other.program("scale.cl", SCALE, "").close();
            assertThat(disturbances.get()).isZero();
        }
        disturbances.set(3);
        try (ClContext other = disturbed(disturbances, "error: no such name\n")) {
            assertThatThrownBy(() -> other.program("scale.cl", SCALE, "")).isInstanceOf(ClBuildException.class);
            assertThat(disturbances.get()).isEqualTo(2);
        }
    }

    @Test
    void disturbedBuildIsRepeated() {
        AtomicInteger disturbances = new AtomicInteger(3);
        try (ClContext other = disturbed(disturbances, LOST_FILE)) {
            other.program("scale.cl", SCALE, "").close();
            assertThat(disturbances.get()).isZero();
            disturbances.set(1000);
            assertThatThrownBy(() -> other.program("scale.cl", SCALE, ""))
                    .isInstanceOf(ClBuildException.class)
                    .hasMessageContaining("unable to rename temporary")
                    .hasMessageContaining("LD_PRELOAD=");
        }
    }

    private Object disturbed(AtomicInteger disturbances, String text, Method method, Object[] args) throws Throwable {
        if (method.getName().equals("clBuildProgram") && disturbances.get() > 0) {
            disturbances.decrementAndGet();
            return ClStatus.CL_BUILD_PROGRAM_FAILURE.code();
        }
        if (method.getName().equals("clGetProgramBuildInfo")) {
            byte[] log = text.getBytes(StandardCharsets.UTF_8);
            if (args[3] instanceof ByteBuffer value) {
                value.duplicate().put(log);
            }
            ((long[]) args[4])[0] = log.length;
            return 0;
        }
        return method.invoke(counting.api(), args);
    }

    @Test
    void longSourcesBuild() {
        String source = ("// " + "x".repeat(97) + "\n").repeat(3000) + SCALE;
        try (ClProgram program = context.program("long.cl", source, "")) {
            program.kernel("scale", scaleArguments()).close();
        }
    }

    @Test
    void binaryRunsLikeItsSource() {
        byte[] binary;
        try (ClProgram program = context.program("scale.cl", SCALE, "")) {
            binary = program.binary();
        }
        assertThat(binary).isNotEmpty();
        try (ClProgram program = context.programFromBinary("scale.bin", binary, "");
                ClKernel kernel = program.kernel("scale", scaleArguments());
                ClBuffer x = context.bufferOf(floats(4, 5), ClAccess.READ_WRITE)) {
            kernel.arg("x", x).arg("factor", 3f).arg("offset", 1).arg("count", 2L);
            queue.launch(kernel, new long[] {2}, null);
            assertThat(read(x)).isEqualTo(floats(13, 16));
        }
    }

    @Test
    void garbageIsNoBinary() {
        byte[] garbage = new byte[333];
        new Random(4).nextBytes(garbage);
        assertThatThrownBy(() -> context.programFromBinary("cached.bin", garbage, ""))
                .isInstanceOf(ClException.class)
                .hasMessageContaining("cached.bin");
        assertThatIllegalArgumentException().isThrownBy(() -> context.programFromBinary("e", new byte[0], ""));
    }

    @Test
    void profilingGivesTimesInOrder() {
        try (ClQueue profiled = context.queue(true);
                ClProgram program = context.program("e.cl", "kernel void e() {}", "");
                ClKernel kernel = program.kernel("e", List.of());
                ClEvent event = profiled.launchTimed(kernel, new long[] {64}, new long[] {8})) {
            event.await();
            assertThat(event.isDone()).isTrue();
            assertThat(event.queuedNanos()).isLessThanOrEqualTo(event.submitNanos());
            assertThat(event.submitNanos()).isLessThanOrEqualTo(event.startNanos());
            assertThat(event.startNanos()).isLessThanOrEqualTo(event.endNanos());
            assertThat(event.durationNanos()).isNotNegative();
        }
    }

    @Test
    void timesNeedAProfilingQueue() {
        try (ClProgram program = context.program("e.cl", "kernel void e() {}", "");
                ClKernel kernel = program.kernel("e", List.of());
                ClEvent event = queue.launchTimed(kernel, new long[] {1}, null)) {
            event.await();
            assertThatThrownBy(event::startNanos)
                    .isInstanceOf(ClException.class)
                    .hasMessageContaining("CL_PROFILING_INFO_NOT_AVAILABLE")
                    .hasMessageContaining("create the queue with profiling");
        }
    }
}
