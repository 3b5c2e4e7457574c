package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.describe.Toy.constant;
import static org.clinfer.describe.Toy.ints;

import java.util.List;
import java.util.Map;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outputs: how many there may be, their types, and what descriptions check of them. */
final class OutputRulesTest {

    private static Toy toy() {
        return new Toy().input("x", "");
    }

    /** The operator with one output of this type and shape. */
    private static Toy giving(String dtype, String dims, String more) {
        return toy().input("k", "`value`: true, `optional`: true")
                .output("y", "`dtype`: `" + dtype + "`, `dims`: " + dims + more);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "0 | expected 2, found 0",
                "1 | expected 2, found 1",
                "2 | ~~",
                "3 | expected 2, found 3",
            })
    void aFixedNumber(int count, String message) {
        Binding binding = toy().outputLike("y", "x").outputLike("z", "x").bind(count, ints("2"));
        assertThat(String.join("; ", Toy.violations(binding)))
                .isEqualTo(message.isEmpty() ? "" : "outputs: " + message);
        assertThat(binding.outputs()).hasSize(message.isEmpty() ? 2 : 0);
    }

    @Test
    void operatorsWithoutOutputs() {
        assertThat(Toy.violations(toy().bind(0, ints("2")))).isEmpty();
        assertThat(Toy.violations(toy().bind(1, ints("2")))).containsExactly("outputs: expected 0, found 1");
    }

    @Test
    void asManyAsThereAre() {
        Toy open = toy().outputLike("y", "x")
                .output(
                        "z",
                        "`dtype`: `int8`, `dims`: [`index`], `variadic`: true, `optional`: true, "
                                + "`check`: `len(z) < 4`");
        assertThat(Toy.violations(open.bind(0, ints("2")))).containsExactly("outputs: expected at least 1, found 0");
        assertThat(Toy.types(open.bind(1, ints("2")))).containsExactly("2:int64");
        assertThat(open.bind(1, ints("2")).value("z").isAbsent()).isTrue();
        Binding four = open.bind(4, ints("2"));
        assertThat(Toy.types(four)).containsExactly("2:int64", "0:int8", "1:int8", "2:int8");
        assertThat(Expr.parse("len(z) + z[2].dims[0]", "").evaluate(four.scope()))
                .isEqualTo(ExpressionValue.of(5));
        assertThat(((ExpressionValue.ListOf) four.value("z")).elements().get(1))
                .isEqualTo(ExpressionValue.tensor("z[1]", four.outputs().get(2)));
        assertThat(Toy.violations(open.bind(5, ints("2"))))
                .containsExactly("z: expected len(z) < 4: len([0:int8, 1:int8, 2:int8, 3:int8]) = 4");
    }

    @Test
    void oneOfManyThatCannotBe() {
        Toy open = toy().output("z", "`dtype`: `int8`, `dims`: [`1 - index`], `variadic`: true");
        assertThat(Toy.types(open.bind(2, ints("2")))).containsExactly("1:int8", "0:int8");
        Binding three = open.bind(3, ints("2"));
        assertThat(Toy.violations(three)).containsExactly("z[2]: expected dims[0] to be an int >= 0, found -1 in [-1]");
        assertThat(three.outputs()).isEmpty();
        assertThat(three.value("z")).isEqualTo(ExpressionValue.unknown());
    }

    @Test
    void oneMistakeIsReportedOnce() {
        Toy chain = toy().output("y", "`dtype`: `int8`, `dims`: [-1], `check`: `y.len == 3`")
                .outputLike("z", "y");
        Binding binding = chain.bind(2, ints("2"));
        assertThat(binding.unknown()).isEmpty();
        assertThat(Toy.violations(binding)).containsExactly("y: expected dims[0] to be an int >= 0, found -1 in [-1]");
        assertThat(binding.outputs()).isEmpty();
    }

    @Test
    void checksOfAnOutput() {
        Toy checked = toy().output("y", "`dtype`: `int8`, `dims`: `x.dims`, `check`: `y.len > 2, \\`too few\\``");
        assertThat(Toy.violations(checked.bind(1, ints("3")))).isEmpty();
        assertThat(Toy.violations(checked.bind(1, ints("2")))).containsExactly("y: too few (y.len > 2: y.len = 2)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "['', x.ndim][1] | [] | expected ['', x.ndim][1] to give a data type, found the int 1",
                "'int9' | [] | expected 'int9' to give a data type, found the string 'int9'",
                "int8 | `[[], 3][1]` | expected dims to be a list, found the int 3",
                "int8 | [1, `[1, 1.5][1]`] | expected dims[1] to be an int >= 0, found 1.5 in [1, 1.5]",
                "int8 | [`x.dims[1]`] | index 1 is outside a list of 1 elements, in x.dims[1]",
                "int8 | [9223372036854775807, 2] | is too large: 9223372036854775807x2:int8",
                "['', x.dims[1]][1] | [] | index 1 is outside a list of 1 elements, in ['', x.dims[1]][1]",
            })
    void whatIsNoType(String dtype, String dims, String message) {
        Binding binding = giving(dtype, dims, "").bind(1, ints("2"));
        assertThat(Toy.violations(binding)).containsExactly("y: " + message);
        assertThat(binding.outputs()).isEmpty();
        assertThat(binding.unknown()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "`ndim`: 2 | ~~",
                "`ndim`: 3 | expected 3 dimensions, found 2",
                "`ndim`: `x.dims[0]` | ~~",
                "`len`: 8 | ~~",
                "`len`: `x.dims[0] * 2` | expected 4 elements, found 8",
                "`ndim`: 2, `len`: 7 | expected 7 elements, found 8",
                "`len`: `x.dims[3]` | index 3 is outside a list of 2 elements, in x.dims[3]",
                "`len`: `len(k.data)` | ~~",
            })
    void declaredSizes(String fields, String message) {
        Binding binding = giving("int8", "`x.dims`", ", " + fields).bind(1, ints("2", "4"), ints("n"));
        assertThat(Toy.violations(binding)).isEqualTo(message.isEmpty() ? List.of() : List.of("y: " + message));
        assertThat(binding.outputs()).hasSize(message.isEmpty() ? 1 : 0);
    }

    @Test
    void declaredSizesOfWhatIsNotKnown() {
        Toy four = giving("int8", "`x.dims`", ", `len`: 4");
        assertThat(Toy.types(four.bind(1, ints("2", "n")))).containsExactly("2xn:int8");
        assertThat(four.bind(1, ints("2", "n")).unknown()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, scalar:int8", "1, ?:int8", "65, ''", "-1, ''", "64, *"})
    void theDeclaredRankHelpsWhereDimensionsAreNotKnown(int rank, String type) {
        Binding binding = giving("int8", "`k.data`", ", `ndim`: " + rank).bind(1, ints("2"), ints("n"));
        assertThat(Toy.violations(binding)).isEmpty();
        assertThat(Toy.withoutSubject(binding.unknown()))
                .containsExactly("y: the shape is not known, because it depends on the elements of k");
        if (type.equals("*")) {
            assertThat(binding.outputs().get(0).shape().rank()).isEqualTo(64);
        } else {
            assertThat(String.join("", Toy.types(binding))).isEqualTo(type);
        }
    }

    @Test
    void aRankThatIsNotKnownEither() {
        Binding binding = giving("int8", "`k.data`", ", `ndim`: `k.dims[0]`").bind(1, ints("2"), ints("n"));
        assertThat(binding.outputs()).isEmpty();
        assertThat(binding.isComplete()).isFalse();
    }

    @Test
    void dtypesThatAreNotKnown() {
        Toy byElement = giving("k.data[0] == 1 ? 'int8' : 'int16'", "[]", "");
        assertThat(Toy.types(byElement.bind(1, ints("2"), constant(1)))).containsExactly("scalar:int8");
        Binding binding = byElement.bind(1, ints("2"), ints("1"));
        assertThat(binding.outputs()).isEmpty();
        assertThat(Toy.violations(binding)).isEmpty();
        assertThat(Toy.withoutSubject(binding.unknown()))
                .containsExactly("y: the dtype is not known, because it depends on the elements of k");
        Toy bySize = giving("x.dims[0] == 1 ? 'int8' : 'int16'", "[]", "");
        assertThat(Toy.withoutSubject(bySize.bind(1, ints("n")).unknown()))
                .containsExactly("y: the dtype is not known before the run");
    }

    @Test
    void everyInputThatIsNeededIsNamed() {
        Toy toy = toy().input("k", "`value`: true")
                .input("l", "`value`: true")
                .output("y", "`dtype`: `int8`, `dims`: [`k.data[0]`, `l.data[0]`]");
        assertThat(Toy.withoutSubject(
                        toy.bind(1, ints("2"), ints("1"), ints("1")).unknown()))
                .containsExactly("y: the shape ?x? is not known, because it depends on the elements of k, l");
        assertThat(Toy.withoutSubject(
                        toy.bind(1, ints("2"), constant(5), ints("1")).unknown()))
                .containsExactly("y: the shape 5x? is not known, because it depends on the elements of l");
        Binding known = toy.bind(1, ints("2"), constant(5), constant(6));
        assertThat(known.unknown()).isEmpty();
        assertThat(Toy.types(known)).containsExactly("5x6:int8");
    }

    @Test
    void aKnownShapeIsNotReported() {
        Binding binding = giving("int8", "`x.dims`", "").bind(1, ints("2"), ints("1"));
        assertThat(binding.unknown()).isEmpty();
        assertThat(binding.isComplete()).isTrue();
    }

    @Test
    void dimensionsThatCannotBeCounted() {
        Binding binding = giving("int8", "`fill(x.dims[0], 1)`", "").bind(1, ints("n"));
        assertThat(Toy.withoutSubject(binding.unknown())).containsExactly("y: the shape is not known before the run");
        assertThat(binding.outputs()).isEmpty();
    }

    @Test
    void anOutputCountOfItsOwn() {
        Toy counted = toy().output("y", "`dtype`: `int8`, `dims`: [`output_count`], `variadic`: true");
        assertThat(Toy.types(counted.bind(Map.of(), 2, ints("1")))).containsExactly("2:int8", "2:int8");
    }

    private static List<String> pieceOfTen(String dtype, String dims, String offset) {
        return Toy.violations(toy().output("y", "`dtype`: `" + dtype + "`, `dims`: " + dims + ", `owner`: `x`")
                .with(offset.isEmpty() ? "`doc`: `its memory`" : "`calc_offset`: `" + offset + "`")
                .bind(1, ints("2", "5")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[4] | 0 | ~~",
                "[4] | 6 | ~~",
                "[10] | ~~ | ~~",
                "[0] | 10 | ~~",
                "[11] | null | ~~",
                "[4] | 7 | found 4 elements from 7 on",
                "[4] | -1 | found 4 elements from -1 on",
                "[4] | 9223372036854775807 | found 4 elements from 9223372036854775807 on",
                "[0] | 11 | found 0 elements from 11 on",
                "[11] | 0 | found 11 elements from 0 on",
                "[11] | ~~ | found 11 elements from 0 on"
            })
    void whatHasAnOwnerLiesInIt(String dims, String offset, String found) {
        List<String> violations = pieceOfTen("x.dtype", dims, offset);
        assertThat(String.join("; ", violations))
                .isEqualTo(found.isEmpty() ? "" : "y: expected to lie in its owner x, which has 10 elements, " + found);
    }

    @Test
    void placesInAnOwnerAreElementsOfItsType() {
        assertThat(pieceOfTen("int8", "[4]", "1"))
                .containsExactly("y: expected the dtype of its owner x, int64, found int8");
        assertThat(pieceOfTen("int8", "[4]", "")).hasSize(1);
        assertThat(pieceOfTen("x.dtype", "[4]", "[0, 1.0][1]"))
                .containsExactly("calc_offset: expected an int or null, found the real 1.0");
        assertThat(pieceOfTen("x.dtype", "[4]", "1 / 0")).hasSize(1);
    }

    @Test
    void eachTensorOfManyLiesInItsOwner() {
        Toy parts = toy().output("ys", "`dtype`: `x.dtype`, `dims`: [4], `variadic`: true, `owner`: `x`")
                .with("`calc_offset`: `index * 4`");
        assertThat(Toy.violations(parts.bind(2, ints("2", "5")))).isEmpty();
        assertThat(Toy.violations(parts.bind(3, ints("2", "5"))))
                .containsExactly(
                        "ys[2]: expected to lie in its owner x, which has 10 elements, found 4 elements from 8 on");
        assertThat(Toy.violations(parts.bind(3, ints("n", "5")))).isEmpty();
        Toy whole = new Toy()
                .input("xs", "`variadic`: true, `owner`: `y`")
                .output("y", "`dtype`: `int64`, `dims`: [6]")
                .with("`calc_offset`: `index * 3`");
        assertThat(Toy.violations(whole.bind(1, ints("3"), ints("3")))).isEmpty();
        assertThat(Toy.violations(whole.bind(1, ints("3"), ints("4"))))
                .containsExactly(
                        "xs[1]: expected to lie in its owner y, which has 6 elements, found 4 elements from 3 on");
    }

    @Test
    void anOwnerIsThere() {
        Toy view = toy().input("w", "`optional`: true").output("y", "`dtype`: `x.dtype`, `dims`: [2], `owner`: `w`");
        assertThat(Toy.violations(view.bind(1, ints("2"), ints("2")))).isEmpty();
        assertThat(Toy.violations(view.bind(1, ints("2")))).containsExactly("y: its owner w is left out");
    }
}
