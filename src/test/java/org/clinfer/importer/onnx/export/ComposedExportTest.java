package org.clinfer.importer.onnx.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.onnx.export.RoundTrip.graph;
import static org.clinfer.importer.onnx.export.RoundTrip.params;
import static org.clinfer.importer.onnx.export.RoundTrip.random;
import static org.clinfer.importer.onnx.export.RoundTrip.sizes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Composed operators are written as one node where ONNX has them, else as their parts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ComposedExportTest {

    @TempDir
    Path folder;

    private final RoundTrip files = new RoundTrip(() -> folder);

    @AfterAll
    void close() {
        files.close();
    }

    private static Arguments use(String op, long[] x, Params params, List<String> written, Tensor... constants) {
        return Arguments.of(op, x, params, written, constants);
    }

    static Stream<Arguments> uses() {
        return Stream.of(
                use("Mish", sizes(2, 9), params(), List.of("Mish")),
                use("HardMish", sizes(2, 9), params(), List.of("Clip", "Mul", "Mul", "Add", "Relu", "Add")),
                use("Hardmax", sizes(2, 5, 3), params().put("axis", 1L), List.of("Hardmax")),
                use("Trilu", sizes(4, 5), params().put("upper", false), List.of("Trilu"), Tensor.scalar(1L)),
                use(
                        "GroupNorm",
                        sizes(2, 6, 5),
                        params().put("num_groups", 3L).put("epsilon", 0.5),
                        List.of("GroupNormalization"),
                        random(6),
                        random(6)),
                use(
                        "GroupNorm",
                        sizes(2, 6, 5),
                        params().put("num_groups", 3L),
                        List.of("Reshape", "InstanceNormalization", "Shape", "Reshape"),
                        random(3),
                        random(3)),
                use(
                        "GroupNorm",
                        sizes(2, 6, 5),
                        params().put("num_groups", 3L),
                        List.of("Reshape", "InstanceNormalization", "Shape", "Reshape")),
                use(
                        "MeanVarianceNorm",
                        sizes(2, 3, 5, 4),
                        params().put("axes", sizes(1, 3)),
                        List.of("MeanVarianceNormalization")),
                use(
                        "MeanVarianceNorm",
                        sizes(2, 3, 5, 4),
                        params().put("axes", sizes(2, 3)).put("epsilon_mode", "inside_sqrt"),
                        List.of("InstanceNormalization")),
                use(
                        "MeanVarianceNorm",
                        sizes(2, 3, 5, 4),
                        params().put("axes", sizes(1)).put("normalize_variance", false),
                        List.of("ReduceMean", "Sub")),
                use("LpNorm", sizes(2, 7), params().put("axes", sizes(1)).put("p", 1L), List.of("LpNormalization")),
                use(
                        "LpNorm",
                        sizes(2, 7),
                        params().put("axes", sizes(1)).put("epsilon", 0.5).put("epsilon_mode", "max_norm"),
                        List.of("ReduceSumSquare", "Sqrt", "Max", "Div")));
    }

    @ParameterizedTest(name = "{0} {2} as {3}")
    @MethodSource("uses")
    void areWritten(String op, long[] x, Params params, List<String> written, Tensor[] constants) throws IOException {
        Graph graph = graph(op, TensorType.of(DType.FLOAT32, x), params, 1, constants);
        assertThat(files.operators(graph)).isEqualTo(written);
        files.same(graph, op);
    }

    @ParameterizedTest
    @MethodSource("wraps")
    void placesOutsideStayOutside(boolean wrap, List<String> written) throws IOException {
        Tensor depth = Tensor.scalar(3L);
        Tensor values = Tensor.of(new float[] {0, 1}, 2);
        Graph graph = graph("OneHot", TensorType.of(DType.INT64, 4), params().put("wrap", wrap), 1, depth, values);
        assertThat(files.operators(graph)).containsAll(written);
        files.same(graph, "OneHot");
    }

    static Stream<Arguments> wraps() {
        return Stream.of(Arguments.of(true, List.of("OneHot")), Arguments.of(false, List.of("Equal", "Where")));
    }

    @Test
    void thoseOfUsersAreWrittenAsTheirParts() throws IOException {
        Files.writeString(folder.resolve("own.json"), """
                {"author": "me", "ops": [
                  {"optype": "Twice", "arch": "none",
                   "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["floating"]}],
                   "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}],
                   "variants": [{"variant": "parts", "arch": "graph", "ops": [
                     {"name": "count", "optype": "Const", "tensors_out": [{"arg_name": "y", "name": "two"}],
                      "params": [{"arg_name": "dtype", "value": "x.dtype"}, {"arg_name": "dims", "value": "[x.dims[0]]"},
                                 {"arg_name": "data", "value": 2}]},
                     {"name": "mul", "optype": "Mul", "tensors_out": [{"arg_name": "y", "name": "y"}],
                      "tensors_in": [{"arg_name": "a", "name": "x"}, {"arg_name": "b", "name": "two"}]}]}]}]}
                """);
        OnnxExporter exporter = new OnnxExporter(OpCatalog.builtIn().with(folder));
        Graph known = graph("Twice", TensorType.of(DType.FLOAT32, 3), params(), 1);
        Path file = folder.resolve("twice.onnx");
        try (var out = Files.newOutputStream(file)) {
            exporter.content(known).writeTo(out);
        }
        assertThat(RoundTrip.operators(file)).containsExactly("Mul");
        TensorType open = new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("n"))));
        assertThatThrownBy(() -> exporter.content(graph("Twice", open, params(), 1)))
                .isInstanceOf(GraphException.class);
    }
}
