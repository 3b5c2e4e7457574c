package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every OpenCL call is made to fail once, each time it occurs in a run that makes all of them. */
@RequiresOpenCl
final class FaultInjectionTest {

    private static final Set<String> DISCOVERY =
            Set.of("clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo");

    /** Asked only after another failure. */
    private static final String BUILD_LOG = "clGetProgramBuildInfo";

    /** Done without, or done all the same. */
    private static final Set<String> FORGIVEN = Set.of("clEnqueueUnmapMemObject", "clCreateSubDevices");

    private static final String SOURCE = """
            kernel void sum(global int *x, int i, long l, float f, local int *t) {
                t[0] = i;
                x[get_global_id(0)] = t[0] + (int) l + (int) f;
            }
            #ifdef cl_khr_fp64
            kernel void wide(global double *x, double d) { x[0] = d; }
            #else
            kernel void wide(global long *x, long d) { x[0] = d; }
            #endif
            """;

    static Stream<Arguments> calls() {
        return Arrays.stream(ClBinding.values())
                .flatMap(binding -> Arrays.stream(ClApi.class.getMethods())
                        .map(Method::getName)
                        .sorted()
                        .filter(call -> !DISCOVERY.contains(call) && !call.equals(BUILD_LOG))
                        .map(call -> Arguments.of(binding, call)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aFailedCallIsOneExceptionAndNoLeak(ClBinding binding, String call) {
        int occurrences = run(CountingClApi.over(binding), call);
        assumeTrue(!call.equals("clReleaseDevice") || canBeDivided(binding), "no parts of the device to give back");
        assertThat(occurrences).as("calls of %s in a run", call).isPositive();
        for (int nth = 1; nth <= occurrences; nth++) {
            CountingClApi counting = CountingClApi.over(binding);
            counting.fail(call, nth, ClStatus.CL_OUT_OF_RESOURCES);
            if (call.startsWith("clRelease") || FORGIVEN.contains(call)) {
                assertThatCode(() -> run(counting, call)).doesNotThrowAnyException();
            } else {
                assertThatThrownBy(() -> run(counting, call))
                        .isInstanceOfSatisfying(ClException.class, failure -> {
                            assertThat(failure.status()).isEqualTo(ClStatus.CL_OUT_OF_RESOURCES);
                            assertThat(failure.call()).startsWith(documentedName(call));
                            assertThat(failure.getSuppressed()).isEmpty();
                        })
                        .hasMessageContaining("CL_OUT_OF_RESOURCES (-5); use less memory");
            }
            counting.assertAllReleased();
        }
    }

    /** The specification's name of the call that the seam has several forms of. */
    private static String documentedName(String call) {
        return call.replaceFirst("(clSetKernelArg).*", "$1").replace("clGetProgramBinary", "clGetProgramInfo");
    }

    /** Makes every call but those of discovery, and says how often {@code counted} was made. */
    private static boolean canBeDivided(ClBinding binding) {
        OpenCl openCl =
                ((ClLoad.Available) OpenCl.over(CountingClApi.over(binding).api())).openCl();
        return openCl.devices().get(0).facts().limit("partition_max_sub_devices", 0) > 1;
    }

    private static int run(CountingClApi counting, String counted) {
        OpenCl openCl = ((ClLoad.Available) OpenCl.over(counting.api())).openCl();
        ByteBuffer host = OpenClFixture.random(256, 6);
        try (ClContext context = openCl.context(openCl.devices().get(0));
                ClQueue queue = context.queue(true);
                ClBuffer buffer = context.buffer(256, ClAccess.HOST_VISIBLE);
                ClBuffer copy = context.bufferOf(host, ClAccess.READ_WRITE);
                ClBuffer part = buffer.sub(0, 128)) {
            queue.write(buffer, 0, host);
            queue.writeAsync(buffer, 0, host);
            queue.copy(buffer, 0, copy, 0, 256);
            queue.fill(part, 0, 128, (byte) 1);
            queue.read(buffer, 0, host);
            queue.readAsync(buffer, 0, host);
            queue.flush();
            queue.finish();
            try (ClQueue unit = context.unitQueue(0)) {
                unit.finish();
            }
            try (ClMapping mapping = queue.map(buffer, 0, 256)) {
                mapping.bytes().put(0, (byte) 2);
            }
            byte[] binary;
            try (ClProgram program = context.program("sum.cl", SOURCE, "")) {
                binary = program.binary();
            }
            try (ClProgram program = context.programFromBinary("sum.bin", binary, "")) {
                launch(queue, program, buffer);
            }
        }
        return counting.calls(counted);
    }

    private static void launch(ClQueue queue, ClProgram program, ClBuffer buffer) {
        try (ClKernel sum = program.kernel("sum", List.of("x", "i", "l", "f", "t"));
                ClKernel wide = program.kernel("wide", List.of("x", "d"))) {
            wide.arg("x", buffer).arg("d", 1.5);
            sum.arg("x", buffer)
                    .arg("i", OpenClFixture.floats(1f))
                    .arg("i", 1)
                    .arg("l", 2L)
                    .arg("f", 3f)
                    .local("t", 64);
            assertThat(sum.maxWorkGroupSize()).isPositive();
            queue.launch(sum, new long[] {64}, new long[] {8});
            try (ClEvent event = queue.launchTimed(wide, new long[] {1}, null)) {
                event.await();
                assertThat(event.isDone()).isTrue();
                assertThat(event.durationNanos()).isNotNegative();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUnreadableLogDoesNotHideTheBuildFailure(ClBinding binding) {
        CountingClApi counting = CountingClApi.over(binding);
        OpenCl openCl = ((ClLoad.Available) OpenCl.over(counting.api())).openCl();
        counting.fail(BUILD_LOG, 1, ClStatus.CL_OUT_OF_HOST_MEMORY);
        try (ClContext context = openCl.context(openCl.devices().get(0))) {
            assertThatThrownBy(() -> context.program("bad.cl", "kernel void e() { nothing; }", ""))
                    .isInstanceOf(ClBuildException.class)
                    .hasMessageContaining("bad.cl")
                    .hasMessageContaining("(the log cannot be read: CL_OUT_OF_HOST_MEMORY (-6))");
        }
        counting.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource
    void failedDiscoveryIsAReason(ClBinding binding) {
        for (String call : DISCOVERY) {
            CountingClApi counting = CountingClApi.over(binding);
            int platforms = platformCount(counting.api());
            counting.fail(call, 1, ClStatus.CL_OUT_OF_RESOURCES);
            ClLoad load = OpenCl.over(counting.api());
            if (platforms == 1 && load instanceof ClLoad.Missing missing) {
                assertThat(missing.reason()).contains(call).contains("CL_OUT_OF_RESOURCES");
            } else if (load instanceof ClLoad.Available available) {
                assertThat(available.openCl().problems()).anyMatch(line -> line.contains(call));
            }
        }
    }

    private static int platformCount(ClApi api) {
        int[] count = new int[1];
        assertThat(api.clGetPlatformIDs(0, null, count)).isZero();
        return count[0];
    }

    @ParameterizedTest
    @EnumSource
    void noPlatformAndNoDeviceAreReasons(ClBinding binding) {
        CountingClApi counting = CountingClApi.over(binding);
        counting.fail("clGetPlatformIDs", 1, ClStatus.CL_PLATFORM_NOT_FOUND_KHR);
        assertThat(OpenCl.over(counting.api()))
                .isInstanceOfSatisfying(
                        ClLoad.Missing.class,
                        missing -> assertThat(missing.reason())
                                .contains("no driver (platform)")
                                .contains("install"));
        if (platformCount(counting.api()) == 1) {
            counting.fail("clGetDeviceIDs", 1, ClStatus.CL_DEVICE_NOT_FOUND);
            assertThat(OpenCl.over(counting.api()))
                    .isInstanceOfSatisfying(
                            ClLoad.Missing.class,
                            missing -> assertThat(missing.reason()).contains("has no device"));
        }
    }
}
