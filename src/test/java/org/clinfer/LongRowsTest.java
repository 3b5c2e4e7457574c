package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deconvolution where positions in the full result are near 2^31. */
class LongRowsTest {

    private static final long STRIDE = (1L << 30) - 1;

    /** Of a full result of 2 * stride + 1 columns or rows the middle stays, which the second of three elements gives. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void theMiddleOfALongResult(boolean row, boolean onlyCpu) {
        long[] sizes = row ? new long[] {1, 1, 1, 3} : new long[] {1, 1, 3, 1};
        long[] stride = row ? new long[] {1, STRIDE} : new long[] {STRIDE, 1};
        long[] pad = row ? new long[] {0, STRIDE} : new long[] {STRIDE, 0};
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, sizes));
        Edge filter = ops.constant("filter", Tensor.of(new float[] {2}, 1, 1, 1, 1));
        Graph graph = ops.output(
                        "y",
                        ops.deconvolution(x, filter).stride(stride).pad(pad).y())
                .build();
        DeviceChoice device = onlyCpu ? new DeviceChoice.Cpu() : new DeviceChoice.Auto();
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device));
                Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(Map.of("x", Tensor.of(new float[] {3, 5, 7}, sizes)))) {
            assertThat(result.get("y").toFloatArray()).containsExactly(10);
        }
    }
}
