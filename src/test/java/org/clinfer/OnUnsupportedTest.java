package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.graph.FallbackException;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Engines that refuse models of which the device does not take every node. */
class OnUnsupportedTest {

    private static final EngineOptions FAIL =
            EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()).withOnUnsupported(OnUnsupported.FAIL);

    /** Two nodes of float64, which the profile does not take. */
    private static Graph doubles(Dim rows) {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", new TensorType(DType.FLOAT64, new Shape(List.of(rows, Dim.of(3)))));
        return ops.output("y", ops.relu(ops.neg(x))).build();
    }

    private static DeviceProfile profile() {
        return ProfileCatalog.builtIn().find("ascend310");
    }

    @Test
    @RequiresOpenCl
    void aModelIsRefusedWithAllItsNodesWhenItIsLoaded() {
        try (Engine engine = Engine.open(FAIL.withProfile(profile(), Reading.PUBLISHED))) {
            assertThatThrownBy(() -> engine.load(doubles(Dim.of(2))))
                    .isInstanceOfSatisfying(FallbackException.class, refused -> {
                        assertThat(refused.refusals()).hasSize(2);
                        assertThat(refused.refusals().get(0)).contains("(Neg): ascend/operators: ");
                        assertThat(refused.refusals().get(1))
                                .contains("(Relu): ")
                                .contains("float64");
                        assertThat(refused.getMessage())
                                .contains(": 2 nodes cannot run on the device: ")
                                .doesNotContain("(Neg): 2 nodes");
                    });
        }
    }

    @Test
    @RequiresOpenCl
    void aModelOfOpenSizesIsRefusedWhenItIsPlanned() {
        try (Engine engine = Engine.open(FAIL.withProfile(profile(), Reading.PUBLISHED));
                Model model = engine.load(doubles(Dim.named("rows")));
                Session session = model.session()) {
            assertThatThrownBy(() -> session.run(Map.of("x", Tensor.allocate(DType.FLOAT64, 2, 3))))
                    .isInstanceOf(FallbackException.class);
        }
    }

    @Test
    @RequiresOpenCl
    void whatTheDeviceTakesRunsThere() {
        try (Engine engine = Engine.open(FAIL.withDevice(new DeviceChoice.Auto()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session();
                Result result = session.run(Map.of("x", TestGraphs.numbers(3, 6, 24)))) {
            assertThat(result.get("y").elements()).isEqualTo(60);
            assertThat(session.placement().count(Placement.Target.CPU)).isZero();
        }
    }

    /** The usual engine lets the CPU do it. */
    @Test
    @RequiresOpenCl
    void otherwiseTheCpuTakesThem() {
        try (Engine engine = Engine.open(
                        FAIL.withOnUnsupported(OnUnsupported.CPU).withProfile(profile(), Reading.PUBLISHED));
                Model model = engine.load(doubles(Dim.of(2)));
                Session session = model.session()) {
            session.run(Map.of("x", Tensor.allocate(DType.FLOAT64, 2, 3))).close();
            assertThat(session.placement().count(Placement.Target.CPU)).isEqualTo(2);
        }
    }

    /** A device that fails for good is not replaced by the CPU. */
    @Test
    @RequiresOpenCl
    void aDeviceThatFailsIsAnError() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = Engine.open(FAIL, () -> OpenCl.over(counting.api()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            Map<String, Tensor> x = Map.of("x", TestGraphs.numbers(3, 6, 24));
            session.run(x).close();
            counting.failFrom("clFinish", 1, ClStatus.CL_DEVICE_NOT_AVAILABLE);
            assertThatThrownBy(() -> session.run(x)).isInstanceOf(ClException.class);
        }
    }

    @Test
    void withoutADeviceTheEngineIsNotOpened() {
        assertThatThrownBy(() -> Engine.open(FAIL.withDevice(new DeviceChoice.Cpu())))
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessageStartingWith("every node is to run on a device, but there is none: ");
    }
}
