package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Devices that fail while requests are in flight: each has the right result. */
@Timeout(120)
@RequiresOpenCl
class PoolFaultTest {

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    private static final int REQUESTS = 20;

    static Stream<Arguments> faults() {
        return Stream.of(
                        "clEnqueueNDRangeKernel",
                        "clFinish",
                        "clCreateBuffer",
                        "clCreateSubDevices",
                        "clCreateCommandQueue")
                .flatMap(call -> Stream.of(ClStatus.CL_DEVICE_NOT_AVAILABLE, ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE)
                        .flatMap(status -> Stream.of(false, true).map(forGood -> Arguments.of(call, status, forGood))));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void everyRequestHasItsResult(String call, ClStatus status, boolean forGood) throws Exception {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        Map<String, Tensor> input = Map.of("x", TestGraphs.numbers(3, 6, 24));
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(counting.api()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session();
                Result expected = session.run(input);
                SessionPool pool = model.pool(PoolOptions.defaults())) {
            if (forGood) {
                counting.failFrom(call, 1, status);
            } else {
                counting.fail(call, 1, status);
            }
            List<CompletableFuture<Result>> results =
                    Stream.generate(() -> pool.submit(input)).limit(REQUESTS).toList();
            for (CompletableFuture<Result> future : results) {
                try (Result result = future.get()) {
                    assertThat(TensorComparison.difference(expected.get("y"), result.get("y"), Tolerance.DEFAULT))
                            .isEmpty();
                }
            }
            counting.failNoMore();
            assertThat(pool.statistics().done()).isEqualTo(REQUESTS);
        }
        counting.assertAllReleased();
    }
}
