package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.ConvolutionOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.run.DeviceRuntime;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which kernel a processor has for rows with a stride, and that it gives what the CPU path gives. */
@RequiresOpenCl
class StridedConvolutionsTest {

    private static Graph graph(long[] x, Tensor weights, long stride) {
        Ops ops = Ops.graph("net");
        Edge rows = ops.input("x", TensorType.of(DType.FLOAT32, x));
        return ops.output(
                        "y",
                        ops.convolution(
                                        rows,
                                        ops.constant("w", weights),
                                        new long[] {stride},
                                        new long[] {0},
                                        new long[] {0},
                                        1)
                                .dataFormat(ConvolutionOp.DataFormat.NCX)
                                .weightsFormat(ConvolutionOp.WeightsFormat.OIX)
                                .dst())
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 3001, 257, 512, 160, columns",
        "1, 211, 17, 25, 4, columns",
        "1, 211, 15, 25, 4, residues",
        "64, 399, 48, 3, 2, columns",
        "16, 200, 24, 9, 2, tile",
        "3, 100, 64, 7, 2, tile"
    })
    void rowsAreBroughtIntoColumnsWhereThatPays(
            int channels, int columns, int outputs, int window, long stride, String kernel) {
        long[] x = {2, channels, columns};
        Tensor weights = TestGraphs.numbers(1, outputs, channels, window);
        Map<String, Tensor> inputs = Map.of("x", TestGraphs.numbers(2, x));
        Graph graph = graph(x, weights, stride);
        try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Engine device = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()));
                Session onCpu = cpu.load(graph).session();
                Session onDevice = device.load(graph).session();
                Result expected = onCpu.run(inputs);
                Result result = onDevice.run(inputs)) {
            Assumptions.assumeTrue(device.context()
                    .device()
                    .map(DeviceRuntime::facts)
                    .filter(facts -> facts.kind() == DeviceFacts.Kind.CPU)
                    .isPresent());
            assertThat(onDevice.placement().nodes().get(0).variant()).isEqualTo(kernel);
            assertThat(result.get("y").toFloatArray())
                    .as("sums of whole numbers")
                    .containsExactly(expected.get("y").toFloatArray());
        }
    }
}
