package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs beside one another on a processor, each on one of its units. */
@Timeout(60)
@RequiresOpenCl
class UnitRunsTest {

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    private static final Map<String, Tensor> INPUT = Map.of("x", TestGraphs.numbers(3, 6, 24));

    private static void runBeside(CountingClApi counting) throws Exception {
        runBeside(counting, counting.api());
    }

    private static void runBeside(CountingClApi counting, ClApi api) throws Exception {
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(api));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session();
                Result expected = session.run(INPUT);
                SessionPool pool = model.pool(PoolOptions.defaults())) {
            int before = counting.calls("clCreateSubDevices");
            assertThat(before).as("one run has the whole device").isZero();
            assertThat(pool.runs())
                    .isEqualTo(Math.max(2, engine.device().orElseThrow().limit("max_compute_units", 0)));
            List<CompletableFuture<Result>> results =
                    Stream.generate(() -> pool.submit(INPUT)).limit(200).toList();
            for (CompletableFuture<Result> future : results) {
                try (Result result = future.get()) {
                    assertThat(TensorComparison.difference(expected.get("y"), result.get("y"), Tolerance.DEFAULT))
                            .isEmpty();
                }
            }
        }
        counting.assertAllReleased();
    }

    @ParameterizedTest
    @EnumSource(ClBinding.class)
    void aProcessorIsDividedOnce(ClBinding binding) throws Exception {
        CountingClApi counting = CountingClApi.over(binding);
        runBeside(counting);
        assertThat(counting.calls("clCreateSubDevices")).as("counted, and made").isEqualTo(2);
        assertThat(counting.calls("clReleaseDevice")).isGreaterThan(1);
    }

    @Test
    void whereItIsNotDividedRunsShareAllOfIt() throws Exception {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        counting.failFrom("clCreateSubDevices", 1, ClStatus.CL_INVALID_VALUE);
        runBeside(counting);
        assertThat(counting.calls("clCreateSubDevices")).isEqualTo(1);
        assertThat(counting.calls("clReleaseDevice")).isZero();
    }

    /** Some drivers take no queue on a part of a context's device. */
    @Test
    void whereAUnitHasNoQueueRunsShareAllOfIt() throws Exception {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        AtomicLong root = new AtomicLong();
        ClApi api = (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("clCreateContext")) {
                        root.set((Long) arguments[1]);
                    }
                    if (method.getName().equals("clCreateCommandQueue") && !arguments[1].equals(root.get())) {
                        ((int[]) arguments[3])[0] = ClStatus.CL_INVALID_DEVICE.code();
                        return 0L;
                    }
                    try {
                        return method.invoke(counting.api(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        runBeside(counting, api);
        assertThat(counting.calls("clCreateSubDevices")).isEqualTo(2);
    }
}
