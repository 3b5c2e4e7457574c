package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.describe.Toy.constant;
import static org.clinfer.describe.Toy.ints;

import java.util.List;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inputs: how many there may be, and what descriptions demand of each. */
final class InputRulesTest {

    private static final ArgValue HALVES = ArgValue.of(TensorType.of(DType.FLOAT16, 2));

    private static Toy open(String fields) {
        return new Toy().input("x", "").input("rest", "`variadic`: true" + fields);
    }

    @Test
    void inputsThatAreLeftOutAtTheEndDoNotCount() {
        Toy one = new Toy().input("x", "");
        assertThat(Toy.violations(one.bind(0, ints("2"), null, null))).isEmpty();
        assertThat(Toy.violations(one.bind(0, ints("2"), null, ints("2"))))
                .containsExactly("inputs: expected at most 1, found 3");
        assertThat(Toy.violations(new Toy().bind(0))).isEmpty();
        assertThat(Toy.violations(new Toy().bind(0, ints("2")))).containsExactly("inputs: expected at most 0, found 1");
    }

    @Test
    void oneOrMore() {
        Toy toy = open("");
        assertThat(Toy.violations(toy.bind(0, ints("2")))).containsExactly("rest: expected a tensor, found none");
        assertThat(Toy.violations(toy.bind(0, ints("2"), null, null)))
                .containsExactly("rest: expected a tensor, found none");
        Binding three = toy.bind(0, ints("2"), ints("3"), ints("4"), ints("5"));
        assertThat(three.violations()).isEmpty();
        assertThat(Expr.parse("[len(rest), rest[2].len]", "").evaluate(three.scope()))
                .isEqualTo(ExpressionValue.ints(3, 5));
    }

    @Test
    void noneOrMore() {
        Binding none = open(", `optional`: true").bind(0, ints("2"));
        assertThat(none.violations()).isEmpty();
        assertThat(none.has("rest")).isFalse();
        assertThat(none.value("rest").isAbsent()).isTrue();
        assertThat(open(", `optional`: true").bind(0).violations())
                .extracting(Violation::argument)
                .containsExactly("x");
    }

    @Test
    void oneOfManyIsMissing() {
        Toy toy = open(", `dtype`: `int64`, `check`: `len(rest) == 7`");
        assertThat(Toy.violations(toy.bind(0, ints("2"), null, HALVES)))
                .containsExactly(
                        "rest[0]: expected a tensor, found none", "rest[1]: expected dtype int64, found float16");
    }

    @Test
    void eachOfManyIsChecked() {
        Toy toy = open(", `ndim`: 1, `sametype`: `x`, `sameshape`: `x`, `static`: true, `check`: `len(rest) < 2`");
        assertThat(Toy.violations(toy.bind(0, ints("2"), constant(1, 2), ints("2", "2"))))
                .containsExactly(
                        "rest[1]: expected 1 dimensions, found 2 (2x2:int64)",
                        "rest[1]: expected the shape of x, 2, found 2x2",
                        "rest[1]: expected a constant, found a tensor computed at run time");
        assertThat(Toy.violations(toy.bind(0, ints("2"), constant(1, 2), constant(3, 4))))
                .containsExactly("rest: expected len(rest) < 2: len([2:int64, 2:int64]) = 2");
    }

    @Test
    void aWrongTensorIsNotLookedAtFurther() {
        Toy wrongRank =
                new Toy().input("x", "`ndim`: 3, `check`: `x.dims[2] > 0`").outputLike("y", "x");
        assertThat(Toy.violations(wrongRank.bind(1, ints("2"))))
                .containsExactly("x: expected 3 dimensions, found 1 (2:int64)");
        Toy missing = new Toy().input("x", "").input("w", "`ndim`: `x.ndim`, `check`: `w.len == 1`");
        assertThat(Toy.violations(missing.bind(0, null, ints("2"))))
                .containsExactly("x: expected a tensor, found none", "w: expected w.len == 1: w.len = 2");
        Toy failing = new Toy().input("x", "`ndim`: `1 / (x.ndim - 1)`, `check`: `x.len == 1`");
        assertThat(Toy.violations(failing.bind(0, ints("2"))))
                .containsExactly("x: division by zero: 1 / 0, in 1 / (x.ndim - 1)");
        Toy checked = new Toy().input("x", "`checks`: [{`check`: `x.len > 5`}, {`check`: `x.len > 6`}]");
        assertThat(Toy.violations(checked.bind(0, ints("2")))).containsExactly("x: expected x.len > 5: x.len = 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "`len`: 6 | 2 3 | ~~",
                "`len`: 6 | 7 | expected 6 elements, found 7 (7:int64)",
                "`len`: 6 | n 3 | ~~",
                "`len`: `w.dims[0]` | 2 3 | expected 2 elements (w.dims[0] = 2), found 6 (2x3:int64)",
                "`ndim`: 2 | n 3 | ~~",
                "`ndim`: 1 | n 3 | expected 1 dimensions, found 2 (nx3:int64)",
                "`ndim`: `w.dims[0]` | n 3 | ~~",
                "`sameshape`: `x` | 4 5 | ~~",
                "`sameshape`: `x` | n 5 | ~~",
                "`sameshape`: `x` | 4 6 | expected the shape of x, 4x5, found 4x6",
                "`sameshape`: `x` | 4 | expected the shape of x, 4x5, found 4",
                "`sameshape`: `o` | 4 | ~~",
                "`sametype`: `x` | 4 | ~~",
                "`sametype`: `o` | 4 | ~~",
                "`dtype`: [`int8`, `int64`] | 4 | ~~",
                "`dtype`: [`int8`, `u1`] | 4 | expected dtype one of int8, u1, found int64",
                "`dtype`: `bool` | 4 | expected dtype bool, found int64",
                "`static`: false | 4 | ~~",
                "`static`: true | 4 | expected a constant, found a tensor computed at run time"
            })
    void rules(String fields, String sizes, String message) {
        Toy toy = new Toy().input("x", "").input("o", "`optional`: true").input("w", fields);
        Binding binding = toy.bind(0, ints("4", "5"), null, ints(sizes.split(" ", -1)));
        assertThat(Toy.violations(binding)).isEqualTo(message.isEmpty() ? List.of() : List.of("w: " + message));
    }

    @Test
    void constants() {
        assertThat(Toy.violations(new Toy().input("x", "`static`: true").bind(0, constant(1))))
                .isEmpty();
        assertThat(Toy.violations(new Toy().input("x", "`static`: false").bind(0, constant(1))))
                .containsExactly("x: expected a tensor computed at run time, found a constant");
        assertThat(Toy.violations(new Toy().input("x", "").bind(0, constant(1))))
                .isEmpty();
    }

    @Test
    void typesThatDiffer() {
        Toy toy = new Toy().input("x", "").input("w", "`sametype`: `x`");
        assertThat(Toy.violations(toy.bind(0, ints("2"), HALVES)))
                .containsExactly("w: expected the dtype of x, int64, found float16");
    }

    @Test
    void aRankThatIsNotKnownBreaksNothing() {
        Toy toy = new Toy().input("x", "").input("w", "`ndim`: `x.dims[0]`, `check`: `w.len == 9`");
        assertThat(Toy.violations(toy.bind(0, ints("n"), ints("2"))))
                .containsExactly("w: expected w.len == 9: w.len = 2");
    }
}
