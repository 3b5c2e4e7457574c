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

class FuseNormalizationTest {

    private static final FuseNormalization RULE = new FuseNormalization();

    private static Rewritten parts(String op, String squared, long... axes) {
        Map<String, Attribute> over = Map.of("axis", Attribute.ofInts(axes), "keep_dims", Attribute.of(true));
        return new Rewritten(DType.FLOAT32)
                .input("x", 2, 5, 8)
                .number("two", 2)
                .number("epsilon", 0.25)
                .constant("w", 8)
                .constant("b", 1, 1, 8)
                .node("Mean", "x", "m", over)
                .node("Sub", "x,m", "d")
                .node(op, squared, "p")
                .node("Mean", "p", "v", over)
                .node("Add", "v,epsilon", "e")
                .node("Sqrt", "e", "s")
                .node("Div", "d,s", "n")
                .node("Mul", "n,w", "t");
    }

    @ParameterizedTest
    @CsvSource({"Pow,'d,two','t,b'", "Mul,'d,d','b,t'"})
    void writesThemAsOneOperator(String op, String squared, String sum) {
        PlacedGraph graph =
                parts(op, squared, -1).node("Add", sum, "y").output("y").by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("y");
        PlacedNode norm = graph.nodes().get(0);
        assertThat(norm.op()).isEqualTo("LayerNorm");
        assertThat(norm.inputs()).startsWith("x", "w").hasSize(3);
        assertThat(norm.binding().real("epsilon")).isEqualTo(0.25);
        assertThat(norm.binding().integer("size")).isEqualTo(8);
        assertThat(norm.written().op()).isEqualTo("Add");
        assertThat(Rewritten.parts(norm)).containsExactlyInAnyOrder("m", "d", "p", "v", "e", "s", "n", "t");
    }

    @Test
    void worksWithoutAddends() {
        PlacedGraph graph = parts("Mul", "d,d", 2).output("t").by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("t");
        assertThat(graph.nodes().get(0).inputs()).containsExactly("x", "w");
    }

    @Test
    void addendsOfAnotherShapeAreNoneOfIts() {
        PlacedGraph graph = parts("Mul", "d,d", 2)
                .constant("places", 5, 8)
                .node("Add", "t,places", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.operators(graph)).containsExactly("LayerNorm", "Add");
    }

    @Test
    void leavesOtherAxesAndOtherUses() {
        assertThat(parts("Mul", "d,d", 1).output("t").by(RULE).nodes()).hasSize(8);
        assertThat(parts("Mul", "d,m", -1).output("t").by(RULE).nodes()).hasSize(8);
        assertThat(parts("Mul", "d,d", -1).output("t").output("v").by(RULE).nodes())
                .hasSize(8);
        assertThat(parts("Mul", "d,d", -1).output("t").onCpu("s").by(RULE).nodes())
                .hasSize(8);
        assertThat(parts("Pow", "d,epsilon", -1).output("t").by(RULE).nodes()).hasSize(8);
    }

    private static Rewritten ofSquares(String inverse) {
        Rewritten parts = new Rewritten(DType.FLOAT32)
                .input("x", 2, 5, 8)
                .number("two", 2)
                .number("one", 1)
                .number("power", -0.5)
                .number("epsilon", 0.25)
                .constant("w", 8)
                .node("Pow", "x,two", "p")
                .node("Mean", "p", "v", Map.of("axis", Attribute.ofInts(-1), "keep_dims", Attribute.of(true)))
                .node("Add", "v,epsilon", "e");
        return switch (inverse) {
            case "Reciprocal" ->
                parts.node("Sqrt", "e", "s").node("Reciprocal", "s", "r").node("Mul", "x,r", "n");
            case "one" -> parts.node("Sqrt", "e", "s").node("Div", "one,s", "r").node("Mul", "r,x", "n");
            case "Pow" -> parts.node("Pow", "e,power", "r").node("Mul", "x,r", "n");
            default -> parts.node("Sqrt", "e", "s").node("Div", "x,s", "n");
        };
    }

    @ParameterizedTest
    @CsvSource({"Reciprocal,'w,n'", "one,'n,w'", "Pow,'w,n'", "Div,'n,w'"})
    void takesTheRootOfTheMeanSquareAlone(String inverse, String product) {
        PlacedGraph graph =
                ofSquares(inverse).node("Mul", product, "y").output("y").by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("y");
        PlacedNode norm = graph.nodes().get(0);
        assertThat(norm.op()).isEqualTo("RmsNorm");
        assertThat(norm.inputs()).containsExactly("x", "w");
        assertThat(norm.binding().real("epsilon")).isEqualTo(0.25);
        assertThat(Rewritten.parts(norm)).contains("p", "v", "e", "n");
    }

    /** With Casts to float32 and back around what is divided. */
    private static Rewritten widened(DType type, String narrowed) {
        return new Rewritten(type)
                .input("x", 2, 5, 8)
                .constant("two", Tensor.of(new float[] {2}))
                .constant("epsilon", Tensor.of(new float[] {0.25f}))
                .constant("w", 8)
                .node("Cast", "x", "c", Map.of("to", Attribute.of("float32")))
                .node("Pow", "c,two", "p")
                .node("Mean", "p", "v", Map.of("axis", Attribute.ofInts(-1), "keep_dims", Attribute.of(true)))
                .node("Add", "v,epsilon", "e")
                .node("Sqrt", "e", "s")
                .node("Div", "c,s", "n")
                .node("Cast", "n", "h", Map.of("to", Attribute.of(narrowed)))
                .node("Mul", "w,h", "y")
                .output("y");
    }

    @ParameterizedTest
    @CsvSource({"FLOAT16,float16", "BFLOAT16,bfloat16"})
    void takesTheCastsOfNetworksOf16BitFloats(DType type, String name) {
        PlacedGraph graph = widened(type, name).by(RULE);
        assertThat(Rewritten.names(graph)).containsExactly("y");
        PlacedNode norm = graph.nodes().get(0);
        assertThat(norm.op()).isEqualTo("RmsNorm");
        assertThat(norm.inputs()).containsExactly("x", "w");
        assertThat(Rewritten.parts(norm)).contains("c", "p", "n", "h");
        assertThat(Rewritten.names(widened(type, name).output("c").by(RULE))).containsExactly("c", "y");
        assertThat(Rewritten.names(widened(type, name).output("n").by(RULE))).hasSize(8);
    }

    @Test
    void castsOfOtherTypesStay() {
        Rewritten doubles = widened(DType.FLOAT64, "float64");
        assertThat(Rewritten.operators(doubles.by(RULE))).contains("Cast", "Sqrt");
    }

    @Test
    void rootsOfOtherSquaresStay() {
        PlacedGraph used = ofSquares("Reciprocal")
                .node("Mul", "w,n", "y")
                .output("y")
                .output("n")
                .by(RULE);
        assertThat(Rewritten.names(used)).contains("y", "n").hasSize(7);
        PlacedGraph shifted = ofSquares("Div")
                .node("Mul", "w,n", "t")
                .node("Add", "t,w", "y")
                .output("y")
                .by(RULE);
        assertThat(Rewritten.names(shifted)).containsExactly("t", "y");
    }
}
