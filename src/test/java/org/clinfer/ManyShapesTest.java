package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.runtime.MemoryBudget;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One session, and pictures of many sizes in turn. */
class ManyShapesTest {

    private static final int SHAPES = 64;
    private static final EngineOptions CPU = EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());
    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);

    @AfterEach
    void everythingIsReleased() {
        counting.assertAllReleased();
    }

    private Engine onDevice(boolean chain) {
        return Engine.open(DEVICE.withChain(chain), () -> OpenCl.over(counting.api()));
    }

    /** Pictures of as many sizes, in no order. */
    private static List<Tensor> pictures() {
        List<Integer> sizes = new ArrayList<>(
                IntStream.range(5, 5 + SHAPES).map(size -> 2 * size).boxed().toList());
        Collections.shuffle(sizes, new Random(7));
        return sizes.stream()
                .map(size -> TestGraphs.numbers(size, 1, 3, size, 3 + size / 2))
                .toList();
    }

    private static int run(Session session, Tensor picture) {
        try (Result result = session.run(Map.of("x", picture))) {
            byte[] bytes = new byte[result.get("y").bytes().remaining()];
            result.get("y").bytes().get(bytes);
            return Arrays.hashCode(bytes);
        }
    }

    private static List<Integer> round(Session session, List<Tensor> pictures) {
        return pictures.stream().map(picture -> run(session, picture)).toList();
    }

    /** What each gives in a session of its own. */
    private static List<Integer> alone(Model model, List<Tensor> pictures) {
        return pictures.stream()
                .map(picture -> {
                    try (Session session = model.session()) {
                        return run(session, picture);
                    }
                })
                .toList();
    }

    @RequiresOpenCl
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onADeviceEveryShapeIsPlannedOnceAndProgramsDoForMany(boolean chain) {
        List<Tensor> pictures = pictures();
        try (Engine engine = onDevice(chain);
                Model model = engine.load(TestGraphs.convolutions());
                Session session = model.session()) {
            List<Integer> first = round(session, pictures);
            int programs = counting.calls("clCreateProgramWithSource");
            assertThat(programs).isLessThan(10);
            List<Integer> second = round(session, pictures);
            int kernels = counting.calls("clCreateKernel");

            assertThat(round(session, pictures)).isEqualTo(second).isEqualTo(first);

            assertThat(session.plansMade()).isEqualTo(SHAPES);
            assertThat(counting.calls("clCreateProgramWithSource")).isEqualTo(programs);
            assertThat(counting.calls("clCreateKernel")).as("all are ready").isEqualTo(kernels);
            assertThat(alone(model, pictures)).isEqualTo(first);
        }
    }

    @Test
    void onTheCpuEveryShapeIsPlannedOnceAndWeightsArePackedForAll() {
        List<Tensor> pictures = pictures();
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.convolutions());
                Session session = model.session()) {
            List<Integer> first = round(session, pictures);
            long packed = model.packed().bytes();

            assertThat(round(session, pictures)).isEqualTo(first);
            assertThat(round(session, pictures)).isEqualTo(first);

            assertThat(session.plansMade()).isEqualTo(SHAPES);
            assertThat(model.packed().bytes()).isEqualTo(packed);
            assertThat(alone(model, pictures)).isEqualTo(first);
        }
    }

    /** A plan is a small thing: a megabyte has those of all sizes. */
    @Test
    void underASmallLimitEveryShapeIsPlannedOnce() {
        List<Tensor> pictures = pictures();
        System.setProperty(MemoryBudget.PROPERTY, Long.toString(16 << 20));
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.convolutions());
                Session session = model.session()) {
            assertThat(round(session, pictures)).isEqualTo(round(session, pictures));
            assertThat(session.plansMade()).isEqualTo(SHAPES);
        } finally {
            System.clearProperty(MemoryBudget.PROPERTY);
        }
    }

    /** A limit under which a few plans may be ready, and a few kept. */
    @RequiresOpenCl
    @Test
    void shortOfMemoryPlansAreGivenUpAndResultsStayRight() {
        List<Tensor> pictures = pictures();
        List<Integer> expected;
        try (Engine engine = Engine.open(DEVICE);
                Model model = engine.load(TestGraphs.convolutions())) {
            expected = alone(model, pictures);
        }
        System.setProperty(MemoryBudget.PROPERTY, Long.toString(8 << 20));
        try (Engine engine = onDevice(true);
                Model model = engine.load(TestGraphs.convolutions());
                Session session = model.session()) {
            assertThat(round(session, pictures)).isEqualTo(expected);
            int kernels = counting.calls("clCreateKernel");
            int ready = counting.live().getOrDefault("Kernel", 0);

            assertThat(round(session, pictures)).isEqualTo(expected);

            assertThat(ready).isBetween(2, SHAPES / 4);
            assertThat(counting.live().getOrDefault("Kernel", 0)).isBetween(2, SHAPES / 4);
            assertThat(counting.calls("clCreateKernel")).isGreaterThanOrEqualTo(kernels + SHAPES);
            assertThat(session.plansMade()).isGreaterThan(SHAPES);
        } finally {
            System.clearProperty(MemoryBudget.PROPERTY);
        }
    }
}
