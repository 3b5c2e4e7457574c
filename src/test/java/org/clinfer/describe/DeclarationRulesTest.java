package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which names a description may declare and use where: what is refused, and that its neighbour is not. */
final class DeclarationRulesTest {

    private static final String RUN = "`kernel`: `a.cl#a`, `global`: [1]";

    private static Toy toy() {
        return new Toy().input("x", "").outputLike("y", "x");
    }

    private static void refused(Toy toy, String message) {
        assertThatThrownBy(toy::op).isInstanceOf(DescriptionException.class).hasMessage("toy.json: " + message);
    }

    private static void accepted(Toy toy) {
        assertThat(toy.op().optype()).isEqualTo("Toy");
    }

    private static void refused(Toy toy, String arch, String fields, String message) {
        assertThatThrownBy(() -> Toy.catalog(toy.json("Toy"), Toy.variant("Toy", arch, "v", fields)))
                .isInstanceOfSatisfying(
                        DescriptionException.class,
                        wrong -> assertThat(wrong.mistakes().get(0)).isEqualTo("toy.json: " + message));
    }

    private static OpCatalog accepted(Toy toy, String arch, String fields) {
        return Toy.catalog(toy.json("Toy"), Toy.variant("Toy", arch, "v", fields));
    }

    @ParameterizedTest
    @CsvSource({"index", "at", "device", "output_count"})
    void namesOfClinferItself(String name) {
        refused(new Toy().input(name, ""), "Toy: the name '" + name + "' is reserved");
        refused(new Toy().param(name, "NULL", ""), "Toy: the name '" + name + "' is reserved");
        refused(new Toy().output(name, "`dtype`: `int8`, `dims`: []"), "Toy: the name '" + name + "' is reserved");
    }

    @Test
    void twoOfAName() {
        refused(toy().input("x", ""), "Toy: the name 'x' is declared twice");
        refused(toy().param("x", "NULL", ""), "Toy: the name 'x' is declared twice");
        refused(toy().outputLike("y", "x"), "Toy: the name 'y' is declared twice");
    }

    @Test
    void namesAreKnownAfterTheirDeclaration() {
        accepted(toy().input("w", "`sametype`: `x`, `sameshape`: `x`, `len`: `x.len`, `check`: `w.len > 0`"));
        refused(
                new Toy().input("w", "`sametype`: `x`").input("x", ""),
                "Toy: w: sametype names 'x', which is not an input before it");
        refused(new Toy().input("w", "`sametype`: `w`"), "Toy: w: sametype names 'w', which is not an input before it");
        accepted(toy().param("p", "ARRAY_NUMBER", "`realtype`: `int`, `len`: `len(p)`, `ge`: `output_count`"));
        refused(
                toy().param("p", "NUMBER", "`realtype`: `int`, `default`: `p`"),
                "ops[0].params[0].default: unknown name 'p' in: p; known here are x, output_count");
        accepted(toy().priv("int", "a", "x.ndim").priv("int", "b", "a").with("`checks`: [{`check`: `b > 0`}]"));
        refused(
                toy().with("`checks`: [{`check`: `y.len > 0`}]"),
                "ops[0].checks[0].check: unknown name 'y' in: y.len > 0; known here are x, output_count");
        refused(
                toy().output("z", "`dtype`: `z.dtype`, `dims`: []"),
                "ops[0].tensors_out[1].dtype: unknown name 'z' in: z.dtype; known here are x, output_count, y");
        refused(
                toy().output("z", "`dtype`: `int8`, `dims`: [], `check`: `w > 0`"),
                "ops[0].tensors_out[1].check: unknown name 'w' in: w > 0; known here are x, output_count, y, z");
    }

    @Test
    void onlyTheLastCanStandForMany() {
        accepted(new Toy().input("x", "").input("rest", "`variadic`: true"));
        refused(
                new Toy().input("rest", "`variadic`: true").input("x", ""),
                "Toy: rest: only the last input can be variadic");
        accepted(toy().output("z", "`dtype`: `int8`, `dims`: [`index`], `ndim`: `index`, `variadic`: true"));
        refused(
                new Toy()
                        .output("z", "`dtype`: `int8`, `dims`: [], `variadic`: true")
                        .output("y", "`dtype`: `int8`, `dims`: []"),
                "Toy: z: only the last output can be variadic");
        refused(
                toy().output("z", "`dtype`: `int8`, `dims`: [`index`]"),
                "ops[0].tensors_out[1].dims[0]: unknown name 'index' in: index; known here are x, output_count, y");
    }

