package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.EarlyFinishClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that shares the host's memory works on inputs and outputs where they are. */
@RequiresOpenCl
class SharedMemoryTest {

    private static final int WIDTH = 20_000;
    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());

    private static Engine engine(ClApi api) {
        return Engine.open(DEVICE, () -> OpenCl.over(api));
    }

    private static Tensor rectified(Tensor x) {
        return Tensor.of(TestGraphs.rectified(x.toFloatArray()), x.shape().sizes());
    }

    /** The same elements in memory that begins {@code shift} bytes behind a multiple of the alignment. */
    private static Tensor shifted(Tensor tensor, int shift) {
        int bytes = Math.toIntExact(tensor.type().bytes());
        ByteBuffer memory = Tensor.alignedMemory(bytes + shift).slice(shift, bytes);
        memory.duplicate().put(tensor.bytes());
        return Tensor.wrap(tensor.type(), memory);
    }

    private static void assertRectifies(Session session, Tensor x) {
        float[] before = x.toFloatArray();
        try (Result result = session.run(Map.of("x", x))) {
            assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(before));
        }
        assertThat(x.toFloatArray()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(ClBinding.class)
    void nothingIsCopied(ClBinding binding) {
        CountingClApi counting = CountingClApi.over(binding);
        try (Engine engine = engine(counting.api());
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            assertRectifies(session, TestGraphs.numbers(1, 1, WIDTH));
            int writes = counting.calls("clEnqueueWriteBuffer");
            for (int run = 2; run < 6; run++) {
                assertRectifies(session, TestGraphs.numbers(run, 1, WIDTH));
            }
            assertThat(counting.calls("clEnqueueWriteBuffer")).isEqualTo(writes);
            assertThat(counting.calls("clEnqueueReadBuffer")).isZero();
        }
        counting.assertAllReleased();
    }

    /** Whether a processor's driver works in place is tried by a fill; without it, results are mapped before they are read. */
    private static CountingClApi thatMustBeMapped() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        counting.fail("clEnqueueFillBuffer", 1, ClStatus.CL_INVALID_OPERATION);
        return counting;
    }

    @Test
    void resultsAreMappedWhereItIsNotKnownThatTheyAreThere() {
        CountingClApi counting = thatMustBeMapped();
        try (Engine engine = engine(counting.api());
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            for (int run = 1; run < 4; run++) {
                assertRectifies(session, TestGraphs.numbers(run, 1, WIDTH));
                assertThat(counting.calls("clEnqueueMapBuffer")).isEqualTo(run);
                assertThat(counting.calls("clEnqueueUnmapMemObject")).isEqualTo(run);
            }
        }
        counting.assertAllReleased();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, WIDTH})
    void resultsAreThereThoughFinishReturnsEarly(int width) {
        for (CountingClApi counting : List.of(CountingClApi.over(ClBinding.LWJGL), thatMustBeMapped())) {
            try (Engine engine = engine(EarlyFinishClApi.over(counting.api()));
                    Model model = engine.load(TestGraphs.rectifier(width));
                    Session session = model.session()) {
                for (int run = 1; run < 4; run++) {
                    assertRectifies(session, TestGraphs.numbers(run, 1, width));
                }
            }
            counting.assertAllReleased();
        }
    }

    @Test
    void aWaitThatCannotAskSleeps() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = engine(counting.api());
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            for (int run = 1; run < 4; run++) {
                counting.fail("clGetEventInfo", 1, ClStatus.CL_OUT_OF_RESOURCES);
                assertRectifies(session, TestGraphs.numbers(run, 1, WIDTH));
            }
        }
        counting.assertAllReleased();
    }

    @Test
    void memoryOfItsOwnIsCopiedTo() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = engine(DeviceAnswers.separateMemory(counting.api()));
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            assertRectifies(session, TestGraphs.numbers(1, 1, WIDTH));
            assertThat(counting.calls("clEnqueueReadBuffer")).isOne();
        }
        counting.assertAllReleased();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 16, 60})
    void anyMemoryWillDo(int shift) {
        try (Engine engine = engine(CountingClApi.over(ClBinding.LWJGL).api());
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            for (int run = 0; run < 3; run++) {
                assertRectifies(session, shifted(TestGraphs.numbers(run, 1, WIDTH), shift));
                assertRectifies(session, TestGraphs.numbers(run + 9, 1, WIDTH));
            }
        }
    }

    @Test
    void resultsStayWhenLaterRunsFollow() {
        try (Engine engine = engine(CountingClApi.over(ClBinding.LWJGL).api());
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            Tensor first = TestGraphs.numbers(1, 1, WIDTH);
            Tensor second = TestGraphs.numbers(2, 1, WIDTH);
            Tensor one = session.run(Map.of("x", first)).get("y");
            Tensor two = session.run(Map.of("x", second)).get("y");
            assertThat(one.toFloatArray()).isEqualTo(rectified(first).toFloatArray());
            assertThat(two.toFloatArray()).isEqualTo(rectified(second).toFloatArray());
            // what a run gave is input of the next
            assertRectifies(session, one);
        }
    }

    @Test
    void oneTensorMayBeTwoInputs() {
        Ops ops = Ops.graph("net");
        TensorType type = TensorType.of(DType.FLOAT32, WIDTH);
        ops.output("y", ops.sub(ops.input("p", type), ops.input("q", type)));
        try (Engine engine = engine(CountingClApi.over(ClBinding.LWJGL).api());
                Model model = engine.load(ops.build());
                Session session = model.session()) {
            Tensor x = TestGraphs.numbers(3, WIDTH);
            try (Result result = session.run(Map.of("p", x, "q", x))) {
                assertThat(result.get("y").toFloatArray()).containsOnly(0f);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"clCreateBuffer", "clEnqueueMapBuffer", "clEnqueueUnmapMemObject", "clFinish"})
    void theSessionGoesOnAfterAFault(String call) {
        CountingClApi counting = thatMustBeMapped();
        try (Engine engine = engine(counting.api());
                Model model = engine.load(TestGraphs.rectifier(WIDTH));
                Session session = model.session()) {
            assertRectifies(session, TestGraphs.numbers(1, 1, WIDTH));
            Tensor x = TestGraphs.numbers(2, 1, WIDTH);
            counting.fail(call, 1, ClStatus.CL_OUT_OF_RESOURCES);
            try (Result result = session.run(Map.of("x", x))) {
                assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
            } catch (ClException e) {
                assertThat(e.status()).isEqualTo(ClStatus.CL_OUT_OF_RESOURCES);
            }
            assertRectifies(session, TestGraphs.numbers(3, 1, WIDTH));
        }
        counting.assertAllReleased();
    }
}
