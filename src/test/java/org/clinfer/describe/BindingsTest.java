package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Nodes that are the same use of an operator are bound once, and differ in their inputs alone. */
class BindingsTest {

    private final Bindings bindings = new Bindings();

    private Binding bind(Toy toy, String label, ArgValue... inputs) {
        return bindings.bind(toy.op(), label, List.of(inputs), Map.of(), 1);
    }

    @Test
    void theSameUseHasItsOwnConstants() {
        Toy toy = new Toy()
                .input("x", "`ndim`: 1")
                .input("w", "`variadic`: true")
                .priv("int", "n", "x.len")
                .outputLike("y", "x");
        ArgValue one = Toy.constant(1, 2);
        ArgValue other = Toy.constant(3, 4);
        Binding first = bind(toy, "a", Toy.ints("2"), one, one);
        Binding second = bind(toy, "b", Toy.ints("2"), other, one);
        assertThat(second.configuration()).isSameAs(first.configuration());
        assertThat(second.outputs()).isEqualTo(first.outputs());
        assertThat(second.integer("n")).isEqualTo(2);
        assertThat(elements(first)).containsExactly(one.data(), one.data());
        assertThat(elements(second)).containsExactly(other.data(), one.data());
        Binding alone = OpBinder.bind(toy.op(), "b", List.of(Toy.ints("2"), other, one), Map.of(), 1);
        assertThat(second.configuration()).isEqualTo(alone.configuration()).hasSameHashCodeAs(alone.configuration());
        assertThat(second.value("w")).isEqualTo(alone.value("w"));
    }

    private static List<Tensor> elements(Binding binding) {
        return ((ExpressionValue.ListOf) binding.value("w"))
                .elements().stream()
                        .map(element -> ((ExpressionValue.TensorArg) element).data())
                        .toList();
    }

    @Test
    void otherUsesAreBoundForThemselves() {
        Toy toy = new Toy().input("x", "").priv("int", "n", "x.len").outputLike("y", "x");
        assertThat(bind(toy, "a", Toy.ints("2")).integer("n")).isEqualTo(2);
        assertThat(bind(toy, "b", Toy.ints("3")).integer("n")).isEqualTo(3);
        assertThat(bind(toy, "c", Toy.constant(5, 6)).configuration())
                .isNotEqualTo(bind(toy, "d", Toy.ints("2")).configuration());
    }

    @Test
    void whatReadsElementsIsBoundEveryTime() {
        Toy toy = new Toy()
                .input("x", "`value`: true")
                .priv("int", "n", "x.data[0]")
                .outputLike("y", "x");
        assertThat(bind(toy, "a", Toy.constant(7)).integer("n")).isEqualTo(7);
        assertThat(bind(toy, "b", Toy.constant(8)).integer("n")).isEqualTo(8);
    }

    @Test
    void whatIsWrongIsSaidOfEachNode() {
        Toy toy = new Toy().input("x", "`ndim`: 2").outputLike("y", "x");
        assertThat(bind(toy, "a", Toy.ints("2")).violations().get(0).message()).startsWith("Toy 'a'");
        assertThat(bind(toy, "b", Toy.ints("2")).violations().get(0).message()).startsWith("Toy 'b'");
    }
}