    @Test
    void functionsOfAParameterSeeItsValue() {
        String function = "`realtype`: `int`, `from_func`: `value == 'a' ? 1 : x.ndim`";
        accepted(toy().param("p", "STRING", function));
        refused(
                toy().param("p", "STRING", function.replace("x.ndim", "w")),
                "ops[0].params[0].from_func: unknown name 'w' in: value == 'a' ? 1 : w; "
                        + "known here are x, output_count, value");
        refused(
                toy().param("p", "STRING", function).priv("int", "a", "value"),
                "ops[0].extra_privs[0].value: unknown name 'value' in: value; known here are x, output_count, p");
        accepted(toy().input("value", "").param("p", "STRING", function).priv("int", "a", "value.ndim"));
    }

    @Test
    void parametersFromInputs() {
        accepted(new Toy().input("k", "`value`: true").param("p", "BOOL", "`from_input`: `k`"));
        refused(
                toy().param("p", "BOOL", "`from_input`: `k`"),
                "Toy: p: from_input names 'k', which is not an input with \"value\": true");
    }

    @Test
    void owners() {
        accepted(new Toy()
                .input("x", "")
                .output("y", "`dtype`: `int8`, `dims`: [], `owner`: `x`")
                .with("`calc_offset`: `index`"));
        accepted(new Toy().input("x", "`owner`: `y`").outputLike("y", "x").with("`calc_offset`: `y.ndim`"));
        refused(toy().input("w", "`owner`: `x`"), "Toy: w: owner names 'x', which is not an output");
        refused(toy().input("w", "`owner`: `y`"), "Toy: w: an input with an owner needs calc_offset");
        refused(
                toy().output("z", "`dtype`: `int8`, `dims`: [], `owner`: `y`"),
                "Toy: z: owner names 'y', which is not an input");
        refused(toy().with("`calc_offset`: `0`"), "Toy: calc_offset is there, but no tensor with an owner");
        refused(
                new Toy()
                        .input("x", "`owner`: `y`")
                        .output("y", "`dtype`: `int8`, `dims`: [], `owner`: `x`")
                        .with("`calc_offset`: `0`"),
                "Toy: calc_offset is for one argument with an owner, found x, y");
        refused(
                new Toy().input("xs", "`variadic`: true").output("y", "`dtype`: `int8`, `dims`: [], `owner`: `xs`"),
                "Toy: y: owner names 'xs', which stands for several tensors");
        refused(
                new Toy()
                        .input("x", "`owner`: `ys`")
                        .output("ys", "`dtype`: `int8`, `dims`: [], `variadic`: true")
                        .with("`calc_offset`: `0`"),
                "Toy: x: owner names 'ys', which stands for several tensors");
        refused(
                new Toy().input("x", "`owner`: `y`").outputLike("y", "x").with("`calc_offset`: `at`"),
                "ops[0].calc_offset: unknown name 'at' in: at; known here are x, output_count, y, index");
    }

    @Test
    void launchesOfKernels() {
        Toy many = new Toy().input("xs", "`variadic`: true").outputLike("y", "xs[0]");
        accepted(many, "opencl", "`run`: [{" + RUN + ", `each`: `xs`, `when`: `index > 0`}]");
        accepted(
                toy(),
                "opencl",
                "`run`: [{" + RUN
                        + ", `when`: `device.kind == 'gpu'`}], `checks`: [{`check`: `y.len > output_count`}]");
        refused(
                toy(),
                "opencl",
                "`run`: [{" + RUN + ", `each`: `x`}]",
                "Toy_v: run: each names 'x', which is not a variadic argument of Toy");
        refused(
                many,
                "opencl",
                "`run`: [{" + RUN + ", `each`: `xs`}, {" + RUN + ", `when`: `index > 0`}]",
                "ops[1].run[1].when: unknown name 'index' in: index > 0; known here are device, output_count, xs, y");
        for (String phase : new String[] {"static_run", "run", "post_run"}) {
            refused(
                    toy(),
                    "opencl",
                    "`" + phase + "`: [{" + RUN + ", `args`: {`a`: `b`}}]",
                    "ops[1]." + phase
                            + "[0].args.a: unknown name 'b' in: b; known here are device, output_count, x, y");
        }
    }

