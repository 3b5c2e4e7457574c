package org.clinfer.opencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.clinfer.options.ClBinding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link ClQueue#finish()} waits, on a driver whose clFinish does not where the queue was flushed before. */
@RequiresOpenCl
final class EarlyFinishTest {

    private static final int BYTES = 4096;

    private CountingClApi counting;
    private ClContext context;
    private boolean inPlace;

    /** The queues that there are. */
    enum Kind {
        PLAIN,
        PROFILING,
        WATCHED;

        ClQueue on(ClContext context) {
            return this == WATCHED ? context.watchedQueue() : context.queue(this == PROFILING);
        }
    }

    @BeforeEach
    void open() {
        counting = CountingClApi.over(ClBinding.LWJGL);
        OpenCl openCl = ((ClLoad.Available) OpenCl.over(EarlyFinishClApi.over(counting.api()))).openCl();
        context = openCl.context(openCl.devices().get(0));
        inPlace = context.worksInPlace();
    }

    @AfterEach
    void everythingIsReleased() {
        context.close();
        counting.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource
    void readsAreDone(Kind kind) {
        ByteBuffer data = OpenClFixture.random(BYTES, 1);
        ByteBuffer result = ByteBuffer.allocateDirect(BYTES);
        try (ClQueue queue = kind.on(context);
                ClBuffer buffer = context.buffer(BYTES)) {
            queue.writeAsync(buffer, 0, data);
            queue.readAsync(buffer, 0, result);
            queue.flush();
            queue.finish();
            assertThat(result).isEqualTo(data);
        }
    }

    @ParameterizedTest
    @EnumSource
    void writesAreDone(Kind kind) {
        ByteBuffer data = OpenClFixture.random(BYTES, 2);
        ByteBuffer result = ByteBuffer.allocateDirect(BYTES);
        try (ClQueue queue = kind.on(context);
                ClBuffer buffer = context.buffer(BYTES)) {
            queue.writeAsync(buffer, 0, data);
            queue.flush();
            queue.finish();
            data.put(0, (byte) (data.get(0) + 1));
            queue.read(buffer, 0, result);
            assertThat(result.slice(1, BYTES - 1)).isEqualTo(data.slice(1, BYTES - 1));
            assertThat(result.get(0)).isEqualTo((byte) (data.get(0) - 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void closingWaitsForTransfers(Kind kind) {
        ByteBuffer data = OpenClFixture.random(BYTES, 3);
        ByteBuffer result = ByteBuffer.allocateDirect(BYTES);
        try (ClBuffer buffer = context.bufferOf(data, ClAccess.READ_WRITE)) {
            ClQueue queue = kind.on(context);
            queue.readAsync(buffer, 0, result);
            queue.flush();
            queue.close();
            assertThat(result).isEqualTo(data);
        }
    }

    @ParameterizedTest
    @EnumSource
    void launchesAfterOneThatWasWaitedForAreDone(Kind kind) {
        try (ClQueue queue = kind.on(context);
                ClHostBuffer buffer = context.hostBuffer(64, ClAccess.READ_WRITE);
                ClProgram program = context.program("scale.cl", OpenClFixture.SCALE, "");
                ClKernel scale = program.kernel("scale", OpenClFixture.scaleArguments())) {
            ByteBuffer memory = ByteBuffer.allocateDirect(1024)
                    .alignedSlice(ClHostBuffer.ALIGNMENT)
                    .limit(64);
            buffer.lend(memory.slice());
            scale.arg("x", buffer).arg("factor", 0f).arg("offset", 1).arg("count", 16L);
            try (ClEvent first = queue.launchTimed(scale, new long[] {16}, null)) {
                scale.arg("offset", 2);
                queue.launchTimed(scale, new long[] {16}, null).close();
                first.await();
                queue.finish();
                assertThat(shown(queue, buffer, memory)).isEqualTo(2f);
            }
            queue.fill(buffer, 0, 64, (byte) 0);
            queue.flush();
            queue.finish();
            assertThat(shown(queue, buffer, memory)).isZero();
            queue.launch(scale, new long[] {16}, null);
            queue.finish();
            assertThat(shown(queue, buffer, memory)).isEqualTo(2f);
        }
    }

    /** What a finished queue has left in memory of the host, after mapping it where that is not to be seen at once. */
    private float shown(ClQueue queue, ClHostBuffer buffer, ByteBuffer memory) {
        if (!inPlace) {
            try (ClMapping mapping = queue.mapAsync(buffer)) {
                queue.finish();
                return mapping.bytes().asFloatBuffer().get(0);
            }
        }
        return memory.duplicate().order(ByteOrder.nativeOrder()).asFloatBuffer().get(0);
    }
}
