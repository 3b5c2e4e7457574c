package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How tables put what a description demands of a field. */
final class FieldTextTest {

    private static InputDescription input(String fields) {
        return new Toy().input("w", "").input("x", fields).op().inputs().get(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~ | any",
                "`dtype`: [`any`] | any",
                "`dtype`: [`any`, `u1`] | any, u1",
                "`dtype`: [`numeric`] | numeric",
                "`dtype`: [`bool`, `numeric`, `u1`] | numeric, bool, u1",
                "`dtype`: [`bool`, `uint64`, `numeric`, `u1`] | any, u1",
                "`dtype`: [`u1`, `numeric`] | numeric, u1",
                "`dtype`: [`floating`, `int8`] | floating, int8",
                "`dtype`: [`floating`] | floating",
                "`dtype`: [`integer`, `float32`] | integer, float32",
                "`dtype`: [`int8`, `float32`] | int8, float32",
                "`sametype`: `w` | type of `w`",
            })
    void typesOfInputs(String fields, String text) {
        assertThat(FieldText.types(input(fields))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~ | ~~",
                "`optional`: true | optional",
                "`variadic`: true | one or more",
                "`optional`: true, `variadic`: true, `value`: true | optional; one or more; must be known when the run is planned",
                "`ndim`: 1 | 1 dimension",
                "`ndim`: 2 | 2 dimensions",
                "`ndim`: `w.ndim`, `len`: `w.len - 1` | `w.ndim` dimensions; `w.len - 1` elements",
                "`len`: 1 | 1 element",
                "`sameshape`: `w` | shape of `w`",
                "`static`: true | constant",
                "`static`: false | not constant",
                "`check`: `x.len > 1` | `x.len > 1`",
                "`check`: `x.len > 1, \\`too few\\`` | `x.len > 1` (too few)",
                "`check`: `false, \\`never\\`` | never",
            })
    void rulesOfInputs(String fields, String text) {
        assertThat(String.join("; ", FieldText.rules(input(fields)))).isEqualTo(text);
    }

    private static ParamDescription param(String type, String fields) {
        return new Toy()
                .input("k", "`value`: true")
                .param("p", type, fields)
                .op()
                .params()
                .get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~ | must be given",
                "`from_input`: `k` | must be given, here or as an input",
                "`default`: null, `from_input`: `k` | none",
                "`default`: `k.ndim > 1` | `k.ndim > 1`",
                "`default`: true | `true`",
            })
    void defaults(String fields, String text) {
        assertThat(FieldText.byDefault(param("BOOL", fields))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "NUMBER | `realtype`: `int` | ~~",
                "NUMBER | `realtype`: `int`, `ge`: 0, `ne`: `k.ndim` | `!= k.ndim`; `>= 0`",
                "ARRAY_NUMBER | `realtype`: `int`, `len`: 2, `le`: [1, 2] | 2 elements; each `<= [1, 2]`",
                "STRING | `one_of`: [`A`, `B`] | one of `A`, `B`",
                "BOOL | `from_input`: `k` | or the input `k`",
                "BOOL | `check`: `p` | `p`",
            })
    void rulesOfParameters(String type, String fields, String text) {
        assertThat(String.join("; ", FieldText.rules(param(type, fields)))).isEqualTo(text);
    }

    @Test
    void outputs() {
        OpDescription op = new Toy()
                .input("x", "")
                .outputLike("y", "x")
                .output("z", "`dtype`: `int8`, `dims`: [2, `x.ndim`]")
                .op();
        assertThat(FieldText.type(op.outputs().get(0))).isEqualTo("`x.dtype`");
        assertThat(FieldText.dims(op.outputs().get(0))).isEqualTo("`x.dims`");
        assertThat(FieldText.type(op.outputs().get(1))).isEqualTo("int8");
        assertThat(FieldText.dims(op.outputs().get(1))).isEqualTo("`[2, x.ndim]`");
    }
}
