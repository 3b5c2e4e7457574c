package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.describe.Toy.constant;
import static org.clinfer.describe.Toy.ints;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.ExpressionValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters: where their values come from, and what descriptions demand of them. */
final class ParamRulesTest {

    private static final String INT = "`realtype`: `int`";

    private static List<String> violations(Toy toy, ExpressionValue value) {
        return Toy.violations(toy.bind(Map.of("p", value), 0));
    }

    @Test
    void undeclaredOnes() {
        assertThat(violations(new Toy(), ExpressionValue.of(1)))
                .containsExactly("p: expected no parameters, found an undeclared one, 1");
        assertThat(violations(new Toy(), ExpressionValue.absent())).isEmpty();
        assertThat(violations(new Toy().param("q", "BOOL", "`default`: true"), ExpressionValue.of("a")))
                .containsExactly("p: expected one of the parameters q, found an undeclared one, 'a'");
    }

    @Test
    void nothingIsTheOnlyValueOfAnEmptyParameter() {
        Toy toy = new Toy().param("p", "NULL", "");
        assertThat(toy.bind(0).violations()).isEmpty();
        assertThat(toy.bind(0).params()).containsEntry("p", ExpressionValue.absent());
        assertThat(Toy.violations(
                        toy.with("`checks`: [{`check`: `has(p), \\`no p\\``}]").bind(0)))
                .containsExactly("no p (has(p): has(null) = false)");
        assertThat(violations(toy, ExpressionValue.of(1))).containsExactly("p: expected nothing, found the int 1");
    }

    @Test
    void defaults() {
        Toy toy = new Toy()
                .input("x", "")
                .param("p", "NUMBER", INT + ", `default`: `x.dims[0] * 2`")
                .param("q", "NUMBER", INT + ", `default`: `p + 1`, `check`: `q < 9`")
                .param("r", "NUMBER", INT + ", `default`: null, `ge`: 3");
        assertThat(toy.bind(0, ints("2")).params())
                .containsEntry("p", ExpressionValue.of(4))
                .containsEntry("q", ExpressionValue.of(5))
                .containsEntry("r", ExpressionValue.absent());
        assertThat(Toy.violations(toy.bind(0, ints("4")))).containsExactly("q: expected q < 9: q = 9");
        Binding broken = toy.bind(Map.of("p", ExpressionValue.of("a")), 0, ints("2"));
        assertThat(Toy.violations(broken)).containsExactly("p: expected an int, found the string 'a'");
        assertThat(broken.params())
                .containsEntry("p", ExpressionValue.absent())
                .containsEntry("q", ExpressionValue.absent());
        assertThat(Toy.violations(toy.bind(Map.of("p", ExpressionValue.absent()), 0, ints("2"))))
                .isEmpty();
    }

    @Test
    void aDefaultOfAnotherKind() {
        Toy toy = new Toy()
                .input("x", "")
                .param("p", "BOOL", "`default`: `[true, x.ndim][1]`")
                .priv("int", "q", "p ? 1 : 2");
        assertThat(Toy.violations(toy.bind(0, ints("2")))).containsExactly("p: expected a bool, found the int 1");
    }

    private static Toy fromInput(String type, String byDefault, String size) {
        return new Toy()
                .input("k", "`value`: true, `optional`: true")
                .param("p", type, INT + ", `from_input`: `k`, `default`: " + byDefault)
                .output("y", "`dtype`: `int8`, `dims`: [`" + size + "`]");
    }

    @Test
    void oneElementOfAnInput() {
        Toy toy = fromInput("NUMBER", "7", "p");
        assertThat(Toy.types(toy.bind(1))).containsExactly("7:int8");
        assertThat(Toy.types(toy.bind(1, constant(3)))).containsExactly("3:int8");
        assertThat(Toy.types(toy.bind(1, ints("1")))).containsExactly("?:int8");
        assertThat(Toy.types(toy.bind(1, ints("n", "1")))).containsExactly("?:int8");
        assertThat(Toy.violations(toy.bind(1, constant(3, 4))))
                .containsExactly("k: expected one element for the parameter p, found 2:int64");
        assertThat(Toy.violations(toy.bind(1, ints("0"))))
                .containsExactly("k: expected one element for the parameter p, found 0:int64");
        assertThat(Toy.violations(toy.bind(Map.of("p", ExpressionValue.of(2)), 1, ints("1"))))
                .containsExactly("p: expected it either as a parameter or as the input k, found both");
    }

