package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.describe.Toy.ints;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.clinfer.expr.ExpressionValue;
import org.junit.jupiter.api.Test;

/** Reading the values of a bound node: each kind by its accessor, and what the others say about it. */
final class BindingAccessTest {

    private static final Toy TOY = new Toy()
            .input("x", "")
            .param("s", "STRING", "`default`: `one`")
            .param("b", "BOOL", "`default`: true")
            .param("i", "NUMBER", "`realtype`: `int`, `default`: 3")
            .param("r", "NUMBER", "`realtype`: `float`, `default`: 2.5")
            .param("is", "ARRAY_NUMBER", "`realtype`: `int`, `default`: [3, 4]")
            .param("rs", "ARRAY_NUMBER", "`realtype`: `double`, `default`: [2.5, 4]")
            .param("ss", "ARRAY_STRING", "`default`: [`one`, `two`]")
            .param("bs", "ARRAY_BOOL", "`default`: [true, false]")
            .priv("list", "mixed", "[1, 2.5]")
            .priv("int", "size", "x.dims[0]")
            .outputLike("y", "x");

    private final Binding binding = TOY.bind(1, ints("n"));

    private void refused(Consumer<Binding> access, String message) {
        assertThatThrownBy(() -> access.accept(binding))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Toy 'n': " + message);
    }

    @Test
    void eachKindByItsAccessor() {
        assertThat(binding.violations()).isEmpty();
        assertThat(binding.text("s")).isEqualTo("one");
        assertThat(binding.flag("b")).isTrue();
        assertThat(binding.integer("i")).isEqualTo(3);
        assertThat(binding.real("i")).isEqualTo(3.0);
        assertThat(binding.real("r")).isEqualTo(2.5);
        assertThat(binding.integers("is")).containsExactly(3, 4);
        assertThat(binding.reals("is")).containsExactly(3, 4);
        assertThat(binding.reals("rs")).containsExactly(2.5, 4);
        assertThat(binding.reals("mixed")).containsExactly(1, 2.5);
        assertThat(binding.texts("ss")).containsExactly("one", "two");
        assertThat(binding.value("bs"))
                .isEqualTo(ExpressionValue.list(ExpressionValue.of(true), ExpressionValue.of(false)));
        assertThat(binding.has("s")).isTrue();
    }

    @Test
    void anyOtherKindIsRefused() {
        refused(b -> b.text("i"), "i: expected a string, found the int 3");
        refused(b -> b.flag("s"), "s: expected a bool, found the string 'one'");
        refused(b -> b.integer("r"), "r: expected an int, found the real 2.5");
        refused(b -> b.real("b"), "b: expected an int, found the bool true");
        refused(b -> b.integers("i"), "i: expected a list, found the int 3");
        refused(b -> b.integers("mixed"), "mixed: expected an int, found the real 2.5");
        refused(b -> b.reals("ss"), "ss: expected an int, found the string 'one'");
        refused(b -> b.texts("is"), "is: expected a string, found the int 3");
        refused(b -> b.integer("size"), "size: expected an int, found the unknown n");
    }

    @Test
    void completeMeansThatAllIsKnownAndRight() {
        assertThat(binding.isComplete()).isFalse();
        assertThat(TOY.bind(1, ints("2")).isComplete()).isTrue();
        assertThat(TOY.bind(Map.of("b", ExpressionValue.of(1)), 1, ints("2")).isComplete())
                .isFalse();
    }

    @Test
    void violationsReadAsTheirMessages() {
        Function<Binding, List<String>> shown =
                b -> b.violations().stream().map(Violation::toString).toList();
        assertThat(shown.apply(TOY.bind(0, ints("2")))).containsExactly("Toy 'n': outputs: expected 1, found 0");
    }
}
