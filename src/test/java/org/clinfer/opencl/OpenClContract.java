package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.clinfer.device.DeviceFacts;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every binding must do with devices, memory and lifetimes. */
abstract class OpenClContract extends OpenClFixture {

    OpenClContract(ClBinding binding) {
        super(binding);
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

    @Test
    void aPropertySaysHowManyFloatsAVectorHas() {
        System.setProperty(DeviceDiscovery.LANES, "8");
        try {
            OpenCl again = ((ClLoad.Available) OpenCl.open(binding)).openCl();
            assertThat(again.devices())
                    .isNotEmpty()
                    .allMatch(found -> found.facts().registerLanes() == 8);
        } finally {
            System.clearProperty(DeviceDiscovery.LANES);
        }
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
    void hostMemoryIsKeptUntilTheTransferIsDone() throws InterruptedException {
        try (ClBuffer buffer = context.buffer(64)) {
            WeakReference<ByteBuffer> host = written(buffer);
            System.gc();
            assertThat(host.get()).isNotNull();
            queue.read(buffer, 0, ByteBuffer.allocateDirect(64));
            for (int i = 0; i < 100 && host.get() != null; i++) {
                System.gc();
                Thread.sleep(20);
            }
            assertThat(host.get()).isNull();
            queue.close();
        }
        assertThat(counting.calls("clFinish")).isZero();
    }

    /** What is written, reachable from here on only through the queue. */
    private WeakReference<ByteBuffer> written(ClBuffer buffer) {
        ByteBuffer data = random(64, 8);
        queue.writeAsync(buffer, 0, data);
        return new WeakReference<>(data);
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
    void sharedBufferIsGivenBackByItsLastOwner() {
        ClBuffer first = context.bufferOf(random(16, 4), ClAccess.READ_WRITE);
        ClBuffer second = first.share();
        ClBuffer third = second.share();
        first.close();
        first.close();
        queue.fill(third, 0, 16, (byte) 7);
        assertThat(read(second).get(15)).isEqualTo((byte) 7);
        assertThatIllegalStateException().isThrownBy(first::share);
        third.close();
        assertThat(read(second).get(0)).isEqualTo((byte) 7);
        second.close();
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
    void misalignedSubBufferIsAnErrorWithANextStep() {
        // some drivers take any origin
        counting.fail("clCreateSubBuffer", 1, ClStatus.CL_MISALIGNED_SUB_BUFFER_OFFSET);
        try (ClBuffer buffer = context.buffer(16)) {
            assertThatThrownBy(() -> buffer.sub(1, 8))
                    .isInstanceOf(ClException.class)
                    .hasMessageContaining("CL_MISALIGNED_SUB_BUFFER_OFFSET (-13); align sub-buffers");
        }
    }

    @Test
    void tooLargeABufferIsAnErrorWithANextStep() {
        // some drivers take any size, and memory only when a kernel needs it
        counting.fail("clCreateBuffer", 1, ClStatus.CL_INVALID_BUFFER_SIZE);
        assertThatThrownBy(() -> context.buffer(16))
                .isInstanceOf(ClException.class)
                .hasMessage(
                        "clCreateBuffer failed on " + device.name()
                                + ": CL_INVALID_BUFFER_SIZE (-61); keep buffers above 0 and within the device's max_mem_alloc_size");
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
