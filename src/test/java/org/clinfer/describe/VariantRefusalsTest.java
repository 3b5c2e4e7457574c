package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.describe.Toy.constant;
import static org.clinfer.describe.Toy.ints;

import java.util.List;
import java.util.Map;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a variant demands beyond its abstract operator, its scratch values and its own tensors. */
final class VariantRefusalsTest {

    private static final Toy TOY = new Toy()
            .input("x", "")
            .input("w", "`optional`: true")
            .input("rest", "`variadic`: true, `optional`: true")
            .param("p", "NUMBER", "`realtype`: `int`, `default`: 3")
            .outputLike("y", "x");

    private static VariantDescription variant(String fields) {
        String run = fields.contains("`run`") ? "" : ", `run`: [{`kernel`: `a.cl#a`, `global`: [1]}]";
        return Toy.catalog(TOY.json("Toy"), Toy.variant("Toy", "opencl", "v", fields + run))
                .variants("Toy")
                .get(0);
    }

    private static List<String> refusals(String fields, @Nullable ArgValue... inputs) {
        VariantDescription variant = variant(fields);
        return variant.refusals(TOY.op(), variant.scope(TOY.bind(1, inputs).scope()));
    }

    private static String rule(String name, String fields) {
        return "`tensors_in`: [{`arg_name`: `" + name + "`, " + fields + "}]";
    }

    @Test
    void rulesForAnInput() {
        assertThat(refusals(rule("x", "`ndim`: 1, `dtype`: `int64`"), ints("2")))
                .isEmpty();
        assertThat(refusals(rule("x", "`ndim`: 1, `dtype`: `float32`"), ints("2", "3")))
                .containsExactly(
                        "x: expected dtype float32, found int64", "x: expected 1 dimensions, found 2 (2x3:int64)");
        assertThat(refusals(rule("x", "`check`: `x.len > 3, \\`too few\\``"), ints("2")))
                .containsExactly("x: too few (x.len > 3: x.len = 2)");
        assertThat(refusals(rule("x", "`static`: true"), ints("2")))
                .containsExactly("x: expected a constant, found a tensor computed at run time");
    }

    @Test
    void rulesForAnInputThatIsLeftOut() {
        assertThat(refusals(rule("w", "`ndim`: 1, `check`: `w.len > 3`"), ints("2")))
                .isEmpty();
        assertThat(refusals(rule("w", "`ndim`: 1, `check`: `w.len > 3`"), ints("2"), ints("3")))
                .containsExactly("w: expected w.len > 3: w.len = 3");
    }

    @Test
    void rulesForEachOfMany() {
        String rules = rule("rest", "`ndim`: 1, `sametype`: `rest`, `check`: `len(rest) == 2`");
        assertThat(refusals(rules, ints("2"), null)).isEmpty();
        assertThat(refusals(rules, ints("2"), null, ints("3"), constant(1))).isEmpty();
        assertThat(refusals(rules, ints("2"), null, ints("3"), ArgValue.of(TensorType.of(DType.INT8, 2, 2)), ints("3")))
                .containsExactly(
                        "rest[1]: expected 1 dimensions, found 2 (2x2:int8)",
                        "rest[1]: expected the dtype of rest, int64, found int8");
        assertThat(refusals(rules, ints("2"), null, ints("3")))
                .containsExactly("rest: expected len(rest) == 2: len([3:int64]) = 1");
    }

    @Test
    void checksAreLookedAtWhereTheInputsAreRight() {
        String fields =
                rule("x", "`ndim`: 1") + ", `checks`: [{`check`: `p > 3, \\`p is small\\``}, {`check`: `x.len > 2`}]";
        assertThat(refusals(fields, ints("2", "2"))).containsExactly("x: expected 1 dimensions, found 2 (2x2:int64)");
        assertThat(refusals(fields, ints("2")))
                .containsExactly("p is small (p > 3: p = 3)", "expected x.len > 2: x.len = 2");
    }

    @Test
    void whatCannotBeDecidedIsRefused() {
        assertThat(refusals("`checks`: [{`check`: `x.len > 2, \\`x is small\\``}]", ints("n")))
                .containsExactly("x is small (x.len > 2: x.len = n)");
    }

