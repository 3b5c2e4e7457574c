package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs and results of a device with memory of its own pass through memory that the driver has made for that. */
@RequiresOpenCl
class PinnedTransferTest {

    private static final int WIDTH = 3000;
    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());

    private static void assertRectifies(Session session, long seed, long rows) {
        Tensor x = TestGraphs.numbers(seed, rows, WIDTH);
        float[] before = x.toFloatArray();
        try (Result result = session.run(Map.of("x", x))) {
            assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(before));
        }
        assertThat(x.toFloatArray()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(ClBinding.class)
    void isMappedOnceForAllRunsOfASize(ClBinding binding) {
        PinnedCalls pinned = new PinnedCalls(binding);
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            for (int run = 1; run < 5; run++) {
                assertRectifies(session, run, 2);
            }
            assertThat(pinned.bytes()).hasSize(1);
            assertThat(pinned.counting().calls("clEnqueueMapBuffer")).isEqualTo(1);
            assertThat(session.memory().hostValues()).isEqualTo(pinned.bytes().get(0));
            assertRectifies(session, 5, 7);
            assertRectifies(session, 6, 2);
            assertThat(pinned.bytes()).hasSize(2);
        }
        pinned.counting().assertAllReleased();
    }

    /** A result is in memory of its own as soon as the run has ended. */
    @Test
    void resultsOutliveTheNextRun() {
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            Tensor first = TestGraphs.numbers(1, 1, WIDTH);
            try (Result kept = session.run(Map.of("x", first))) {
                assertRectifies(session, 2, 1);
                assertThat(kept.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(first.toFloatArray()));
            }
        }
    }

    /** Without pinned memory, inputs and results are copied as they lie, and nothing has failed. */
    @ParameterizedTest
    @ValueSource(strings = {"clCreateBuffer", "clEnqueueMapBuffer"})
    void aDriverWithoutItIsNoFailure(String call) {
        int before = createdBefore();
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        pinned.counting()
                .failFrom(call, call.equals("clCreateBuffer") ? before : 1, ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE);
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            for (int run = 1; run < 4; run++) {
                assertRectifies(session, run, 2);
            }
            assertThat(session.recoveries()).isEmpty();
            assertThat(session.placement().count(Placement.Target.DEVICE)).isPositive();
            assertThat(pinned.bytes()).hasSize(1);
        }
        pinned.counting().assertAllReleased();
    }

    /** The number of the call that makes pinned memory: the last one of a first run. */
    private static int createdBefore() {
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            assertRectifies(session, 1, 2);
            assertThat(pinned.bytes()).hasSize(1);
            return pinned.counting().calls("clCreateBuffer");
        }
    }

    @Test
    void aLostDeviceIsOpenedAgain() {
        PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
        pinned.counting().fail("clEnqueueMapBuffer", 1, ClStatus.CL_OUT_OF_RESOURCES);
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            assertRectifies(session, 1, 2);
            pinned.counting().fail("clFinish", 1, ClStatus.CL_OUT_OF_RESOURCES);
            assertRectifies(session, 2, 2);
            assertRectifies(session, 3, 2);
        }
        pinned.counting().assertAllReleased();
    }
}