    @Test
    void allElementsOfAnInput() {
        Toy toy = fromInput("ARRAY_NUMBER", "[7]", "len(p)");
        assertThat(Toy.types(toy.bind(1, constant(3, 4)))).containsExactly("2:int8");
        assertThat(Toy.types(toy.bind(1, ints("1024")))).containsExactly("1024:int8");
        assertThat(Toy.types(toy.bind(1, ints("1025")))).containsExactly("?:int8");
        assertThat(Toy.types(toy.bind(1, ints("n")))).containsExactly("?:int8");
        assertThat(Toy.types(toy.bind(1, ints("0")))).containsExactly("0:int8");
        assertThat(Toy.violations(toy.bind(1, ints("1", "2"))))
                .containsExactly("k: expected a 1-D tensor for the parameter p, found 1x2:int64");
    }

    @ParameterizedTest
    @CsvSource({
        "eq, ==, 4, 3, 9",
        "eq, ==, 4, 5, 9",
        "ne, !=, 5, 4, 8",
        "gt, >, 5, 4, 10",
        "ge, >=, 4, 3, 9",
        "lt, <, 3, 4, 8",
        "le, <=, 4, 5, 9"
    })
    void bothSidesOfABound(String relation, String symbol, long good, long bad, long goodAtNine) {
        Toy number = new Toy().param("p", "NUMBER", INT + ", `" + relation + "`: 4");
        assertThat(violations(number, ExpressionValue.of(good))).isEmpty();
        assertThat(violations(number, ExpressionValue.of(bad)))
                .containsExactly("p: expected " + symbol + " 4, found " + bad);
        Toy array = new Toy().param("p", "ARRAY_NUMBER", INT + ", `" + relation + "`: [9, 4]");
        assertThat(violations(array, ExpressionValue.ints(goodAtNine, good))).isEmpty();
        assertThat(violations(array, ExpressionValue.ints(goodAtNine, bad)))
                .containsExactly("p: expected element 1 " + symbol + " 4, found " + bad);
    }

    @Test
    void boundsThatAreExpressions() {
        Toy toy = new Toy()
                .input("x", "")
                .param("p", "ARRAY_NUMBER", INT + ", `le`: `x.dims`, `ge`: `x.ndim > 2 ? 0 : null`");
        assertThat(Toy.violations(toy.bind(Map.of("p", ExpressionValue.ints(2, 3)), 0, ints("2", "3"))))
                .isEmpty();
        assertThat(Toy.violations(toy.bind(Map.of("p", ExpressionValue.ints(2, -4)), 0, ints("2", "n"))))
                .isEmpty();
        assertThat(Toy.violations(toy.bind(Map.of("p", ExpressionValue.ints(2, 4)), 0, ints("2", "3"))))
                .containsExactly("p: expected element 1 <= 3 (x.dims = [2, 3]), found 4");
        assertThat(Toy.violations(toy.bind(Map.of("p", ExpressionValue.ints(2)), 0, ints("2", "3"))))
                .containsExactly("p: expected 2 elements, as in x.dims = [2, 3], found 1: [2]");
        Toy failing = new Toy().param("p", "NUMBER", INT + ", `lt`: `1 / 0`");
        assertThat(violations(failing, ExpressionValue.of(1))).containsExactly("p: division by zero: 1 / 0, in 1 / 0");
    }

    @Test
    void sixteenElementsBreakABoundAtMost() {
        Toy toy = new Toy().param("p", "ARRAY_NUMBER", INT + ", `ge`: 1, `ne`: 0");
        List<String> violations = violations(toy, ExpressionValue.list(Collections.nCopies(17, ExpressionValue.of(0))));
        assertThat(violations).hasSize(32);
        assertThat(violations.get(15)).isEqualTo("p: expected element 15 != 0, found 0");
        assertThat(violations.get(31)).isEqualTo("p: expected element 15 >= 1, found 0");
    }

