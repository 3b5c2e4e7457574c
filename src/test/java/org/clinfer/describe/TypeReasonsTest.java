package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.clinfer.describe.TypeSupport.Cell;
import org.clinfer.describe.TypeSupport.Place;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why an operator does not run somewhere for an element type, as tables of operators give it. */
final class TypeReasonsTest {

    private static final String RUN = "`run`: [{`kernel`: `a.cl#a`, `global`: [1]}]";

    private static TypeSupport support(boolean cpu, Toy toy, String... variants) {
        String[] ops = new String[variants.length + 1];
        ops[0] = toy.json("Toy");
        System.arraycopy(variants, 0, ops, 1, variants.length);
        OpCatalog catalog = Toy.catalog(ops);
        return TypeSupport.of(catalog.find("Toy").orElseThrow(), catalog.variants("Toy"), cpu);
    }

    private static String kernel(String name, String fields) {
        return Toy.variant("Toy", "opencl", name, RUN + fields);
    }

    private static Toy toy(String fields) {
        return new Toy().input("x", fields).outputLike("y", "x");
    }

    @Test
    void withoutKernels() {
        assertThat(support(true, toy("")).cell(DType.INT8)).isEqualTo(new Cell(Place.CPU, "there is no OpenCL kernel"));
        assertThat(support(false, toy("")).cell(DType.INT8))
                .isEqualTo(new Cell(Place.NONE, "there is no OpenCL kernel"));
    }

    @Test
    void withoutTheCpu() {
        TypeSupport support = support(false, toy(""), kernel("ref", ""));
        assertThat(support.cell(DType.INT8)).isEqualTo(new Cell(Place.OPENCL, "the CPU does not have the operator"));
        assertThat(support.cell(DType.FLOAT64))
                .isEqualTo(new Cell(Place.OPENCL, "kernels that touch float64 need cl_khr_fp64"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "`dtype`: `int8` | bool | a bool is not a number",
                "`dtype`: `int8` | int16 | not described for this type: only int8",
                "`dtype`: `int8`, `dtype_doc`: `too wide` | int16 | too wide",
                "`dtype`: `bool` | int16 | only truth values can be combined logically",
                "`dtype`: [`bool`, `int8`] | int16 | not described for this type: only bool, int8",
            })
    void typesThatAreNotDescribed(String fields, String type, String reason) {
        TypeSupport support = support(true, toy(fields), kernel("ref", ""));
        assertThat(support.cell(DType.of(type).orElseThrow())).isEqualTo(new Cell(Place.NONE, reason));
        assertThat(support.types(kernelOf(fields))).hasSizeLessThan(3);
    }

    private static VariantDescription kernelOf(String fields) {
        return Toy.catalog(toy(fields).json("Toy"), kernel("ref", ""))
                .variants("Toy")
                .get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "`tensors_in`: [{`arg_name`: `x`, `dtype`: `int8`}] ; the kernels take only int8",
                "`tensors_in`: [{`arg_name`: `x`, `dtype`: [`int8`, `u1`], `dtype_doc`: `only small`}] ; only small",
                "`tensors_in`: [{`arg_name`: `x`, `check`: `x.dtype == 'int8', \\`only int8\\``}] ; only int8",
                "`checks`: [{`check`: `x.dtype == 'int8', \\`int8 alone\\``}] ; int8 alone",
                "`checks`: [{`check`: `1 > 2, \\`never\\``}] ; ~~",
                "`checks`: [{`check`: `x.dtype == 'int8' || x.len > 3, \\`small\\``}] ; ~~",
                "`checks`: [{`check`: `x.dtype == error('no')`}] ; ~~",
                "`checks`: [{`check`: `y.dtype == 'int8', \\`y is int8\\``}] ; y is int8",
                "`checks`: [{`check`: `output_count > 2 || w.dtype == 'int8', \\`w is int8\\``}] ; ~~",
                "`checks`: [{`check`: `w.dtype == 'int8', \\`w is int8\\``}] ; w is int8",
                "`checks`: [{`check`: `rest[0].dtype == 'int8', \\`rest is int8\\``}] ; rest is int8",
                "`checks`: [{`check`: `output_count > 2 && x.dtype == 'int8', \\`counted\\``}] ; counted",
                "`checks`: [{`check`: `p > 2 && x.dtype == 'int8', \\`p alone\\``}] ; p alone",
                "`checks`: [{`check`: `s > 2 && x.dtype == 'int8', \\`s alone\\``}] ; s alone",
                "`checks`: [{`check`: `t > 2 && x.dtype == 'int8', \\`t alone\\``}], `extra_privs`: [{`type`: `int`, `name`: `t`, `value`: `1`}] ; t alone",
                "`tensors_in`: [{`arg_name`: `rest`, `dtype`: `int8`}] ; the kernels take only int8",
                "`checks`: [{`check`: `p > 2 && s > 2 && t > 2 || x.dtype == 'int8'`}], `extra_privs`: [{`type`: `int`, `name`: `t`, `value`: `1`}] ; ~~",
            })
    void whatKernelsRefuse(String fields, String reason) {
        Toy toy = toy("").input("w", "")
                .input("rest", "`variadic`: true")
                .param("p", "NUMBER", "`realtype`: `int`")
                .priv("int", "s", "p");
        TypeSupport support = support(true, toy, kernel("ref", ", " + fields));
        Cell both = new Cell(Place.BOTH, "");
        assertThat(support.cell(DType.INT8)).isEqualTo(both);
        assertThat(support.cell(DType.INT16)).isEqualTo(reason.isEmpty() ? both : new Cell(Place.CPU, reason));
    }