    @Test
    void kernelsThatLaunchNothing() {
        Toy view = new Toy().input("x", "").output("y", "`dtype`: `x.dtype`, `dims`: `x.dims`, `owner`: `x`");
        accepted(view, "opencl", "`run`: []");
        String nothing = "which has no owner whose memory it could be";
        refused(toy(), "opencl", "", "Toy_v: run: nothing is launched for the output 'y', " + nothing);
        refused(
                toy(),
                "opencl",
                "`static_run`: [{" + RUN + "}], `post_run`: [{" + RUN + "}]",
                "Toy_v: run: nothing is launched for the output 'y', " + nothing);
        refused(
                view.outputLike("z", "x"),
                "opencl",
                "`run`: []",
                "Toy_v: run: nothing is launched for the output 'z', " + nothing);
        refused(
                new Toy().input("x", "`owner`: `y`").outputLike("y", "x").with("`calc_offset`: `0`"),
                "opencl",
                "",
                "Toy_v: run: nothing is launched for the output 'y', " + nothing);
    }

    @Test
    void noOutputIsStatic() {
        accepted(new Toy().input("x", "").output("y", "`dtype`: `int8`, `dims`: [], `static`: false"));
        refused(
                new Toy().input("x", "").output("y", "`dtype`: `int8`, `dims`: [], `static`: true"),
                "ops[0].tensors_out[0].static: an output is computed in every run; what is computed once is a tensor of "
                        + "a variant's own, which static_run fills; expected false");
    }