    @Test
    void aCheckThatGivesNoBool() {
        assertThat(refusals("`checks`: [{`check`: `[true, x.len][1]`}]", ints("2")))
                .containsExactly("the check [true, x.len][1] must give a bool, not the int 2");
    }

    @Test
    void scratchValuesBuildOnEachOther() {
        VariantDescription variant = variant("`extra_privs`: [{`type`: `int`, `name`: `a`, `value`: `p * 2`}, "
                + "{`type`: `int`, `name`: `b`, `value`: `a + 1`}], `checks`: [{`check`: `b == 7`}]");
        Scope scope = variant.scope(Scope.of(Map.of("p", ExpressionValue.of(3))));
        assertThat(scope.find("a")).contains(ExpressionValue.of(6));
        assertThat(scope.find("b")).contains(ExpressionValue.of(7));
        assertThat(variant.refusals(TOY.op(), scope)).isEmpty();
        assertThat(variant("`checks`: []").isReference()).isFalse();
    }

    @Test
    void launchesOfAllPhases() {
        String launch = "[{`kernel`: `a.cl#%s`, `global`: [1]}]";
        VariantDescription variant = variant("`post_run`: " + launch.formatted("last") + ", `run`: "
                + launch.formatted("each") + ", `static_run`: " + launch.formatted("first"));
        assertThat(variant.launches()).extracting(LaunchDescription::entry).containsExactly("first", "each", "last");
        assertThat(variant.run()).extracting(LaunchDescription::entry).containsExactly("each");
        OpCatalog catalog = Toy.catalog(
                TOY.json("Toy"), Toy.variant("Toy", "cpu", "ref", "`run`: [{`tensor`: `y`, `value`: `1`}]"));
        VariantDescription elements = catalog.elementForms("Toy").get(0);
        assertThat(elements.launches()).isEmpty();
        assertThat(elements.run()).isEmpty();
        assertThat(elements.isReference()).isTrue();
    }

    private static TensorType scratch(String dtype, String dims) {
        String fields = "`tensors_out`: [{`arg_name`: `t`, `mtype`: `LN_MEM_OPENCL`, `dtype`: `" + dtype + "`, `dims`: "
                + dims + ", `static`: true}]";
        ScratchDescription scratch = variant(fields).scratch().get(0);
        assertThat(scratch.isStatic()).isTrue();
        return scratch.type(TOY.bind(1, ints("2", "n")).scope());
    }

    @Test
    void typesOfOwnTensors() {
        assertThat(scratch("int8", "[]")).hasToString("scalar:int8");
        assertThat(scratch("x.dtype", "[`p`, 0]")).hasToString("3x0:int64");
        assertThat(scratch("p == 3 ? 'u1' : 'bool'", "`[p, p]`")).hasToString("3x3:u1");
        assertThat(scratch("int8", "`p`")).hasToString("3:int8");
    }

    private static void refusedScratch(String dtype, String dims, String message) {
        assertThatThrownBy(() -> scratch(dtype, dims))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void ownTensorsWithoutAType() {
        refusedScratch("['', p][1]", "[1]", "t: expected a data type and sizes >= 0, found 3 and [1]");
        refusedScratch("'int9'", "[1]", "t: expected a data type and sizes >= 0, found 'int9' and [1]");
        refusedScratch("int8", "[1, -1]", "t: expected a data type and sizes >= 0, found 'int8' and [1, -1]");
        refusedScratch("int8", "[`[1, 1.5][1]`]", "t: expected a data type and sizes >= 0, found 'int8' and [1.5]");
        refusedScratch("int8", "`x.dims`", "t: expected a data type and sizes >= 0, found 'int8' and [2, n]");
        refusedScratch("int16", "[9223372036854775807]", "t is too large: 9223372036854775807:int16");
    }

    @Test
    void theScopeOfANodeHasEverything() {
        Scope scope = TOY.bind(1, ints("2")).scope();
        assertThat(Expr.parse("x.len + p + y.len + output_count", "").evaluate(scope))
                .isEqualTo(ExpressionValue.of(8));
    }
}
