package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.clinfer.graph.Attribute;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StridesIntoMatMulTest {

    private static final FusionRule RULE = new StridesIntoMatMul();

    private static Map<String, Attribute> perm(long... axes) {
        return Map.of("perm", Attribute.ofInts(axes));
    }

    private static Tensor index(long value) {
        Tensor tensor = Tensor.allocate(DType.INT64);
        tensor.setLong(0, value);
        return tensor;
    }

    /** Tokens, and 2 heads: what a layer gives for queries, keys and values. */
    private static Rewritten attention() {
        return attention(12, 12);
    }

    private static Rewritten attention(long tokens, long width) {
        return new Rewritten(DType.FLOAT32)
                .input("x", 1, tokens, 6 * width)
                .constant("zero", index(0))
                .constant("one", index(1))
                .constant("two", index(-1))
                .number("scale", 0.25)
                .node("Reshape", "x", "r", Map.of("shape", Attribute.ofInts(1, tokens, 3, 2, width)))
                .node("Transpose", "r", "t", perm(2, 0, 3, 1, 4))
                .node("Gather", "t,zero", "q", Map.of("axis", Attribute.of(0)))
                .node("Gather", "t,one", "k", Map.of("axis", Attribute.of(0)))
                .node("Gather", "t,two", "v", Map.of("axis", Attribute.of(0)))
                .node("Transpose", "k", "kt", perm(0, 1, 3, 2))
                .node("MatMul", "q,kt", "s")
                .node("Mul", "s,scale", "scaled")
                .node("Softmax", "scaled", "p", Map.of("axis", Attribute.of(-1), "flatten", Attribute.of(false)))
                .node("MatMul", "p,v", "o")
                .node("Transpose", "o", "y", perm(0, 2, 1, 3));
    }

    private static long[] longs(PlacedNode node, String param) {
        return node.binding().integers(param);
    }

    @Test
    void attentionReadsAndWritesInPlace() {
        PlacedGraph graph = attention().output("y").by(RULE);

        assertThat(Rewritten.operators(graph)).containsExactly("StridedMatMul", "Softmax", "StridedMatMul");
        PlacedNode scores = graph.nodes().get(0);
        assertThat(scores.inputs()).containsExactly("x", "x");
        assertThat(longs(scores, "sizes")).containsExactly(1, 2, 12, 12, 12);
        assertThat(longs(scores, "a_strides")).endsWith(12, 72, 1);
        assertThat(scores.binding().integer("b_offset")).isEqualTo(24);
        assertThat(longs(scores, "b_strides")).endsWith(12, 1, 72);
        assertThat(scores.binding().real("alpha")).isEqualTo(0.25);
        assertThat(scores.outputs()).containsExactly("scaled");
        assertThat(scores.written().name()).isEqualTo("s");
        PlacedNode result = graph.nodes().get(2);
        assertThat(result.inputs()).containsExactly("p", "x");
        assertThat(result.binding().integer("b_offset")).isEqualTo(48);
        assertThat(longs(result, "perm")).containsExactly(0, 2, 1, 3);
        assertThat(Rewritten.parts(scores)).contains("scaled", "kt", "k", "q");
        assertThat(Rewritten.parts(result)).contains("y", "v", "t", "r");
    }

    @Test
    void whatOthersUseStays() {
        PlacedGraph graph = attention().output("y").output("t").output("s").by(RULE);

        assertThat(Rewritten.operators(graph))
                .containsExactly("Reshape", "Transpose", "StridedMatMul", "Mul", "Softmax", "StridedMatMul");
        assertThat(graph.nodes().get(2).outputs()).containsExactly("s");
    }

    @Test
    void partsOfASplitAreReadInPlace() {
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .input("x", 2, 6, 16)
                .input("z", 2, 12, 6)
                .node("Split", "x", "a", Map.of("axis", Attribute.of(2), "split", Attribute.ofInts(16)))
                .node("Div", "a,d", "b")
                .number("d", 4)
                .node("MatMul", "z,b", "y")
                .output("y")
                .by(RULE);

        assertThat(Rewritten.operators(graph)).containsExactly("StridedMatMul");
        assertThat(graph.nodes().get(0).binding().real("alpha")).isEqualTo(0.25);
    }

    /** The kernel stores neighbouring columns: the product takes the factor, and leaves the transposition. */
    @Test
    void columnsStayNeighbours() {
        PlacedGraph graph = product(DType.FLOAT32)
                .number("f", 3)
                .node("Mul", "f,m", "s")
                .node("Transpose", "s", "y", perm(0, 2, 1))
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("StridedMatMul", "Transpose");
    }

    private static Rewritten product(DType dtype) {
        return new Rewritten(dtype).input("a", 2, 12, 8).input("b", 2, 8, 12).node("MatMul", "a,b", "m");
    }

    @Test
    void othersStay() {
        assertThat(Rewritten.operators(product(DType.FLOAT32).output("m").by(RULE)))
                .containsExactly("MatMul");
        assertThat(Rewritten.operators(product(DType.INT8)
                        .node("Transpose", "m", "y", perm(1, 0, 2))
                        .output("y")
                        .by(RULE)))
                .containsExactly("MatMul", "Transpose");
        assertThat(Rewritten.operators(attention().onProcessor().output("y").by(RULE)))
                .doesNotContain("StridedMatMul");
        assertThat(Rewritten.operators(product(DType.FLOAT32)
                        .constant("f", 3, 1, 1, 1)
                        .node("Mul", "m,f", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("MatMul", "Mul");
        assertThat(Rewritten.operators(product(DType.FLOAT32)
                        .number("f", 0)
                        .node("Mul", "m,f", "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("MatMul", "Mul");
    }

    /** Each of them alone would do; behind the sums they would be multiplied first. */
    @ParameterizedTest
    @CsvSource({"1e6, 1e6", "1e-6, 1e-6", "1e20, 1e-20", "1e30, 1"})
    void factorsThatLeadFarFromTheNumbersStay(double first, double second) {
        Rewritten before = new Rewritten(DType.FLOAT32)
                .input("a", 2, 12, 8)
                .input("b", 2, 8, 12)
                .number("f", first)
                .number("g", second)
                .node("Mul", "a,f", "c")
                .node("Mul", "b,g", "d")
                .node("MatMul", "c,d", "y")
                .output("y");
        double alpha = before.by(RULE).nodes().stream()
                .filter(node -> node.op().equals("StridedMatMul"))
                .mapToDouble(node -> node.binding().real("alpha"))
                .findFirst()
                .orElse(1);
        assertThat(alpha).isBetween(1e-7, 1e7);
        assertThat(product(DType.FLOAT32)
                        .number("f", first)
                        .number("g", second)
                        .node("Mul", "m,f", "c")
                        .node("Mul", "c,g", "y")
                        .output("y")
                        .by(RULE)
                        .nodes())
                .hasSizeGreaterThan(1);
    }

    @Test
    void chainsOfAnyLengthAreReadToALimit() {
        Rewritten chain = new Rewritten(DType.FLOAT32).input("x0", 2, 12, 8).input("b", 2, 8, 12);
        int length = 5000;
        for (int i = 0; i < length; i++) {
            chain.node("Transpose", "x" + i, "x" + (i + 1), perm(0, 1, 2));
        }
        PlacedGraph graph =
                chain.node("MatMul", "x" + length + ",b", "y").output("y").by(RULE);
        assertThat(Rewritten.operators(graph)).endsWith("StridedMatMul").hasSizeBetween(length - 100, length);
    }

    /** Axes that cannot be joined in place are transposed as before. */
    @Test
    void aReshapeThatNeedsACopyStays() {
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .input("x", 4, 6, 8)
                .input("b", 8, 12)
                .node("Transpose", "x", "t", perm(1, 0, 2))
                .node("Reshape", "t", "a", Map.of("shape", Attribute.ofInts(24, 8)))
                .node("MatMul", "a,b", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("Transpose", "Reshape", "MatMul");
    }

    /** Tokens 2, heads 2 of width 4, and a cache of 6 places. */
    private static Rewritten decoder(long tokens) {
        return new Rewritten(DType.FLOAT32)
                .input("q", 1, tokens, 2, 4)
                .input("keys", 1, 2, 6, 4)
                .input("values", 1, 2, 6, 4)
                .number("scale", 0.5)
                .node("Transpose", "q", "qt", perm(0, 2, 1, 3))
                .node("Transpose", "keys", "kt", perm(0, 1, 3, 2))
                .node("MatMul", "qt,kt", "s")
                .node("Mul", "s,scale", "scaled")
                .node("Softmax", "scaled", "p", Map.of("axis", Attribute.of(-1), "flatten", Attribute.of(false)))
                .node("MatMul", "p,values", "o")
                .node("Transpose", "o", "y", perm(0, 2, 1, 3))
                .output("y");
    }

    private static Rewritten onCpu(Rewritten graph) {
        return onCpu(graph, "qt", "kt", "s", "scaled", "p", "o", "y");
    }

    private static Rewritten onCpu(Rewritten graph, String... nodes) {
        for (String node : nodes) {
            graph.onCpu(node);
        }
        return graph;
    }

    @Test
    void aProcessorReadsTheCacheInPlaceForFewRows() {
        PlacedGraph graph = decoder(2).onProcessor().by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("StridedMatMul", "Softmax", "StridedMatMul");
        PlacedNode scores = graph.nodes().get(0);
        assertThat(scores.inputs()).containsExactly("q", "keys");
        assertThat(longs(scores, "b_strides")).endsWith(24, 1, 4);
        assertThat(scores.binding().real("alpha")).isEqualTo(0.5);
        assertThat(scores.variant().orElseThrow().name()).isEqualTo("rows_terms");
        PlacedNode result = graph.nodes().get(2);
        assertThat(result.variant().orElseThrow().name()).isEqualTo("rows_columns");
        assertThat(longs(result, "perm")).containsExactly(0, 2, 1, 3);

        assertThat(Rewritten.operators(decoder(5).onProcessor().by(RULE))).doesNotContain("StridedMatMul");
    }

    @Test
    void theCpuReadsTheCacheInPlaceForFewRows() {
        PlacedGraph graph = onCpu(decoder(2)).by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("StridedMatMul", "Softmax", "StridedMatMul");
        assertThat(graph.nodes()).allMatch(node -> node.target() == PlacedNode.Target.CPU);
        assertThat(Rewritten.operators(onCpu(decoder(5)).by(RULE))).doesNotContain("StridedMatMul");
        PlacedGraph mixed = decoder(2).onCpu("s").onProcessor().by(RULE);
        assertThat(Rewritten.operators(mixed))
                .as("what the device transposes is read as it gives it")
                .containsExactly("Transpose", "Transpose", "MatMul", "Mul", "Softmax", "StridedMatMul");
    }

    private static Rewritten attentionOnCpu(long tokens, long width) {
        return onCpu(attention(tokens, width), "r", "t", "q", "k", "v", "kt", "s", "scaled", "p", "o", "y");
    }

    @Test
    void theCpuReadsSmallMatricesInPlace() {
        PlacedGraph graph = attentionOnCpu(20, 16).output("y").by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("StridedMatMul", "Softmax", "StridedMatMul");
        assertThat(longs(graph.nodes().get(0), "b_strides")).endsWith(16, 1, 96);

        assertThat(Rewritten.operators(attentionOnCpu(15, 16).output("y").by(RULE)))
                .as("rows of few elements")
                .doesNotContain("StridedMatMul");
        assertThat(Rewritten.operators(attentionOnCpu(1025, 64).output("y").by(RULE)))
                .as("a matrix that is not brought into panels as a whole")
                .doesNotContain("StridedMatMul");
        PlacedGraph columns = onCpu(
                        new Rewritten(DType.FLOAT32)
                                .input("a", 2, 20, 16)
                                .input("b", 2, 16, 24)
                                .number("f", 3)
                                .node("MatMul", "a,b", "m")
                                .node("Mul", "f,m", "s")
                                .node("Transpose", "s", "y", perm(0, 2, 1)),
                        "m",
                        "s",
                        "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(columns)).containsExactly("StridedMatMul", "Transpose");
    }

    @Test
    void constantsKeepTheirOwnForms() {
        PlacedGraph graph = new Rewritten(DType.FLOAT32)
                .input("a", 2, 1, 4)
                .constant("b", 2, 4, 6)
                .node("MatMul", "a,b", "m")
                .node("Transpose", "m", "y", perm(1, 0, 2))
                .output("y")
                .onProcessor()
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("MatMul", "Transpose");
    }
}
