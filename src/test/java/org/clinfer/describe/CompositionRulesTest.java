package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators composed of others: what every part must have, how deep and how large they may be. */
final class CompositionRulesTest {

    private static final String UNIT = unary("Unit");

    private static String unary(String optype) {
        return new Toy()
                .input("x", "")
                .param("p", "BOOL", "`default`: true")
                .outputLike("y", "x")
                .json(optype);
    }

    /** A part, with its tensors as the lists {@code argument=tensor argument=tensor}. */
    private static String part(String name, String optype, String inputs, String outputs, String params) {
        return "{`name`: `" + name + "`, `optype`: `" + optype + "`, `tensors_in`: [" + tensors(inputs)
                + "], `tensors_out`: [" + tensors(outputs) + "], `params`: [" + params + "]}";
    }

    private static String tensors(String pairs) {
        return pairs.isEmpty()
                ? ""
                : "{`arg_name`: `" + pairs.replace(" ", "`}, {`arg_name`: `").replace("=", "`, `name`: `") + "`}";
    }

    private static String composed(String optype, String... parts) {
        return Toy.variant(optype, "graph", "parts", "`ops`: [" + String.join(", ", parts) + "]");
    }

    private static void refused(String message, String... ops) {
        assertThatThrownBy(() -> Toy.catalog(ops))
                .isInstanceOfSatisfying(
                        DescriptionException.class,
                        wrong -> assertThat(wrong.mistakes().get(0)).isEqualTo("toy.json: " + message));
    }

    private static void refusedParts(String message, String... parts) {
        refused(message, UNIT, unary("Whole"), composed("Whole", parts));
    }

    @Test
    void whatIsRight() {
        OpCatalog catalog = Toy.catalog(
                UNIT,
                unary("Whole"),
                composed(
                        "Whole",
                        part("a", "Unit", "x=x", "y=t", "{`arg_name`: `p`, `value`: `x.ndim > 1`}"),
                        part("b", "Unit", "x=t", "y=y", "")));
        assertThat(catalog.compositions("Whole")).hasSize(1);
        assertThat(catalog.compositions("Unit")).isEmpty();
        assertThat(catalog.variants("Whole")).isEmpty();
        assertThat(catalog.elementForms("Whole")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Unite | x=x | y=y | there is no operator 'Unite'",
                "Unit | w=x | y=y | Unit has no input 'w'",
                "Unit | x=x | y=y z=z | Unit has no output 'z'",
                "Whole | x=x | y=y | the operator consists of itself: Whole > Whole",
            })
    void aPartIsAnOperatorWithItsArguments(String optype, String inputs, String outputs, String reason) {
        refusedParts("Whole_parts: ops: a: " + reason, part("a", optype, inputs, outputs, ""));
    }

    @Test
    void aPartHasTheParametersOfItsOperator() {
        refusedParts(
                "Whole_parts: ops: a: Unit has no parameter 'q'",
                part("a", "Unit", "x=x", "y=y", "{`arg_name`: `q`, `value`: `true`}"));
        refusedParts(
                "ops[2].ops[0].params[0].value: unknown name 't' in: t.ndim; known here are device, output_count, x, p, y",
                part("a", "Unit", "x=x", "y=t", "{`arg_name`: `p`, `value`: `t.ndim`}"));
    }

    @Test
    void tensorsAreThereBeforeTheyAreTaken() {
        refusedParts(
                "Whole_parts: ops: a: there is no tensor 't' before it",
                part("a", "Unit", "x=t", "y=y", ""),
                part("b", "Unit", "x=x", "y=t", ""));
        refusedParts(
                "Whole_parts: ops: b: the tensor 'y' is there already",
                part("a", "Unit", "x=x", "y=y", ""),
                part("b", "Unit", "x=x", "y=y", ""));
        refusedParts("Whole_parts: ops: a: the tensor 'x' is there already", part("a", "Unit", "x=x", "y=x", ""));
        refusedParts("Whole_parts: ops: no part gives the output 'y'", part("a", "Unit", "x=x", "y=t", ""));
        refusedParts(
                "ops[2].ops: two parts have the name 'a'",
                part("a", "Unit", "x=x", "y=t", ""),
                part("a", "Unit", "x=t", "y=y", ""));
        refused(
                "ops[2]: field 'ops' is missing",
                UNIT,
                unary("Whole"),
                Toy.variant("Whole", "graph", "parts", "`doc`: ``"));
    }

