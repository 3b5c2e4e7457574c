package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An engine whose vectors are for large networks alone. */
class LargeNetworksTest {

    private static final EngineOptions ONE_THREAD =
            EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(1);
    private static final Tensor PICTURE = TestGraphs.numbers(1, 1, 3, 32, 32);

    private String before = "";

    @BeforeEach
    void computeSmallNetworksInPlainJava() {
        before = System.getProperty(CpuPath.PROPERTY, "");
        System.setProperty(CpuPath.PROPERTY, "large");
    }

    @AfterEach
    void restore() {
        System.setProperty(CpuPath.PROPERTY, before);
    }

    private static Tensor run(Session session) {
        try (Result result = session.run(Map.of("x", PICTURE))) {
            return result.get("y").copy();
        }
    }

    private static Tensor inNewSession(Model model) {
        try (Session session = model.session()) {
            return run(session);
        }
    }

    private static Tensor by(String property) {
        System.setProperty(CpuPath.PROPERTY, property);
        try (Engine engine = Engine.open(ONE_THREAD);
                Model model = engine.load(TestGraphs.convolutions())) {
            return inNewSession(model);
        }
    }

    @Test
    void smallOnesTakeThePlainPathUntilALargeOneIsPlanned() {
        try (Engine engine = Engine.open(ONE_THREAD);
                Model model = engine.load(TestGraphs.convolutions());
                Session session = model.session()) {
            Tensor plain = run(session);
            assertThat(engine.cpuPath()).isEqualTo("plain");

            session.placement(Map.of("x", TensorType.of(DType.FLOAT32, 1, 3, 1400, 1400)));
            assertThat(engine.cpuPath()).isEqualTo("vector");

            assertThat(run(session).bytes()).as("a plan stays as it is").isEqualTo(plain.bytes());
            Tensor mixed = inNewSession(model); // the same plan by vectors, with forms of weights from both paths
            for (long i = 0; i < plain.elements(); i++) {
                assertThat(mixed.getDouble(i))
                        .isCloseTo(plain.getDouble(i), within(1e-4 * (1 + Math.abs(plain.getDouble(i)))));
            }
            try (Model later = engine.load(TestGraphs.convolutions())) {
                assertThat(inNewSession(later).bytes()).isEqualTo(by("").bytes());
            }
            assertThat(by("off").bytes()).isEqualTo(plain.bytes());
        }
    }

    @Test
    void notQuiteLargeOnesStayOnThePlainPath() {
        try (Engine engine = Engine.open(ONE_THREAD.withThreads(2));
                Model model = engine.load(TestGraphs.convolutions());
                Session session = model.session()) {
            session.placement(Map.of("x", TensorType.of(DType.FLOAT32, 1, 3, 1400, 1400)));
            assertThat(engine.cpuPath()).isEqualTo("plain");
        }
    }
}
