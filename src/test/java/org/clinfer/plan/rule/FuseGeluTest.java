package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.place.PlacedGraph;
import org.clinfer.tensor.DType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FuseGeluTest {

    private static final FuseGelu RULE = new FuseGelu();

    private static Rewritten numbers() {
        return new Rewritten(DType.FLOAT32)
                .input("x", 2, 5)
                .number("one", 1)
                .number("half", 0.5)
                .number("three", 3)
                .number("root", Math.sqrt(2))
                .number("inverse", Math.sqrt(0.5))
                .number("cubic", 0.044715)
                .number("slope", Math.sqrt(2 / Math.PI));
    }

    private static void assertGelu(PlacedGraph graph, String approximate) {
        assertThat(Rewritten.operators(graph)).containsExactly("Gelu");
        assertThat(Rewritten.names(graph)).containsExactly("y");
        assertThat(graph.nodes().get(0).inputs()).containsExactly("x");
        assertThat(Rewritten.text(graph.nodes().get(0), "approximate")).isEqualTo(approximate);
    }

    @ParameterizedTest
    @CsvSource({
        "Div,'x,root','x,a','m,half'",
        "Mul,'x,inverse','x,half','m,a'",
        "Mul,'inverse,x','half,a','x,m'",
    })
    void findsTheExactForm(String scale, String scaled, String product, String last) {
        PlacedGraph graph = numbers()
                .node(scale, scaled, "s")
                .node("Erf", "s", "e")
                .node("Add", "one,e", "a")
                .node("Mul", product, "m")
                .node("Mul", last, "y")
                .output("y")
                .by(RULE);
        assertGelu(graph, "NONE");
        assertThat(Rewritten.parts(graph.nodes().get(0))).containsExactlyInAnyOrder("s", "e", "a", "m");
    }

    @Test
    void findsTheFormWithPow() {
        assertGelu(
                numbers()
                        .node("Pow", "x,three", "p")
                        .node("Mul", "p,cubic", "c")
                        .node("Add", "x,c", "s")
                        .node("Mul", "s,slope", "u")
                        .node("Tanh", "u", "t")
                        .node("Add", "t,one", "a")
                        .node("Mul", "x,half", "h")
                        .node("Mul", "h,a", "y")
                        .output("y")
                        .by(RULE),
                "TANH");
    }

    @Test
    void findsTheFormWithProducts() {
        assertGelu(
                numbers()
                        .node("Mul", "x,x", "q")
                        .node("Mul", "q,cubic", "c")
                        .node("Add", "c,one", "s")
                        .node("Mul", "s,slope", "u")
                        .node("Mul", "x,u", "v")
                        .node("Tanh", "v", "t")
                        .node("Add", "t,one", "a")
                        .node("Mul", "x,a", "m")
                        .node("Mul", "m,half", "y")
                        .output("y")
                        .by(RULE),
                "TANH");
    }

    @ParameterizedTest
    @CsvSource({
        "'x,half','m,half',one",
        "'x,root','m,half',one",
        "'x,inverse','m,root',one",
        "'x,inverse','m,half',half"
    })
    void leavesOtherNumbers(String scaled, String last, String added) {
        assertThat(Rewritten.names(numbers()
                        .node("Mul", scaled, "s")
                        .node("Erf", "s", "e")
                        .node("Add", "e," + added, "a")
                        .node("Mul", "x,a", "m")
                        .node("Mul", last, "y")
                        .output("y")
                        .by(RULE)))
                .containsExactly("s", "e", "a", "m", "y");
    }

    @Test
    void leavesWhatOthersUseAndOtherSides() {
        for (String kept : new String[] {"s", "e", "a", "m"}) {
            assertThat(Rewritten.names(exact().output(kept).by(RULE))).containsExactly("s", "e", "a", "m", "y");
            assertThat(Rewritten.names(exact().onCpu(kept).by(RULE))).containsExactly("s", "e", "a", "m", "y");
        }
    }

    private static Rewritten exact() {
        return numbers()
                .node("Mul", "x,inverse", "s")
                .node("Erf", "s", "e")
                .node("Add", "e,one", "a")
                .node("Mul", "x,a", "m")
                .node("Mul", "m,half", "y")
                .output("y");
    }
}