    @Test
    void theLastKernelGivesTheReason() {
        TypeSupport support = support(
                true,
                toy(""),
                kernel("ref", ", `tensors_in`: [{`arg_name`: `x`, `dtype`: [`float32`, `int8`, `float64`]}]"),
                kernel("fast", ", `tensors_in`: [{`arg_name`: `x`, `dtype`: `float32`}]"));
        assertThat(support.cell(DType.INT8)).isEqualTo(new Cell(Place.BOTH, ""));
        assertThat(support.cell(DType.INT16))
                .isEqualTo(new Cell(Place.CPU, "the kernels take only float32, int8, float64"));
        assertThat(support.cell(DType.FLOAT64))
                .isEqualTo(new Cell(Place.FP64, "kernels that touch float64 need cl_khr_fp64"));
    }

    @Test
    void doublesThatNoKernelTouches() {
        Toy values = new Toy()
                .input("x", "")
                .input("k", "`value`: true, `dtype`: `float64`")
                .outputLike("y", "x");
        assertThat(support(true, values, kernel("ref", "")).cell(DType.INT8)).isEqualTo(new Cell(Place.BOTH, ""));
        Toy wide =
                new Toy().input("x", "").output("y", "`dtype`: `x.dtype == 'bool' ? 'int8' : 'float64'`, `dims`: []");
        TypeSupport support = support(true, wide, kernel("ref", ""));
        assertThat(support.cell(DType.INT8).place()).isEqualTo(Place.FP64);
        assertThat(support.cell(DType.BOOL).place()).isEqualTo(Place.BOTH);
        Toy narrow = new Toy().input("x", "").output("y", "`dtype`: `int8`, `dims`: []");
        assertThat(support(true, narrow, kernel("ref", "")).cell(DType.FLOAT64).place())
                .isEqualTo(Place.FP64);
        Toy view = new Toy().input("x", "").output("y", "`dtype`: `x.dtype`, `dims`: `x.dims`, `owner`: `x`");
        assertThat(support(true, view, Toy.variant("Toy", "opencl", "view", "`run`: []"))
                        .cell(DType.FLOAT64))
                .isEqualTo(new Cell(Place.BOTH, ""));
    }