    @Test
    void manyOutputsCannotBeComposed() {
        String many = new Toy()
                .input("x", "")
                .output("y", "`dtype`: `int8`, `dims`: [], `variadic`: true")
                .json("Many");
        refused(
                "Many_parts: ops: no part gives the output 'y'",
                UNIT,
                many,
                composed("Many", part("a", "Unit", "x=x", "y=y", "")));
    }

    private static final String DTYPE = "{`arg_name`: `dtype`, `value`: `'int8'`}, ";
    private static final String DIMS = "{`arg_name`: `dims`, `value`: `[1]`}, ";
    private static final String DATA = "{`arg_name`: `data`, `value`: `1`}";

    @Test
    void constants() {
        OpCatalog catalog =
                Toy.catalog(unary("Whole"), composed("Whole", part("a", "Const", "", "y=y", DTYPE + DIMS + DATA)));
        assertThat(catalog.compositions("Whole")).hasSize(1);
        String right = "Whole_parts: ops: a: a Const has one output and the params dtype, dims and data";
        refusedParts(right, part("a", "Const", "", "y=y", DTYPE + DATA));
        refusedParts(right, part("a", "Const", "", "y=y", DTYPE + DIMS + DATA + ", " + DATA.replace("data", "more")));
        refusedParts(right, part("a", "Const", "x=x", "y=y", DTYPE + DIMS + DATA));
        refusedParts(right, part("a", "Const", "", "y=y z=z", DTYPE + DIMS + DATA));
    }

    /** Operators Op1 to Op<i>levels</i>, each composed of the one before, the first of Unit. */
    private static String[] chain(int levels, boolean backwards) {
        List<String> ops = new ArrayList<>(List.of(UNIT));
        for (int i = 1; i <= levels; i++) {
            String inner = i == 1 ? "Unit" : "Op" + (i - 1);
            List<String> level = List.of(unary("Op" + i), composed("Op" + i, part("a", inner, "x=x", "y=y", "")));
            ops.addAll(backwards ? 0 : ops.size(), level);
        }
        return ops.toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void thirtyTwoInsideEachOther(boolean backwards) {
        assertThat(Toy.catalog(chain(32, backwards)).operators()).hasSize(33);
        String composed = backwards ? "Op1" : "Op33";
        refused(composed + "_parts: ops: more than 32 composed operators inside each other", chain(33, backwards));
    }

    /** Op1 of 100 parts, and Op2 of as many of Op1 as given and one Unit less than makes 10000. */
    private static String[] large(int extra) {
        List<String> hundred = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            hundred.add(part("a" + i, "Unit", "x=x", i == 0 ? "y=y" : "y=t" + i, ""));
        }
        List<String> outer = new ArrayList<>();
        for (int i = 0; i < 100 + extra; i++) {
            outer.add(part(
                    "a" + i,
                    i < 100 ? "Op1" : "Const",
                    i < 100 ? "x=x" : "",
                    i == 0 ? "y=y" : "y=t" + i,
                    i < 100 ? "" : DTYPE + DIMS + DATA));
        }
        return new String[] {
            UNIT,
            unary("Op1"),
            composed("Op1", hundred.toArray(String[]::new)),
            unary("Op2"),
            composed("Op2", outer.toArray(String[]::new))
        };
    }

    @Test
    void tenThousandInAll() {
        assertThat(Toy.catalog(large(0)).compositions("Op2")).hasSize(1);
        refused("Op2_parts: ops: more than 10000 operators in all", large(1));
    }

    @Test
    void aParameterIsGivenOnce() {
        String param = "{`arg_name`: `p`, `value`: `true`}";
        refusedParts("ops[2].ops[0].params: two values for 'p'", part("a", "Unit", "x=x", "y=y", param + ", " + param));
    }
}
