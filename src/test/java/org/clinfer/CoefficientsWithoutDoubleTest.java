package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Integers times a real coefficient, on a device without float64: taken only where float32 does not round. */
@RequiresOpenCl
class CoefficientsWithoutDoubleTest {

    @ParameterizedTest
    @CsvSource({"INT8, 0.1, CPU, -4", "INT8, 2, DEVICE, -90", "FLOAT32, 0.1, DEVICE, -4.5"})
    void areComputedWhereTheyAreExact(DType type, double alpha, Placement.Target target, double expected) {
        Ops ops = Ops.graph("leaky");
        ops.output(
                "y",
                ops.leakyRelu(ops.input("x", TensorType.of(type, 16)))
                        .alpha(alpha)
                        .y());
        Tensor x = Tensor.allocate(type, 16);
        x.setDouble(3, -45);
        try (ConformanceEngine phone = ConformanceEngine.smallGpu(ClBinding.LWJGL)) {
            phone.run(ops.build(), Map.of("x", x), (outputs, placement) -> {
                assertThat(placement).extracting(Placement.Entry::target).isEqualTo(List.of(target));
                if (target == Placement.Target.CPU) {
                    assertThat(placement.get(0).reasons())
                            .anyMatch(reason -> reason.contains("integers times 0.1 need float64 (cl_khr_fp64)"));
                }
                assertThat(Objects.requireNonNull(outputs.get("y")).getDouble(3))
                        .isEqualTo(DType.FLOAT32 == type ? (float) expected : expected);
            });
        }
    }
}