    @Test
    void tensorsOfAVariantsOwn() {
        String tensor = "`tensors_out`: [{`arg_name`: `t`, `mtype`: `LN_MEM_OPENCL`, `dtype`: `int8`, `dims`: [%s]}]";
        OpCatalog catalog = accepted(
                toy(),
                "opencl",
                tensor.formatted("`tile`") + ", `extra_privs`: [{`type`: `int`, `name`: `tile`, `value`: `8`}], "
                        + "`checks`: [{`check`: `t.len > 0`}], `run`: [{" + RUN + ", `args`: {`t`: `t`}}]");
        assertThat(catalog.variants("Toy").get(0).scratch().get(0).isStatic()).isFalse();
        refused(
                toy(),
                "opencl",
                tensor.formatted("`t.ndim`"),
                "ops[1].tensors_out[0].dims[0]: unknown name 't' in: t.ndim; known here are device, output_count, x, y");
        refused(
                toy(),
                "opencl",
                tensor.formatted("1").replace("`int8`", "`w.dtype`"),
                "ops[1].tensors_out[0].dtype: unknown name 'w' in: w.dtype; known here are device, output_count, x, y");
        refused(toy(), "opencl", tensor.formatted("1").replace("`t`", "`y`"), "Toy_v: the name 'y' is declared twice");
        refused(
                toy(),
                "cpu",
                tensor.formatted("1").replace("OPENCL", "CPU") + ", `run`: [{`tensor`: `y`, `value`: `0`}]",
                "Toy_v: tensors_out: only kernels have tensors of their own");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "y=at[0] z=index | ops[1].run[1].value: unknown name 'index' in: index; known here are device, output_count, x, y, z, at",
                "y=1 y=2 z=3 | Toy_v: run: 'y' has two rules",
                "y=1 w=2 z=3 | Toy_v: run: 'w' is not an output, or a variadic one, of Toy",
                "y=1 x=2 z=3 | Toy_v: run: 'x' is not an output, or a variadic one, of Toy",
                "y=1 | Toy_v: run: there is no rule for the output 'z'",
                "z=1 | Toy_v: run: there is no rule for the output 'y'"
            })
    void elementRules(String rules, String message) {
        Toy two = toy().outputLike("z", "x");
        String run =
                "`run`: [{`tensor`: `" + rules.replace(" ", "`}, {`tensor`: `").replace("=", "`, `value`: `") + "`}]";
        refused(two, "cpu", run, message);
        accepted(two, "cpu", "`run`: [{`tensor`: `z`, `value`: `at[0]`}, {`tensor`: `y`, `value`: `x.ndim`}]");
    }

    @Test
    void manyOutputsHaveNoElementRule() {
        Toy many = toy().output("z", "`dtype`: `int8`, `dims`: [], `variadic`: true");
        refused(
                many,
                "cpu",
                "`run`: [{`tensor`: `z`, `value`: `1`}]",
                "Toy_v: run: 'z' is not an output, or a variadic one, of Toy");
    }

    private static void refusedAll(String message, String... ops) {
        assertThatThrownBy(() -> Toy.catalog(ops))
                .isInstanceOfSatisfying(
                        DescriptionException.class,
                        wrong -> assertThat(wrong.mistakes().get(0)).isEqualTo("toy.json: " + message));
    }

    @Test
    void namesOfOperatorsAndVariantsAreUnique() {
        String run = "`run`: [{" + RUN + "}]";
        String first = Toy.variant("Toy", "opencl", "v", run);
        String second = Toy.variant("Toy", "opencl", "w", run);
        assertThat(Toy.catalog(toy().json("Toy"), first, second).variants("Toy"))
                .hasSize(2);
        refusedAll(
                "the optype Toy_v of variant 'w' of Toy is taken already in toy.json",
                toy().json("Toy"),
                first,
                second.replace("Toy_w", "Toy_v"));
        refusedAll(
                "the optype Toy of variant 'v' of Toy is taken already in toy.json",
                toy().json("Toy"),
                first.replace("Toy_v", "Toy"));
        refusedAll(
                "the optype Other of variant 'v' of Toy is taken already in toy.json",
                toy().json("Toy"),
                toy().json("Other"),
                first.replace("Toy_v", "Other"));
        String settings = first.replace("`run`", "`settings`: [{`name`: `s`, `values`: [1, 2]}], `run`");
        refusedAll(
                "the optype Toy_v_2 of variant 'v_2' of Toy is taken already in toy.json",
                toy().json("Toy"),
                toy().json("Toy_v_2"),
                settings);
    }

    @Test
    void namesOfBuiltInOperatorsAreTaken() {
        for (String taken : new String[] {"Relu", "Relu_ref"}) {
            String variant =
                    Toy.variant("Toy", "opencl", "v", "`run`: [{" + RUN + "}]").replace("Toy_v", taken);
            OpCatalog added = Toy.catalog(toy().json("Toy"), variant);
            assertThatThrownBy(() -> OpCatalog.builtIn().merge(added))
                    .isInstanceOf(DescriptionException.class)
                    .hasMessageContaining("the optype " + taken + " of variant 'v' of Toy is taken already in ");
        }
    }

    @Test
    void namesOfWhatIsNotUsedAreVerified() {
        String unused = "`autogen`: false, `checks`: [{`check`: `%s > 0`}]";
        assertThat(Toy.catalog(toy().with(unused.formatted("x.ndim")).json("Toy"))
                        .operators())
                .isEmpty();
        refusedAll(
                "ops[0].checks[0].check: unknown name 'nosuch' in: nosuch > 0; known here are x, output_count",
                toy().with(unused.formatted("nosuch")).json("Toy"));
        String variant = unused + ", `run`: [{" + RUN + "}]";
        assertThat(Toy.catalog(toy().json("Toy"), Toy.variant("Toy", "opencl", "v", variant.formatted("y.len")))
                        .variants("Toy"))
                .isEmpty();
        refusedAll(
                "ops[1].checks[0].check: unknown name 'nosuch' in: nosuch > 0; known here are device, output_count, x, y",
                toy().json("Toy"),
                Toy.variant("Toy", "opencl", "v", variant.formatted("nosuch")));
        assertThat(Toy.catalog(
                                toy().with("`autogen`: false").json("Toy"),
                                Toy.variant("Toy", "opencl", "v", variant.formatted("y.len")))
                        .operators())
                .isEmpty();
        refusedAll(
                "Toy_v: inherits 'Toy', which is not a known abstract operator",
                Toy.variant("Toy", "opencl", "v", variant.formatted("device.kind")));
    }
}
