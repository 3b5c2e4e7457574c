package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.clinfer.errors.InputException;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.CacheFolder;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Models that are made ready beside their runs. */
class WarmUpTest {

    private static final EngineOptions CPU = EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());
    private static final Map<String, TensorType> TYPES = Map.of("x", TensorType.of(DType.FLOAT32, 4, 5));

    private static void checkRectifier(Session session) {
        Tensor x = TestGraphs.numbers(1, 4, 5);
        try (Result result = session.run(Map.of("x", x))) {
            assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
        }
    }

    @Test
    @RequiresOpenCl
    void theFirstRunBuildsAndTestsNothing() throws Exception {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withCache(CacheFolder.off());
        try (Engine engine = Engine.open(options, () -> OpenCl.over(counting.api()));
                Model model = engine.load(TestGraphs.rectifier(5))) {
            model.warmUp(TYPES).get(60, TimeUnit.SECONDS);
            int builds = counting.calls("clBuildProgram");
            int launches = counting.calls("clEnqueueNDRangeKernel");
            assertThat(builds).isPositive();
            try (Session session = model.session()) {
                checkRectifier(session);
                int first = counting.calls("clEnqueueNDRangeKernel") - launches;
                checkRectifier(session);
                assertThat(counting.calls("clEnqueueNDRangeKernel")).isEqualTo(launches + 2 * first);
            }
            assertThat(counting.calls("clBuildProgram")).isEqualTo(builds);
        }
        counting.assertAllReleased();
    }

    @Test
    void runsInTheMeantimeAreRight() throws Exception {
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            CompletableFuture<Void> ready = model.warmUp(TYPES);
            for (int run = 0; run < 20; run++) {
                checkRectifier(session);
            }
            ready.get(60, TimeUnit.SECONDS);
            checkRectifier(session);
        }
    }

    @Test
    void openSizesHaveToBeGiven() {
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.rectifier(5))) {
            assertThatThrownBy(() -> model.warmUp(Map.of()))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("give all its dimensions");
        }
    }

    @Test
    void aModelThatIsClosedEndsIt() {
        try (Engine engine = Engine.open(CPU)) {
            Model model = engine.load(TestGraphs.rectifier(5));
            CompletableFuture<Void> ready = model.warmUp(TYPES);
            model.close();
            assertThat(ready.handle((done, failure) -> failure == null || failure instanceof IllegalStateException)
                            .orTimeout(60, TimeUnit.SECONDS)
                            .join())
                    .isTrue();
            assertThatThrownBy(() -> model.warmUp(TYPES)).isInstanceOf(IllegalStateException.class);
        }
    }
}
