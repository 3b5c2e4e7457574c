package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a value becomes in the type a parameter or derived value is declared with. */
final class ParamValuesTest {

    private static ExpressionValue value(String expression) {
        return Expr.parse(expression, "").evaluate(Scope.empty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "INT | 3 | 3",
                "INT | 3.0 | 3",
                "INT | 3.5 | none",
                "INT | true | none",
                "REAL | 3 | 3.0",
                "REAL | 3.5 | 3.5",
                "REAL | 'a' | none",
                "BOOL | true | true",
                "BOOL | 1 | none",
                "STRING | 'a' | 'a'",
                "STRING | 1 | none",
                "INTS | [3, 4.0] | [3, 4]",
                "INTS | [3, 4.5] | none",
                "INTS | 3 | none",
                "INTS | [] | []",
                "REALS | [3, 4.5] | [3.0, 4.5]",
                "REALS | [3, true] | none",
                "STRINGS | ['a'] | ['a']",
                "STRINGS | [1] | none",
                "LIST | ['a', 1] | ['a', 1]",
                "LIST | 1 | none",
                "INT | null | null",
                "LIST | null | null",
            })
    void derivedValues(PrivDescription.Type type, String given, String expected) {
        assertThat(ParamValues.convert(type, value(given))
                        .map(ExpressionValue::toString)
                        .orElse("none"))
                .isEqualTo(expected);
    }

    @Test
    void whatIsNotKnownStaysSo() {
        for (PrivDescription.Type type : PrivDescription.Type.values()) {
            assertThat(ParamValues.convert(type, ExpressionValue.unknown("n"))).contains(ExpressionValue.unknown("n"));
        }
        ExpressionValue half = ExpressionValue.list(ExpressionValue.of(1), ExpressionValue.unknown("n"));
        assertThat(ParamValues.convert(PrivDescription.Type.REALS, half))
                .contains(ExpressionValue.list(ExpressionValue.of(1.0), ExpressionValue.unknown("n")));
    }

    @Test
    void wholeNumbersThatFit() {
        double largest = Math.nextDown(0x1p62);
        assertThat(ParamValues.convert(PrivDescription.Type.INT, ExpressionValue.of(largest)))
                .contains(ExpressionValue.of((long) largest));
        assertThat(ParamValues.convert(PrivDescription.Type.INT, ExpressionValue.of(0x1p62)))
                .isEmpty();
        assertThat(ParamValues.convert(PrivDescription.Type.INT, ExpressionValue.of(-largest)))
                .contains(ExpressionValue.of((long) -largest));
        assertThat(ParamValues.convert(PrivDescription.Type.INT, ExpressionValue.of(-0x1p62)))
                .isEmpty();
        assertThat(ParamValues.convert(PrivDescription.Type.INT, ExpressionValue.of(Double.NaN)))
                .isEmpty();
        assertThat(ParamValues.convert(PrivDescription.Type.INT, ExpressionValue.of(Long.MAX_VALUE)))
                .contains(ExpressionValue.of(Long.MAX_VALUE));
    }

    private static ParamDescription param(String type, String more) {
        return new Toy().param("p", type, more).op().params().get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "NULL | ~~ | null | null | nothing",
                "NULL | ~~ | 1 | none | nothing",
                "STRING | ~~ | 'a' | 'a' | a string",
                "STRING | ~~ | 1 | none | a string",
                "BOOL | ~~ | false | false | a bool",
                "BOOL | ~~ | 'a' | none | a bool",
                "NUMBER | `realtype`: `int` | 2.0 | 2 | an int",
                "NUMBER | `realtype`: `int` | 2.5 | none | an int",
                "NUMBER | `realtype`: `float` | 2 | 2.0 | a number",
                "NUMBER | `realtype`: `double` | [2] | none | a number",
                "ARRAY_STRING | ~~ | ['a'] | ['a'] | a list of strings",
                "ARRAY_STRING | ~~ | [true] | none | a list of strings",
                "ARRAY_BOOL | ~~ | [true] | [true] | a list of bools",
                "ARRAY_BOOL | ~~ | ['a'] | none | a list of bools",
                "ARRAY_NUMBER | `realtype`: `int` | [2.0] | [2] | a list of ints",
                "ARRAY_NUMBER | `realtype`: `int` | [2.5] | none | a list of ints",
                "ARRAY_NUMBER | `realtype`: `float` | [2] | [2.0] | a list of numbers",
                "STRING | `realtype`: `int`, `from_func`: `1` | 'a' | 'a' | a string",
            })
    void parameters(String type, String fields, String given, String converted, String expected) {
        ParamDescription param = param(type, fields);
        assertThat(ParamValues.convert(param, value(given))
                        .map(ExpressionValue::toString)
                        .orElse("none"))
                .isEqualTo(converted);
        assertThat(param.expected()).isEqualTo(expected);
    }

    @Test
    void numbersThatStringsStandFor() {
        ParamDescription whole = param("STRING", "`realtype`: `int`, `from_func`: `1`");
        assertThat(ParamValues.number(whole, ExpressionValue.of(2.0))).contains(ExpressionValue.of(2));
        assertThat(ParamValues.number(whole, ExpressionValue.of(2.5))).isEqualTo(Optional.empty());
        ParamDescription real = param("STRING", "`realtype`: `float`, `from_func`: `1`");
        assertThat(ParamValues.number(real, ExpressionValue.of(2))).contains(ExpressionValue.of(2.0));
        assertThat(ParamValues.number(real, ExpressionValue.texts(List.of()))).isEqualTo(Optional.empty());
    }
}
