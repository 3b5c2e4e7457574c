package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.clinfer.device.DeviceFacts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every binding must do, on the first device, with no handle left over. */
abstract class OpenClContract {

    private static final String SCALE = """
            kernel void scale(global float *x, float factor, int offset, long count) {
                size_t i = get_global_id(0);
                if (i < count) x[i] = x[i] * factor + offset;
            }
            """;

    private static final String ROTATE = """
            kernel void rotate_group(global const int *x, global int *y, local int *tile) {
                size_t l = get_local_id(0);
                tile[l] = x[get_global_id(0)];
                barrier(CLK_LOCAL_MEM_FENCE);
                y[get_global_id(0)] = tile[(l + 1) % get_local_size(0)];
            }
            """;

    private final Binding binding;
    private CountingClApi counting;
    private OpenCl openCl;
    private ClDevice device;
    private ClContext context;
    private ClQueue queue;

    OpenClContract(Binding binding) {
        this.binding = binding;
    }

    @BeforeEach
    void open() {
        counting = CountingClApi.over(binding);
        openCl = ((ClLoad.Available) OpenCl.over(counting.api())).openCl();
        device = openCl.devices().get(0);
        context = openCl.context(device);
        queue = context.queue(false);
    }

    @AfterEach
    void everythingIsReleased() {
        queue.close();
        context.close();
        counting.assertAllReleased();
    }

