package org.clinfer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parts of a composed operator whose {@code when} is false: each is replaced by its first input. */
final class LeftOutPartsTest {

    /** Three parts in a row, each of which a parameter keeps. */
    private static final String CHAIN = """
            {"families": {
              "part": {"name": "$name", "optype": "$optype", "when": "contains(kept, '$name')",
                "tensors_in": [{"arg_name": "x", "name": "$x"}], "tensors_out": [{"arg_name": "y", "name": "$y"}]}
             },
             "ops": [
              {"optype": "Chain", "author": "me", "arch": "none",
               "tensors_in": [{"arg_name": "x", "mtype": "LN_MEM_NONE", "dtype": ["floating"]}],
               "params": [{"arg_name": "kept", "ptype": "LN_PARAM_ARRAY_STRING"}],
               "tensors_out": [{"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype", "dims": "x.dims"}]},
              {"optype": "Chain_parts", "author": "me", "arch": "graph", "inherits": "Chain", "variant": "parts", "ops": [
                {"like": "part", "name": "a", "optype": "Relu", "x": "x", "y": "s"},
                {"like": "part", "name": "b", "optype": "Neg", "x": "s", "y": "t"},
                {"like": "part", "name": "c", "optype": "Abs", "x": "t", "y": "y"}]}
            ]}
            """;

    @TempDir
    private Path folder;

    /** One part alone is a lowering: the node stays. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a b c | Relu in>net/s, Neg net/s>net/t, Abs net/t>out",
                "b c   | Neg in>net/t, Abs net/t>out",
                "a c   | Relu in>net/s, Abs net/s>out",
                "a b   | Relu in>net/s, Neg net/s>out",
                "a     | Chain in>out",
                "b     | Chain in>out",
                "c     | Chain in>out",
                "''    | Chain in>out",
            })
    void theOthersAreConnected(String kept, String nodes) throws IOException {
        Files.writeString(folder.resolve("chain.json"), CHAIN);
        OpCatalog catalog = OpCatalog.builtIn().with(folder);
        TensorType type = TensorType.of(DType.FLOAT32, 3);
        Map<String, Attribute> params = Map.of(
                "kept",
                new Attribute.ListValue(List.of(kept.split(" ", -1)).stream()
                        .map(Attribute::of)
                        .map(Attribute.class::cast)
                        .toList()));
        Graph graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("in", type)
                .node("Chain", List.of("in"), List.of("out"), params)
                .output("out")
                .build();
        CheckedGraph checked =
                Checker.check(new CheckRequest(graph, Map.of("in", type)), catalog, ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        assertThat(checked.walked().stream()
                        .map(node -> node.op() + " " + node.inputs().get(0) + ">"
                                + node.outputs().get(0))
                        .collect(Collectors.joining(", ")))
                .isEqualTo(nodes.replace("net/", graph.nodes().get(0).name() + "/"));
        assertThat(checked.types()).containsEntry("out", type);
        assertThat(checked.nodes())
                .allSatisfy(node -> assertThat(node.lowered() == null).isEqualTo(nodes.contains(",")));
    }
}
