package org.clinfer.infer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.check.Finding;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckedGraph.NodeFinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Inference, folding and findings, on the operators of the product. */
class CheckerTest {

    private static final TensorType NAMED =
            new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(6))));

    private final List<String> evaluated = new ArrayList<>();
    private final Map<String, Tensor> folded = new HashMap<>();

    private static GraphBuilder builder(TensorType x) {
        return new GraphBuilder("net", new SourceRef("net.onnx", "")).input("x", x);
    }

    private static GraphBuilder node(GraphBuilder builder, String op, String inputs, String output) {
        return builder.node(op, List.of(inputs.split(",", -1)), List.of(output), Map.of());
    }

    private CheckedGraph check(Graph graph, TensorType x) {
        return check(graph, Map.of("x", x), Map.of());
    }

    private CheckedGraph check(Graph graph, Map<String, TensorType> types, Map<String, Tensor> values) {
        CheckRequest request = new CheckRequest(graph, types, values, folded);
        CheckedGraph checked = Checker.check(request, OpCatalog.builtIn(), this::evaluate);
        folded.putAll(checked.folded());
        return checked;
    }

    /** Adds, gathers from, reshapes and joins small int64 tensors. */
    private Optional<List<Tensor>> evaluate(CheckedNode node, List<@Nullable Tensor> inputs) {
        evaluated.add(node.node().op());
        List<Long> values = new ArrayList<>();
        if (node.node().op().equals("Gather")) {
            values.add(longs(inputs.get(0))[(int) longs(inputs.get(1))[0]]);
        } else if (node.node().op().equals("Add")) {
            values.add(longs(inputs.get(0))[0] + longs(inputs.get(1))[0]);
        } else {
            for (Tensor input : node.node().op().equals("Unsqueeze") ? inputs.subList(0, 1) : inputs) {
                for (long value : longs(input)) {
                    values.add(value);
                }
            }
        }
        long[] elements = values.stream().mapToLong(Long::longValue).toArray();
        return Optional.of(
                List.of(Tensor.of(elements, node.outputTypes().get(0).shape().sizes())));
    }

    private static long[] longs(@Nullable Tensor tensor) {
        if (tensor == null) {
            throw new AssertionError("no such input");
        }
        return tensor.toLongArray();
    }

    private static List<String> rules(CheckedGraph checked) {
        return checked.findings().stream()
                .map(found -> found.node().name() + " " + found.verdict() + " "
                        + found.finding().rule())
                .toList();
    }

    /** One graph removes a dimension that is none of size 1. */
    private static Graph branches() {
        SourceRef source = new SourceRef("net.onnx", "");
        TensorType type = TensorType.of(DType.FLOAT32, 2, 6);
        Graph removed = node(builder(type).constant("axes", Tensor.of(new long[] {0}, 1)), "Squeeze", "x,axes", "y")
                .output("y")
                .build();
        Graph kept = node(builder(type), "Relu", "x", "y").output("y").build();
        return builder(type)
                .input("c", DType.BOOL)
                .node(new Node(
                        "if",
                        ControlFlow.IF,
                        List.of("c", "x"),
                        List.of("z"),
                        Map.of(),
                        Map.of(ControlFlow.THEN, removed, ControlFlow.ELSE, kept),
                        source))
                .output("z")
                .build();
    }

    @Test
    void aBranchThatIsKnownStandsForItsNode() {
        TensorType x = TensorType.of(DType.FLOAT32, 2, 6);
        Tensor condition = Tensor.allocate(DType.BOOL);
        CheckedGraph checked = check(branches(), Map.of("x", x), Map.of("c", condition));
        assertThat(checked.findings()).isEmpty();
        assertThat(checked.walked().stream().map(Node::op)).containsExactly("Relu", "Identity");
        assertThat(checked.types()).containsEntry("z", x);
        condition.setLong(0, 1);
        assertThat(rules(check(branches(), Map.of("x", x), Map.of("c", condition))))
                .containsExactly("squeeze_0 INVALID Squeeze/operator");
    }

    /** Data may never lead to what does not fit these sizes. */
    @Test
    void whatIsWrongInABranchOfWhichDataDecideIsNotKnown() {
        TensorType x = TensorType.of(DType.FLOAT32, 2, 6);
        CheckedGraph checked = check(branches(), Map.of("x", x, "c", TensorType.of(DType.BOOL)), Map.of());
        assertThat(rules(checked)).containsExactly("if FALLS_BACK If/control", "squeeze_0 UNKNOWN Squeeze/operator");
        assertThat(checked.findings().get(1).finding().message()).endsWith("it is not known whether data lead to it");
    }

    /** Shape → Gather → Unsqueeze → Concat → Reshape, as exporters write "flatten all but the batch". */
    private static Graph shapeArithmetic() {
        GraphBuilder builder = builder(TensorType.of(DType.FLOAT32, 2, 3, 4))
                .constant("zero", Tensor.scalar(0L))
                .constant("axes", Tensor.of(new long[] {0}, 1))
                .constant("rest", Tensor.of(new long[] {-1}, 1));
        node(builder, "Shape", "x", "sizes");
        node(builder, "Gather", "sizes,zero", "batch");
        node(builder, "Unsqueeze", "batch,axes", "row");
        builder.node("Concat", List.of("row", "rest"), List.of("target"), Map.of("axis", Attribute.of(0)));
        node(builder, "Reshape", "x,target", "y");
        return builder.output("y").build();
    }

    @Test
    void aConstantOfTheGraphIsNoNode() {
        Graph graph = builder(TensorType.of(DType.FLOAT32, 1))
                .node("Const", List.of(), List.of("y"), Map.of())
                .output("y")
                .build();

        assertThat(check(graph, TensorType.of(DType.FLOAT32, 1)).findings())
                .anySatisfy(found -> assertThat(found.finding().message())
                        .contains("Const is no node: declare a constant of the graph"));
    }

    @Test
    void aCheckOfSeveralArgumentsIsOfTheOperator() {
        TensorType x = TensorType.of(DType.FLOAT32, 1, 1, 4, 4);
        Graph graph = builder(x)
                .constant("weights", Tensor.allocate(DType.FLOAT32, 1, 2, 1, 1))
                .node("Conv2d", List.of("x", "weights"), List.of("y"), Map.of())
                .output("y")
                .build();
        assertThat(check(graph, x).findings())
                .extracting(found -> found.finding().rule().text())
                .containsExactly("Conv2d/operator");
    }

    @Test
    void foldsShapeArithmetic() {
        CheckedGraph checked = check(shapeArithmetic(), TensorType.of(DType.FLOAT32, 5, 3, 4));
        assertThat(checked.findings()).isEmpty();
        assertThat(checked.nodes()).extracting(node -> node.node().op()).containsExactly("Reshape");
        assertThat(checked.types()).containsEntry("y", TensorType.of(DType.FLOAT32, 5, 12));
        assertThat(longs(checked.constants().get("target"))).containsExactly(5, -1);
        assertThat(evaluated).containsExactly("Gather", "Unsqueeze", "Concat");
    }

    @Test
    void doesNotKeepWhatDependsOnInputTypes() {
        Graph graph = shapeArithmetic();
        check(graph, TensorType.of(DType.FLOAT32, 5, 3, 4));
        assertThat(folded).isEmpty();
        assertThat(check(graph, TensorType.of(DType.FLOAT32, 7, 3, 4)).types())
                .containsEntry("y", TensorType.of(DType.FLOAT32, 7, 12));
    }

    @Test
    void foldsWhatDependsOnConstantsAloneOnlyOnce() {
        GraphBuilder builder = builder(TensorType.of(DType.INT64, 1))
                .constant("a", Tensor.of(new long[] {3}, 1))
                .constant("b", Tensor.of(new long[] {4}, 1));
        node(builder, "Add", "a,b", "sum");
        node(builder, "Add", "sum,x", "y");
        Graph graph = builder.output("y").build();
        TensorType type = TensorType.of(DType.INT64, 1);
        CheckedGraph first = check(graph, type);
        CheckedGraph second = check(graph, type);
        assertThat(evaluated).containsExactly("Add");
        assertThat(second.constants().get("sum")).isSameAs(first.constants().get("sum"));
        assertThat(second.nodes())
                .extracting(node -> node.node().outputs().get(0))
                .containsExactly("y");
    }

    @Test
    void foldsWithTheValuesOfTheRequestEveryTime() {
        GraphBuilder builder = builder(TensorType.of(DType.INT64, 1)).constant("a", Tensor.of(new long[] {3}, 1));
        node(builder, "Add", "a,x", "y");
        Graph graph = builder.output("y").build();
        for (long value : new long[] {10, 20}) {
            Map<String, Tensor> values = Map.of("x", Tensor.of(new long[] {value}, 1));
            CheckedGraph checked = check(graph, Map.of("x", TensorType.of(DType.INT64, 1)), values);
            assertThat(longs(checked.constants().get("y"))).containsExactly(value + 3);
            assertThat(checked.nodes()).isEmpty();
        }
        assertThat(folded).isEmpty();
    }

    @Test
    void keepsNamedDimensions() {
        GraphBuilder builder = builder(NAMED);
        node(builder, "Relu", "x", "a");
        node(builder, "Add", "a,x", "b");
        builder.node("Concat", List.of("b", "x"), List.of("y"), Map.of("axis", Attribute.of(1)));
        CheckedGraph checked = check(builder.output("y").build(), NAMED);
        assertThat(checked.findings()).isEmpty();
        assertThat(checked.types().get("b")).isEqualTo(NAMED);
        assertThat(checked.types())
                .hasEntrySatisfying("y", type -> assertThat(type).hasToString("batchx12:float32"));
    }

    @Test
    void aShapeThatDependsOnDataIsUnknown() {
        GraphBuilder builder = builder(TensorType.of(DType.FLOAT32, 6)).input("target", DType.INT64, 2);
        node(builder, "Reshape", "x,target", "a");
        node(builder, "Relu", "a", "b");
        node(builder, "Relu", "x", "c");
        Graph graph = builder.output("b").output("c").build();
        Map<String, TensorType> types = new LinkedHashMap<>();
        types.put("x", TensorType.of(DType.FLOAT32, 6));
        types.put("target", TensorType.of(DType.INT64, 2));
        CheckedGraph checked = check(graph, types, Map.of());
        assertThat(rules(checked)).containsExactly("reshape_0 UNKNOWN Reshape/shape");
        assertThat(checked.findings().get(0).finding().message()).contains("shape");
        assertThat(checked.types()).containsKey("c").doesNotContainKey("b");
        CheckedGraph known = check(graph, types, Map.of("target", Tensor.of(new long[] {2, 3}, 2)));
        assertThat(known.findings()).isEmpty();
        assertThat(known.types()).containsEntry("b", TensorType.of(DType.FLOAT32, 2, 3));
    }

    @Test
    void parametersThatBreakTheDescriptionAreInvalid() {
        TensorType type = TensorType.of(DType.FLOAT32, 2, 3);
        Graph graph = builder(type)
                .node(
                        "Concat",
                        List.of("x", "x"),
                        List.of("y"),
                        Map.of("axis", Attribute.of(5), "speed", Attribute.of(1)))
                .output("y")
                .build();
        CheckedGraph checked = check(graph, type);
        assertThat(rules(checked)).contains("concat_0 INVALID Concat/axis", "concat_0 INVALID Concat/speed");
        assertThat(messages(checked, "Concat/axis")).singleElement().asString().contains("5");
    }

    private static List<String> messages(CheckedGraph checked, String rule) {
        return checked.findings().stream()
                .map(NodeFinding::finding)
                .filter(finding -> finding.rule().text().equals(rule))
                .map(Finding::message)
                .toList();
    }

    @Test
    void anUnknownOperatorIsUnsupported() {
        TensorType type = TensorType.of(DType.FLOAT32, 2);
        CheckedGraph checked =
                check(node(builder(type), "Warp", "x", "y").output("y").build(), type);
        assertThat(rules(checked)).containsExactly("warp_0 UNSUPPORTED Warp/operator");
        assertThat(messages(checked, "Warp/operator")).containsExactly("there is no operator 'Warp'");
    }

    @Test
    void findingsOfOneNodeDoNotHideThoseOfIndependentNodes() {
        TensorType type = TensorType.of(DType.FLOAT32, 1, 3, 8, 8);
        GraphBuilder builder = builder(type);
        builder.node("Warp", List.of("x"), List.of("a", ""), Map.of());
        node(builder, "Relu", "a", "b");
        builder.node("Softmax", List.of("x"), List.of("c"), Map.of("axis", Attribute.of(9)));
        builder.node("Clip", List.of("x", "", ""), List.of("d"), Map.of("colour", Attribute.of("red")));
        builder.node("Clip", List.of("x", "", ""), List.of("e"), Map.of("max", Attribute.of(6.0)));
        Graph graph = builder.output("b").output("c").output("d").output("e").build();
        CheckedGraph checked = check(graph, type);
        assertThat(rules(checked))
                .containsExactly(
                        "warp_0 UNSUPPORTED Warp/operator",
                        "softmax_2 INVALID Softmax/axis",
                        "clip_3 INVALID Clip/colour");
        assertThat(checked.types()).containsEntry("e", type).doesNotContainKey("b");
    }
}