    static ByteBuffer random(int bytes, long seed) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return ByteBuffer.allocateDirect(bytes).put(content).flip();
    }

    static ByteBuffer floats(float... values) {
        ByteBuffer buffer =
                ByteBuffer.allocateDirect(values.length * Float.BYTES).order(ByteOrder.nativeOrder());
        buffer.asFloatBuffer().put(values);
        return buffer;
    }

    private ByteBuffer read(ClBuffer buffer) {
        ByteBuffer target = ByteBuffer.allocateDirect((int) buffer.bytes()).order(ByteOrder.nativeOrder());
        queue.read(buffer, 0, target);
        return target;
    }

    private static List<String> scaleArguments() {
        return List.of("x", "factor", "offset", "count");
    }

    @Test
    void devicesAreDescribed() {
        DeviceFacts facts = device.facts();
        assertThat(facts.name()).isNotBlank();
        assertThat(facts.vendor()).isNotBlank();
        assertThat(facts.driver()).isNotBlank();
        assertThat(facts.platform()).contains("OpenCL");
        assertThat(facts.openclVersion()).matches("\\d+\\.\\d+");
        assertThat(facts.extensions()).isNotEmpty().allMatch(name -> name.matches("\\S+"));
        assertThat(facts.limits())
                .containsKeys("max_clock_frequency", "image2d_max_width", "global_mem_cache_size", "full_profile")
                .containsKeys("max_work_item_size_0", "max_work_item_size_1", "max_work_item_size_2")
                .containsKeys("preferred_vector_width_float", "native_vector_width_float", "host_unified_memory");
        assertThat(facts.limit("address_bits", 0)).isIn(32L, 64L);
        assertThat(facts.limit("max_mem_alloc_size", 0))
                .isGreaterThan(1 << 20)
                .isLessThanOrEqualTo(facts.limit("global_mem_size", 0));
        assertThat(facts.limit("local_mem_size", 0)).isPositive();
        assertThat(facts.limit("max_work_group_size", 0)).isPositive();
        assertThat(facts.limit("max_compute_units", 0)).isPositive();
        assertThat(facts.limit("mem_base_addr_align", 0)).isPositive();
        assertThat(facts.limit("max_parameter_size", 0)).isGreaterThanOrEqualTo(256);
    }

    @Test
    void bothOpensGiveTheSameDevices() {
        OpenCl again = ((ClLoad.Available) OpenCl.open(binding)).openCl();
        assertThat(again.devices())
                .extracting(ClDevice::name)
                .isEqualTo(openCl.devices().stream().map(ClDevice::name).toList());
        assertThat(again.devices()).extracting(found -> found.facts().kind()).isSorted();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 13, 207, 4097, 1_000_003})
    void dataGoesThereAndBack(int bytes) {
        ByteBuffer data = random(bytes, bytes);
        try (ClBuffer buffer = context.buffer(bytes)) {
            queue.write(buffer, 0, data);
            assertThat(read(buffer)).isEqualTo(data);
        }
        try (ClBuffer buffer = context.bufferOf(data, ClAccess.READ_ONLY)) {
            assertThat(read(buffer)).isEqualTo(data);
        }
        assertThat(data.position()).isZero();
    }

    @Test
    void transfersStartAtOffsetAndPosition() {
        ByteBuffer data = random(40, 1).position(7).limit(20);
        try (ClBuffer buffer = context.buffer(64)) {
            queue.fill(buffer, 0, 64, (byte) 0x5a);
            queue.write(buffer, 3, data);
            ByteBuffer all = read(buffer);
            assertThat(all.slice(3, 13)).isEqualTo(data);
            assertThat(all.get(2)).isEqualTo((byte) 0x5a);
            assertThat(all.get(16)).isEqualTo((byte) 0x5a);
            ByteBuffer back = ByteBuffer.allocateDirect(30).position(11).limit(24);
            queue.read(buffer, 3, back);
            assertThat(back.slice()).isEqualTo(data);
            assertThat(back.position()).isEqualTo(11);
        }
    }

    @Test
    void asynchronousTransfersAreDoneAfterFinish() {
        List<ByteBuffer> results = new ArrayList<>();
        try (ClBuffer buffer = context.buffer(100_001)) {
            for (int i = 0; i < 20; i++) {
                queue.writeAsync(buffer, 0, random(100_001, i));
                ByteBuffer result = ByteBuffer.allocateDirect(100_001);
                queue.readAsync(buffer, 0, result);
                results.add(result);
            }
            queue.flush();
            queue.finish();
        }
        for (int i = 0; i < 20; i++) {
            assertThat(results.get(i)).isEqualTo(random(100_001, i));
        }
    }

    @Test
    void closingTheQueueWaitsForTransfers() {
        ByteBuffer data = random(1 << 20, 5);
        ByteBuffer result = ByteBuffer.allocateDirect(1 << 20);
        try (ClBuffer buffer = context.bufferOf(data, ClAccess.READ_WRITE)) {
            queue.readAsync(buffer, 0, result);
            queue.close();
        }
        assertThat(result).isEqualTo(data);
    }

    @Test
    void copyAndFill() {
        ByteBuffer data = random(50, 2);
        try (ClBuffer from = context.bufferOf(data, ClAccess.READ_ONLY);
                ClBuffer to = context.buffer(50)) {
            queue.fill(to, 0, 50, (byte) -1);
            queue.copy(from, 5, to, 9, 31);
            ByteBuffer result = read(to);
            assertThat(result.slice(9, 31)).isEqualTo(data.slice(5, 31));
            assertThat(result.get(8)).isEqualTo((byte) -1);
            assertThat(result.get(40)).isEqualTo((byte) -1);
        }
    }

    @Test
    void mappingSharesMemory() {
        try (ClBuffer buffer = context.buffer(24, ClAccess.HOST_VISIBLE)) {
            queue.fill(buffer, 0, 24, (byte) 1);
            ClMapping mapping = queue.map(buffer, 8, 8);
            assertThat(mapping.bytes().getLong(0)).isEqualTo(0x0101010101010101L);
            mapping.bytes().putLong(0, 0x1122334455667788L);
            mapping.close();
            mapping.close();
            assertThatIllegalStateException().isThrownBy(mapping::bytes);
            assertThat(read(buffer).getLong(8)).isEqualTo(0x1122334455667788L);
        }
    }

    @Test
    void subBufferIsAPartOfItsBuffer() {
        int align = (int) device.facts().limit("mem_base_addr_align", 1024) / 8;
        ByteBuffer data = random(3 * align + 5, 3);
        ClBuffer whole = context.bufferOf(data, ClAccess.READ_WRITE);
        ClBuffer part = whole.sub(2L * align, align + 5);
        assertThat(part.bytes()).isEqualTo(align + 5);
        assertThat(read(part)).isEqualTo(data.slice(2 * align, align + 5));
        queue.fill(part, 1, 2, (byte) 9);
        assertThat(read(whole).get(2 * align + 2)).isEqualTo((byte) 9);
        whole.close();
        assertThat(read(part).get(1)).isEqualTo((byte) 9);
        part.close();
    }

    @Test
    void rangesOutsideAreRefusedBeforeOpenCl() {
        try (ClBuffer buffer = context.buffer(16)) {
            ByteBuffer nine = ByteBuffer.allocateDirect(9);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> queue.write(buffer, 8, nine))
                    .withMessage("bytes 8 to 17 are not inside the buffer of 16 bytes");
            assertThatIllegalArgumentException().isThrownBy(() -> queue.read(buffer, -1, nine));
            assertThatIllegalArgumentException().isThrownBy(() -> queue.fill(buffer, 1, 16, (byte) 0));
            assertThatIllegalArgumentException().isThrownBy(() -> queue.copy(buffer, 0, buffer, 16, 1));
            assertThatIllegalArgumentException().isThrownBy(() -> buffer.sub(Long.MAX_VALUE, 2));
            assertThatIllegalArgumentException().isThrownBy(() -> buffer.sub(0, 0));
            assertThatIllegalArgumentException().isThrownBy(() -> queue.map(buffer, 9, 8));
            assertThatIllegalArgumentException().isThrownBy(() -> queue.write(buffer, 0, ByteBuffer.allocate(4)));
            assertThatIllegalArgumentException().isThrownBy(() -> queue.read(buffer, 0, nine.asReadOnlyBuffer()));
            assertThatIllegalArgumentException().isThrownBy(() -> context.buffer(0));
        }
    }

    @Test
    void tooLargeABufferIsAnErrorWithANextStep() {
        long tooLarge = device.facts().limit("global_mem_size", 0) * 2;
        assertThatThrownBy(() -> context.buffer(tooLarge))
                .isInstanceOf(ClException.class)
                .hasMessageContaining("clCreateBuffer failed on " + device.name() + ": CL_")
                .hasMessageContaining("; ");
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
            assertThat(kernel.localBytes()).isGreaterThanOrEqualTo(16);
        }
    }

    @Test
    void threeDimensionsAndDoubles() {
        if (device.facts().limit("double_fp_config", 0) == 0) {
            return;
        }
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
            assertThat(event.done()).isTrue();
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

    @Test
    void useAfterCloseIsRefusedAndClosingTwiceIsFine() {
        ClContext other = openCl.context(device);
        ClQueue otherQueue = other.queue(true);
        ClBuffer buffer = other.buffer(8);
        ClProgram program = other.program("e.cl", "kernel void e() {}", "");
        ClKernel kernel = program.kernel("e", List.of());
        ClEvent event = otherQueue.launchTimed(kernel, new long[] {1}, null);
        otherQueue.finish();
        for (AutoCloseable handle : List.of(event, kernel, program, buffer, otherQueue, other)) {
            closeTwice(handle);
            assertThat(handle.toString()).endsWith("(closed)");
        }
        assertThatIllegalStateException().isThrownBy(event::await).withMessage("event of kernel e is closed");
        assertThatIllegalStateException().isThrownBy(() -> queue.launch(kernel, new long[] {1}, null));
        assertThatIllegalStateException().isThrownBy(() -> program.kernel("e", List.of()));
        assertThatIllegalStateException().isThrownBy(() -> buffer.sub(0, 8));
        assertThatIllegalStateException().isThrownBy(() -> queue.fill(buffer, 0, 8, (byte) 0));
        assertThatIllegalStateException().isThrownBy(otherQueue::finish);
        assertThatIllegalStateException().isThrownBy(() -> other.buffer(1));
    }

    private static void closeTwice(AutoCloseable handle) {
        try {
            handle.close();
            handle.close();
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void twoContextsWorkAtTheSameTime() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<Float>> sums = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                float factor = 1 + i;
                sums.add(threads.submit(() -> repeatedlyScaled(factor)));
            }
            assertThat(sums.get(0).get()).isEqualTo(1 + 50f);
            assertThat(sums.get(1).get()).isEqualTo((float) (Math.pow(2, 50) + Math.pow(2, 50) - 1));
        } finally {
            threads.shutdown();
        }
    }

    /** 1, fifty times multiplied by the factor and increased by 1, in a context of its own. */
    private float repeatedlyScaled(float factor) {
        try (ClContext own = openCl.context(device);
                ClQueue ownQueue = own.queue(false);
                ClProgram program = own.program("scale.cl", SCALE, "");
                ClKernel kernel = program.kernel("scale", scaleArguments());
                ClBuffer x = own.bufferOf(floats(1), ClAccess.READ_WRITE)) {
            for (int i = 0; i < 50; i++) {
                kernel.arg("x", x).arg("factor", factor).arg("offset", 1).arg("count", 1L);
                ownQueue.launch(kernel, new long[] {1}, null);
            }
            ByteBuffer result = ByteBuffer.allocateDirect(4).order(ByteOrder.nativeOrder());
            ownQueue.read(x, 0, result);
            return result.getFloat(0);
        }
    }
}
