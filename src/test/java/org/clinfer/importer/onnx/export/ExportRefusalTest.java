package org.clinfer.importer.onnx.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.export.RoundTrip.MEMORY;
import static org.clinfer.importer.onnx.export.RoundTrip.graph;
import static org.clinfer.importer.onnx.export.RoundTrip.params;
import static org.clinfer.importer.onnx.export.RoundTrip.random;
import static org.clinfer.importer.onnx.export.RoundTrip.refusal;
import static org.clinfer.importer.onnx.export.RoundTrip.sizes;

import java.util.List;
import java.util.Map;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** What cannot be written as ONNX is told, with the node and the reason. */
class ExportRefusalTest {

    @Test
    void whatOnnxCannotSayIsNamed() {
        TensorType x = TensorType.of(DType.FLOAT32, 1, 2, 8, 8);
        assertThat(refusal(graph("DeePhiDownsample", x, params().put("scale", sizes(2, 2)), 1)))
                .isEqualTo("memory: node 0 'node' (DeePhiDownsample): ONNX has no operator DeePhiDownsample");
        assertThat(refusal(graph("Relu", x, params().put("frob", 1), 1))).contains("with parameter frob");
        assertThat(refusal(graph("Elu", x, params().put("alpha", "much"), 1))).contains("parameter alpha much");
        assertThat(refusal(graph("Lrn", x, params(), 1))).contains("no parameter size");
        Params corners = params().put("pad_with", sizes(1, 1, 0, 0, 0, 0, 0, 0))
                .put("constant_values", new double[] {1, 2, 0, 0, 0, 0, 0, 0});
        assertThat(refusal(graph("Pad", x, corners, 1))).contains("several constant_values");
        Params third = params().put("scales", new double[] {1, 1, 1.0 / 3, 1});
        assertThat(refusal(graph("Resize", x, third, 1))).contains("scale 0.333");
        Params ceil = params().put("strides", sizes(2, 2)).put("ceil_mode", "CEIL");
        assertThat(refusal(graph("Conv2d", x, ceil, 1, random(2, 2, 2, 2)))).contains("ceil_mode CEIL");
        TensorType bytes = TensorType.of(DType.INT8, 1, 2, 8, 8);
        assertThat(refusal(graph("Conv2d", bytes, params(), 1, Tensor.allocate(DType.INT8, 2, 2, 2, 2))))
                .contains("elements of int8");
        assertThat(refusal(graph("Identity", TensorType.of(DType.U1, 8), params(), 1)))
                .contains("input 'x': ONNX has no data type u1");
    }

    @Test
    void refusalsAreNamedTogether() {
        Graph graph = new GraphBuilder("two", MEMORY)
                .input("x", DType.FLOAT32, 1, 1, 8, 8)
                .node(
                        "a",
                        "DeePhiDownsample",
                        List.of("x"),
                        List.of("h"),
                        params().put("scale", sizes(2, 2)).map())
                .node("b", "Relu", List.of("h"), List.of("r"), Map.of())
                .node(
                        "c",
                        "DeePhiDownsample",
                        List.of("r"),
                        List.of("y"),
                        params().put("scale", sizes(2, 2)).map())
                .output("y")
                .build();
        assertThat(refusal(graph))
                .isEqualTo("memory: 2 nodes cannot be written as ONNX:"
                        + " node 0 'a' (DeePhiDownsample): ONNX has no operator DeePhiDownsample;"
                        + " node 2 'c' (DeePhiDownsample): ONNX has no operator DeePhiDownsample");
    }

    @Test
    void filesEndAtTwoGiB() {
        Tensor large = Tensor.allocate(DType.INT8, 1 << 28);
        GraphBuilder graph = new GraphBuilder("large", MEMORY);
        for (int i = 0; i < 9; i++) {
            graph.constant("c" + i, large).output("c" + i);
        }
        assertThatThrownBy(() -> new OnnxExporter(OpCatalog.builtIn()).content(graph.build()))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("such files end at 2 GiB");
        large.close();
    }
}
