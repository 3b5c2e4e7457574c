package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.clinfer.cache.TunedChoices;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.CacheFolder;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Choices between kernel variants: that they are made, kept, used and explained; never how long something takes. */
class TuneTest {

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());

    @TempDir
    Path folder;

    private final Tensor x = TestGraphs.numbers(1, 2, 3, 16);

    private EngineOptions kept() {
        return DEVICE.withCache(CacheFolder.at(folder));
    }

    /** Two sums that are the same use of Add, which has several variants. */
    private static Graph sums() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 2, 3, 16));
        Edge sum = ops.add(ops.add(x, x), x);
        return ops.output("y", ops.flatten(sum).axis(1).named("view").y()).build();
    }

    private static Placement.Entry first(Session session) {
        return session.placement(Map.of()).nodes().get(0);
    }

    @Test
    @RequiresOpenCl
    void measuresEachDifferentNodeOnceAndReleasesEverything() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = Engine.open(kept(), () -> OpenCl.over(counting.api()));
                Model model = engine.load(sums())) {
            Tuning tuning = model.tune(Map.of());
            assertThat(tuning.kept()).isTrue();
            assertThat(tuning.nodes()).singleElement().satisfies(node -> {
                assertThat(node.op()).isEqualTo("Add");
                assertThat(node.count()).isEqualTo(2);
                assertThat(node.usual()).isEqualTo("Add_runs");
                assertThat(node.micros()).hasSizeGreaterThan(1).containsKey(node.chosen());
                assertThat(node.micros().keySet()).first().isEqualTo("Add_runs");
                assertThat(node.micros().values()).allMatch(micros -> micros >= 0);
            });
            assertThat(TunedChoices.kept(folder))
                    .singleElement()
                    .satisfies(file -> assertThat(file.choices())
                            .hasSize(tuning.nodes().get(0).isChanged() ? 1 : 0));
        }
        counting.assertAllReleased();
    }

    @Test
    @RequiresOpenCl
    void aVariantThatTheDeviceRefusesIsNotMeasured() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = Engine.open(kept(), () -> OpenCl.over(counting.api()));
                Model model = engine.load(sums())) {
            counting.fail("clEnqueueNDRangeKernel", 1, ClStatus.CL_INVALID_WORK_GROUP_SIZE);
            Tuning.Node node = model.tune(Map.of()).nodes().get(0);
            assertThat(node.micros()).isNotEmpty().doesNotContainKey("Add_runs");
        }
        counting.assertAllReleased();
    }

    @Test
    @RequiresOpenCl
    void aDeviceThatFailsWhileItIsTunedForIsToldAndNothingIsKept() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = Engine.open(kept(), () -> OpenCl.over(counting.api()));
                Model model = engine.load(sums())) {
            counting.failFrom("clFinish", 1, ClStatus.CL_OUT_OF_RESOURCES);
            assertThatThrownBy(() -> model.tune(Map.of()))
                    .isInstanceOf(ClException.class)
                    .hasMessageContaining("CL_OUT_OF_RESOURCES");
            counting.failNoMore();
            assertThat(TunedChoices.kept(folder)).isEmpty();
            assertThat(model.tune(Map.of()).nodes()).hasSize(1);
        }
        counting.assertAllReleased();
    }

    /** As if the reference had won. */
    private void choose(Engine engine, String variant) {
        try (Model model = engine.load(sums());
                Session session = model.session()) {
            assertThat(first(session).variant()).isEqualTo("runs");
        }
        String configuration = "Add(2x3x16:float32, 2x3x16:float32) -> 2x3x16:float32 ";
        TunedChoices.of(CacheFolder.at(folder), engine.device().orElseThrow())
                .add(Set.of(configuration), Map.of(configuration, new TunedChoices.Choice(variant, 1, "Add_runs", 2)));
    }

    @Test
    @RequiresOpenCl
    void usesWhatAnotherEngineChoseAndSaysSo() {
        try (Engine engine = Engine.open(kept())) {
            choose(engine, "Add_ref");
        }
        try (Engine engine = Engine.open(kept());
                Model model = engine.load(sums());
                Session session = model.session();
                Result result = session.run(Map.of("x", x))) {
            Placement.Entry entry = first(session);
            assertThat(entry.variant()).isEqualTo("ref");
            assertThat(entry.reasons())
                    .singleElement()
                    .isEqualTo("tuned: 1.0 us were measured on this device, and 2.0 us of Add_runs, which is the usual"
                            + " one");
            float[] three = x.toFloatArray();
            for (int i = 0; i < three.length; i++) {
                three[i] *= 3;
            }
            assertThat(result.get("y").toFloatArray()).containsExactly(three);
        }
        try (Engine engine = Engine.open(DEVICE.withCache(CacheFolder.off()));
                Model model = engine.load(sums());
                Session session = model.session()) {
            assertThat(first(session).variant()).isEqualTo("runs");
        }
    }

    @Test
    @RequiresOpenCl
    void ignoresAChoiceThatIsNoVariantAnyMore() {
        try (Engine engine = Engine.open(kept())) {
            choose(engine, "Add_gone");
        }
        try (Engine engine = Engine.open(kept());
                Model model = engine.load(sums());
                Session session = model.session()) {
            assertThat(first(session).variant()).isEqualTo("runs");
            assertThat(first(session).reasons()).isEmpty();
        }
    }

    @Test
    void thereIsNothingToTuneWithoutADevice() {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(sums())) {
            assertThatThrownBy(() -> model.tune(Map.of()))
                    .isInstanceOf(DeviceUnavailableException.class)
                    .hasMessageContaining("no OpenCL device");
        }
    }

    @Test
    @RequiresOpenCl
    void everyDimensionHasToBeKnown() {
        try (Engine engine = Engine.open(kept());
                Model model = engine.load(TestGraphs.rectifier(8))) {
            assertThatThrownBy(() -> model.tune(Map.of()))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("give all its dimensions");
            assertThat(model.tune(Map.of("x", TensorType.of(DType.FLOAT32, 2, 8)))
                            .nodes())
                    .isNotEmpty();
        }
    }
}