    @Test
    void lengths() {
        Toy fixed = new Toy().param("p", "ARRAY_NUMBER", INT + ", `len`: 2");
        assertThat(violations(fixed, ExpressionValue.ints(1, 2))).isEmpty();
        assertThat(violations(fixed, ExpressionValue.ints(1))).containsExactly("p: expected 2 elements, found 1: [1]");
        assertThat(violations(fixed, ExpressionValue.unknown())).isEmpty();
        Toy none = new Toy().param("p", "ARRAY_NUMBER", INT + ", `len`: `null`");
        assertThat(violations(none, ExpressionValue.ints(1))).isEmpty();
    }

    @Test
    void spellings() {
        Toy text = new Toy().param("p", "STRING", "`one_of`: [`A`, `B`]");
        assertThat(violations(text, ExpressionValue.of("B"))).isEmpty();
        assertThat(violations(text, ExpressionValue.of("b"))).containsExactly("p: expected one of A, B, found b");
        assertThat(violations(text, ExpressionValue.unknown())).isEmpty();
        Toy texts = new Toy().param("p", "ARRAY_STRING", "`one_of`: [`A`, `B`], `check`: `len(p) == 9`");
        assertThat(violations(texts, ExpressionValue.texts(List.of("A", "C", "B", "D"))))
                .containsExactly("p: expected one of A, B, found C", "p: expected one of A, B, found D");
        Toy any = new Toy().param("p", "STRING", "");
        assertThat(violations(any, ExpressionValue.of("whatever"))).isEmpty();
    }

    @Test
    void oneMistakeIsReportedOnce() {
        Toy toy = new Toy()
                .param("p", "NUMBER", INT + ", `ge`: 0, `check`: `p != 3`")
                .priv("int", "root", "10 / p")
                .with("`checks`: [{`check`: `p > 5`}]");
        assertThat(violations(toy, ExpressionValue.of(-1))).containsExactly("p: expected >= 0, found -1");
        assertThat(violations(toy, ExpressionValue.of(3))).containsExactly("p: expected p != 3: p = 3");
        assertThat(violations(toy, ExpressionValue.of(4))).containsExactly("expected p > 5: p = 4");
        assertThat(violations(toy, ExpressionValue.of(6))).isEmpty();
    }

    @Test
    void stringsThatStandForNumbers() {
        Toy toy = new Toy()
                .param(
                        "p",
                        "STRING",
                        INT
                                + ", `one_of`: [`A`, `B`, `C`], `from_func`: `value == 'C' ? value : 1 + index_of(['A', 'B'], value)`, `le`: 1")
                .priv("int", "twice", "2 * p");
        Binding one = toy.bind(Map.of("p", ExpressionValue.of("A")), 0);
        assertThat(one.violations()).isEmpty();
        assertThat(one.integer("twice")).isEqualTo(2);
        assertThat(violations(toy, ExpressionValue.of("B"))).containsExactly("p: expected <= 1, found 2");
        assertThat(violations(toy, ExpressionValue.of("C")))
                .containsExactly("p: expected from_func to give a number for 'C', found the string 'C'");
        assertThat(violations(toy, ExpressionValue.of("D"))).containsExactly("p: expected one of A, B, C, found D");
        assertThat(violations(toy, ExpressionValue.of(1))).containsExactly("p: expected a string, found the int 1");
        Binding unknown = toy.bind(Map.of("p", ExpressionValue.unknown()), 0);
        assertThat(unknown.violations()).isEmpty();
        assertThat(unknown.value("twice")).isEqualTo(ExpressionValue.unknown());
    }

    @Test
    void listsOfStringsThatStandForNumbers() {
        Toy toy = new Toy()
                .param(
                        "p",
                        "ARRAY_STRING",
                        "`realtype`: `float`, `from_func`: `value == 'x' ? error('no x') : len([value])`")
                .priv("reals", "same", "p");
        assertThat(toy.bind(Map.of("p", ExpressionValue.texts(List.of("a", "b"))), 0)
                        .reals("same"))
                .containsExactly(1.0, 1.0);
        assertThat(violations(toy, ExpressionValue.texts(List.of("a", "x"))))
                .containsExactly("p: no x, in value == 'x' ? error('no x') : len([value])");
    }
}