    @Test
    void otherInputsTakeWhatTheyCan() {
        Toy toy =
                new Toy().input("x", "").input("w", "`dtype`: [`bool`, `int8`]").outputLike("y", "x");
        TypeSupport support = support(true, toy, kernel("ref", ", `tensors_in`: [{`arg_name`: `w`, `dtype`: `int8`}]"));
        assertThat(support.cell(DType.INT8).place()).isEqualTo(Place.BOTH);
        assertThat(support.cell(DType.INT16)).isEqualTo(new Cell(Place.CPU, "the kernels take only int8"));
    }

    @Test
    void theMainTensor() {
        Toy second = new Toy().input("a", "").input("b", "").outputLike("y", "b");
        assertThat(support(true, second).argument()).isEqualTo("b");
        Toy none = new Toy().input("k", "`value`: true").input("a", "").output("y", "`dtype`: `int8`, `dims`: []");
        assertThat(support(true, none).argument()).isEqualTo("a");
        Toy output = new Toy()
                .param("to", "STRING", "`one_of`: [`int8`, `complex`]")
                .output("y", "`dtype`: `to`, `dims`: []");
        assertThat(support(true, output).argument()).isEqualTo("y");
        assertThat(support(true, output, kernel("ref", "")).cell(DType.INT8).place())
                .isEqualTo(Place.BOTH);
        assertThat(support(true, output, kernel("ref", "")).cell(DType.INT16))
                .isEqualTo(new Cell(Place.NONE, "not described for this type: only int8"));
        assertThat(support(true, new Toy()).argument()).isEmpty();
    }

    @Test
    void typesInOrder() {
        TypeSupport support = support(true, toy(""));
        assertThat(support.cells().keySet()).containsExactlyElementsOf(TypeSupport.TYPES);
        assertThatThrownBy(() -> support.cell(DType.U1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("operators are not listed for u1");
        assertThat(TypeSupport.labels(List.of(DType.INT8, DType.BOOL))).isEqualTo("int8, bool");
        assertThat(List.of(Place.values()))
                .extracting(Place::shown)
                .containsExactly("both", "fp64", "opencl", "cpu", "-");
        assertThat(List.of(Place.values()))
                .extracting(Place::meaning)
                .doesNotHaveDuplicates()
                .contains("nowhere");
    }

    @Test
    void outputsWhoseTypeCannotBeTold() {
        Toy toy = new Toy().input("x", "").output("y", "`dtype`: `x.dims[9] > 1 ? x.dtype : 'int8'`, `dims`: []");
        TypeSupport support =
                support(true, toy, kernel("ref", ", `checks`: [{`check`: `y.dtype == 'int8', \\`y\\``}]"));
        assertThat(support.cell(DType.INT8)).isEqualTo(new Cell(Place.BOTH, ""));
        assertThat(support.cell(DType.INT16)).isEqualTo(new Cell(Place.CPU, "y"));
    }

    /** What follows from a type that is refused is not reported besides. */
    @Test
    void onlyTheTypeIsReported() {
        Map<String, ExpressionValue> params = Map.of(
                "strides", ExpressionValue.ints(1, 1),
                "pads_begin", ExpressionValue.ints(0, 0),
                "pads_end", ExpressionValue.ints(0, 0),
                "dilations", ExpressionValue.ints(1, 1),
                "mode", ExpressionValue.of("xnor-popcount"),
                "pad_value", ExpressionValue.of(0));
        OpDescription op = OpCatalog.builtIn().find("BinaryConvolution").orElseThrow();
        List<ArgValue> inputs = List.of(
                ArgValue.of(TensorType.of(DType.BOOL, 1, 1, 4, 4)), ArgValue.of(TensorType.of(DType.U1, 1, 1, 3, 3)));
        assertThat(OpBinder.bind(op, "n", inputs, params, 1).violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.message()).contains("x: expected dtype one of"));
    }
}
