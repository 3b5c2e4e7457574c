package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.clinfer.errors.StateLostException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bindings on a device with memory of its own: what is transferred, and what a failure of the device leaves. */
@RequiresOpenCl
class DeviceStateTest {

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    private static final Tensor ONES = Tensor.of(new float[] {1, 1, 1, 1}, 4);

    private final PinnedCalls pinned = new PinnedCalls(ClBinding.LWJGL);
    private final CountingClApi counting = pinned.counting();

    @AfterEach
    void nothingIsLeft() {
        counting.assertAllReleased();
    }

    /** A test of sums that are carried, with an engine of its own. */
    private interface Body {
        void run(Session session, IoBinding binding);
    }

    private void summing(Body body) {
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(BindingContract.accumulator());
                Session session = model.session();
                IoBinding binding = session.bind()) {
            binding.carry("sum", "total")
                    .set("total", ONES)
                    .set("x", ONES)
                    .set("factor", ONES)
                    .fetch();
            binding.run().close();
            body.run(session, binding);
        }
    }

    private static void assertTotal(IoBinding binding, float total) {
        try (Tensor value = binding.value("total")) {
            assertThat(value.toFloatArray()).containsOnly(total);
        }
    }

    /** Nothing crosses between host and device in a run that is given nothing and gives nothing. */
    @Test
    void stateDoesNotPassThroughTheHost() {
        summing((session, binding) -> {
            int writes = counting.calls("clEnqueueWriteBuffer");
            int reads = counting.calls("clEnqueueReadBuffer");
            for (int run = 0; run < 5; run++) {
                binding.run().close();
            }
            assertThat(counting.calls("clEnqueueWriteBuffer")).isEqualTo(writes);
            assertThat(counting.calls("clEnqueueReadBuffer")).isEqualTo(reads);
            binding.set("x", Tensor.of(new float[] {3, 3, 3, 3}, 4));
            binding.run().close();
            binding.run().close();
            assertThat(counting.calls("clEnqueueWriteBuffer")).isEqualTo(writes + 1);
            assertTotal(binding, 13);
            assertThat(counting.calls("clEnqueueReadBuffer")).isEqualTo(reads + 1);
        });
    }

    /** Memory of a state that grows is taken anew each time that it has doubled. */
    @Test
    void growingStateIsAllocatedSeldom() {
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(BindingContract.growing());
                Session session = model.session();
                IoBinding binding = session.bind()) {
            binding.carry("present", "past")
                    .set("past", Tensor.allocate(DType.FLOAT32, 1, 0, 3))
                    .fetch();
            for (int run = 0; run < 40; run++) {
                binding.run(Map.of("x", Tensor.allocate(DType.FLOAT32, 1, 1, 3)))
                        .close();
            }
            assertThat(binding.allocations()).isLessThan(14);
            assertThat(binding.value("past").shape().size(1)).isEqualTo(40);
        }
    }

    @Test
    void stateThatWasLostHasToBeSetAgain() {
        summing((session, binding) -> {
            counting.fail("clFinish", 1, ClStatus.CL_DEVICE_NOT_AVAILABLE);
            assertThatThrownBy(binding::run)
                    .isInstanceOfSatisfying(
                            StateLostException.class,
                            lost -> assertThat(lost.inputs()).containsExactly("total"))
                    .hasMessage("the values of the inputs [total] were on a device that was lost; set them again");
            assertThat(session.recoveries()).hasSize(1);
            binding.set("total", ONES);
            binding.run().close();
            binding.run().close();
            assertTotal(binding, 3);
        });
    }

    /** A loss that shows before there is any state costs nothing. */
    @Test
    void whatWasSetIsSentAgainToANewContext() {
        summing((session, binding) -> {
            binding.set("total", ONES);
            counting.fail("clFinish", 1, ClStatus.CL_DEVICE_NOT_AVAILABLE);
            binding.run().close();
            assertTotal(binding, 2);
            assertThat(session.recoveries()).hasSize(1);
        });
    }

    @Test
    void stateSurvivesAShortageOfMemory() {
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(BindingContract.growing());
                Session session = model.session();
                IoBinding binding = session.bind()) {
            binding.carry("present", "past").set("past", Tensor.allocate(DType.FLOAT32, 1, 0, 3));
            for (int run = 1; run <= 6; run++) {
                if (run > 2) {
                    counting.fail("clCreateBuffer", 1, ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE);
                }
                binding.run(Map.of("x", Tensor.of(new float[] {run, run, run}, 1, 1, 3)))
                        .close();
            }
            assertThat(session.recoveries()).isNotEmpty();
            assertThat(binding.value("past").toFloatArray())
                    .containsExactly(1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6);
        }
    }

    /** The state goes to the CPU with the run, because the device only has no memory for it any more. */
    @Test
    void stateGoesToTheCpuWithTheRun() {
        try (Engine engine = pinned.engine(DEVICE);
                Model model = engine.load(BindingContract.growing());
                Session session = model.session();
                IoBinding binding = session.bind()) {
            binding.carry("present", "past").set("past", Tensor.allocate(DType.FLOAT32, 1, 0, 3));
            binding.run(Map.of("x", Tensor.of(new float[] {1, 1, 1}, 1, 1, 3))).close();
            counting.failFrom("clCreateBuffer", 1, ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE);
            binding.run(Map.of("x", Tensor.of(new float[] {2, 2, 2}, 1, 1, 3))).close();
            assertThat(session.placement().count(Placement.Target.DEVICE)).isZero();
            assertThat(binding.value("past").toFloatArray()).containsExactly(1, 1, 1, 2, 2, 2);
        }
    }

    @Test
    void abortedRunsLeaveTheStateAsItWas() {
        summing((session, binding) -> {
            assertThatThrownBy(() -> binding.run(Map.of("x", Tensor.of(new float[] {1}, 1))))
                    .hasMessageContaining("input 'x' must be");
            binding.run().close();
            assertTotal(binding, 3);
        });
    }

    @Test
    void staysOnOneOfSeveralDevices() {
        CountingClApi counted = CountingClApi.over(ClBinding.LWJGL);
        SeveralDevicesClApi two = new SeveralDevicesClApi(2, DeviceAnswers.separateMemory(counted.api()));
        EngineOptions both = EngineOptions.defaults().withDevice(new DeviceChoice.Several(List.of(0, 1)));
        try (Engine engine = Engine.open(both, () -> OpenCl.over(two.api()));
                Model model = engine.load(BindingContract.accumulator());
                Session session = model.session();
                IoBinding one = session.bind();
                IoBinding other = session.bind()) {
            for (IoBinding binding : List.of(one, other)) {
                binding.carry("sum", "total")
                        .set("total", ONES)
                        .set("x", ONES)
                        .set("factor", ONES)
                        .fetch();
                binding.run().close();
            }
            int reads = counted.calls("clEnqueueReadBuffer");
            for (int run = 0; run < 3; run++) {
                one.run().close();
                other.run().close();
            }
            assertThat(counted.calls("clEnqueueReadBuffer")).isEqualTo(reads);
            assertTotal(one, 5);
            assertTotal(other, 5);
        }
        counted.assertAllReleased();
    }
}
