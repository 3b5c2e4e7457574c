package org.clinfer.describe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Binding: one mistake of each kind with its message, defaults, inputs that supply parameters, unknown dimensions. */
class OpBinderTest {

    private static final String TOY = """
            {"ops": [{"optype": "Toy", "author": "me", "arch": "none",
              "tensors_in": [
                {"arg_name": "x", "mtype": "LN_MEM_NONE", "ndim": 3, "dtype": ["float32", "float16"],
                 "check": "x.dims[0] > 0, \\"x has no rows\\""},
                {"arg_name": "w", "mtype": "LN_MEM_NONE", "optional": true, "sametype": "x", "len": "x.dims[1] * 2"},
                {"arg_name": "s", "mtype": "LN_MEM_NONE", "optional": true, "sameshape": "x", "static": true,
                 "dtype": "int8"},
                {"arg_name": "k", "mtype": "LN_MEM_NONE", "optional": true, "value": true}],
              "params": [
                {"arg_name": "axis", "ptype": "LN_PARAM_NUMBER", "realtype": "int", "default": 0, "ge": "-x.ndim",
                 "lt": "x.ndim"},
                {"arg_name": "steps", "ptype": "LN_PARAM_ARRAY_NUMBER", "realtype": "int", "default": "fill(2, 1)",
                 "len": "x.ndim - 1", "ge": 1, "le": [4, 5]},
                {"arg_name": "mode", "ptype": "LN_PARAM_STRING", "default": "A", "one_of": ["A", "B"]},
                {"arg_name": "alpha", "ptype": "LN_PARAM_NUMBER", "realtype": "float",
                 "check": "alpha != 3, \\"alpha must not be 3\\""},
                {"arg_name": "keep", "ptype": "LN_PARAM_BOOL", "default": false},
                {"arg_name": "size", "ptype": "LN_PARAM_ARRAY_NUMBER", "realtype": "int", "default": null,
                 "from_input": "k"}],
              "extra_privs": [
                {"type": "int", "name": "rows", "value": "x.dims[normalize_axis(axis, x.ndim)]"},
                {"type": "int", "name": "part", "value": "60 / (x.dims[2] - 5)"},
                {"type": "ints", "name": "wrong", "value": "keep ? 'text' : [1]"}],
              "checks": [{"check": "rows % 2 == 0, \\"rows must be even\\""}],
              "tensors_out": [
                {"arg_name": "y", "mtype": "LN_MEM_NONE", "dtype": "x.dtype",
                 "dims": "has(size) ? size : [x.dims[0], x.dims[1] - 4]"},
                {"arg_name": "z", "mtype": "LN_MEM_NONE", "dtype": "int64", "dims": ["x.dims[2]"], "optional": true}]}]}
            """;

    private static final OpDescription OP = OpCatalog.empty()
            .with(Map.of("toy.json", TOY.getBytes(UTF_8)))
            .find("Toy")
            .orElseThrow();

    private final List<@Nullable ArgValue> inputs =
            new ArrayList<>(Arrays.asList(ArgValue.of(TensorType.of(DType.FLOAT32, 2, 6, 7))));
    private final Map<String, ExpressionValue> params = new LinkedHashMap<>(Map.of("alpha", ExpressionValue.of(1)));
    private int outputs = 1;

    private Binding bind() {
        return OpBinder.bind(OP, "n1", inputs, params, outputs);
    }

    private void expect(String... messages) {
        assertThat(bind().violations())
                .extracting(Violation::message)
                .containsExactly(
                        Arrays.stream(messages).map(m -> "Toy 'n1': " + m).toArray(String[]::new));
    }

    private void input(int index, @Nullable ArgValue value) {
        while (inputs.size() <= index) {
            inputs.add(null);
        }
        inputs.set(index, value);
    }

    private static ArgValue floats(long... dims) {
        return ArgValue.of(TensorType.of(DType.FLOAT32, dims));
    }

    @Test
    void bindsWithDefaults() {
        outputs = 2;
        Binding binding = bind();
        assertThat(binding.violations()).isEmpty();
        assertThat(binding.outputs())
                .containsExactly(TensorType.of(DType.FLOAT32, 2, 2), TensorType.of(DType.INT64, 7));
        assertThat(binding.isComplete()).isTrue();
        assertThat(binding.integer("axis")).isZero();
        assertThat(binding.integers("steps")).containsExactly(1, 1);
        assertThat(binding.text("mode")).isEqualTo("A");
        assertThat(binding.real("alpha")).isEqualTo(1.0);
        assertThat(binding.flag("keep")).isFalse();
        assertThat(binding.has("size")).isFalse();
        assertThat(binding.has("nothing of that name")).isFalse();
        assertThat(binding.integer("rows")).isEqualTo(2);
        assertThat(binding.params()).containsOnlyKeys("axis", "steps", "mode", "alpha", "keep", "size");
        assertThat(Expr.parse("y.len + z.dims[0] + part", "").evaluate(binding.scope()))
                .isEqualTo(ExpressionValue.of(41));
        assertThatThrownBy(() -> binding.integer("mode"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Toy 'n1': mode: expected an int, found the string 'A'");
        assertThatThrownBy(() -> binding.integer("missing")).hasMessage("Toy 'n1' has no value 'missing'");
    }

    @Test
    void tooManyInputs() {
        input(4, floats(1));
        expect("inputs: expected at most 4, found 5");
    }

    @Test
    void aMissingInputIsReportedOnce() {
        input(0, null);
        expect("x: expected a tensor, found none");
        assertThat(bind().outputs()).isEmpty();
    }

    @Test
    void wrongDtype() {
        input(0, ArgValue.of(TensorType.of(DType.INT8, 2, 6, 7)));
        expect("x: expected dtype one of float32, float16, found int8");
    }

    @Test
    void wrongNdim() {
        input(0, floats(2, 6));
        expect("x: expected 3 dimensions, found 2 (2x6:float32)");
    }

    @Test
    void wrongLengthAndType() {
        input(1, ArgValue.of(TensorType.of(DType.FLOAT16, 13)));
        expect(
                "w: expected 12 elements (x.dims[1] * 2: 6 * 2 = 12), found 13 (13:float16)",
                "w: expected the dtype of x, float32, found float16");
    }

    @Test
    void wrongShapeAndNotStatic() {
        input(2, ArgValue.of(TensorType.of(DType.INT8, 2, 6, 8)));
        expect(
                "s: expected the shape of x, 2x6x7, found 2x6x8",
                "s: expected a constant, found a tensor computed at run time");
    }

    @Test
    void failedInputCheck() {
        input(0, floats(0, 6, 7));
        expect("x: x has no rows (x.dims[0] > 0: x.dims[0] = 0)");
    }

    @Test
    void parametersOfWrongKind() {
        params.put("axis", ExpressionValue.of(0.5));
        params.put("steps", ExpressionValue.of(3));
        params.put("mode", ExpressionValue.of(true));
        params.put("keep", ExpressionValue.of(1));
        params.remove("alpha");
        params.put("beta", ExpressionValue.of(1));
        expect(
                "beta: expected one of the parameters axis, steps, mode, alpha, keep, size, found an undeclared one, 1",
                "axis: expected an int, found the real 0.5",
                "steps: expected a list of ints, found the int 3",
                "mode: expected a string, found the bool true",
                "alpha: expected a number, found none",
                "keep: expected a bool, found the int 1");
    }

    @Test
    void parametersOutOfBounds() {
        params.put("axis", ExpressionValue.of(3));
        params.put("steps", ExpressionValue.ints(0, 6));
        params.put("mode", ExpressionValue.of("C"));
        params.put("alpha", ExpressionValue.of(3));
        expect(
                "axis: expected < 3 (x.ndim = 3), found 3",
                "steps: expected element 0 >= 1, found 0",
                "steps: expected element 1 <= 5, found 6",
                "mode: expected one of A, B, found C",
                "alpha: alpha must not be 3 (alpha != 3: alpha = 3.0)");
    }

    @Test
    void parameterOfWrongLength() {
        params.put("steps", ExpressionValue.ints(1, 1, 1));
        expect(
                "steps: expected 2 elements (x.ndim - 1: 3 - 1 = 2), found 3: [1, 1, 1]",
                "steps: expected 2 elements, as in [4, 5], found 3: [1, 1, 1]");
    }

    @Test
    void derivedValuesThatFail() {
        input(0, floats(2, 6, 5));
        params.put("keep", ExpressionValue.of(true));
        expect(
                "part: division by zero: 60 / 0, in 60 / (x.dims[2] - 5)",
                "wrong: expected a list of ints, found the string 'text', in keep ? 'text' : [1]");
    }

    @Test
    void failedOperatorCheck() {
        input(0, floats(3, 6, 7));
        expect("rows must be even (rows % 2 == 0: 3 % 2 = 1)");
    }

    @Test
    void impossibleOutput() {
        input(0, floats(2, 3, 7));
        expect("y: expected dims[1] to be an int >= 0, found -1 in [2, -1]");
    }

    @Test
    void wrongNumberOfOutputs() {
        outputs = 3;
        expect("outputs: expected 1 to 2, found 3");
        outputs = 0;
        expect("outputs: expected 1 to 2, found 0");
    }

    @Test
    void inputSuppliesParameter() {
        input(3, ArgValue.of(Tensor.of(new long[] {4, 9}, 2)));
        assertThat(bind().outputs()).containsExactly(TensorType.of(DType.FLOAT32, 4, 9));
        assertThat(bind().integers("size")).containsExactly(4, 9);
        params.put("size", ExpressionValue.ints(1));
        expect("size: expected it either as a parameter or as the input k, found both");
        params.remove("size");
        input(3, ArgValue.of(Tensor.scalar(4)));
        expect("k: expected a 1-D tensor for the parameter size, found scalar:int64");
        input(3, ArgValue.of(Tensor.of(new float[] {1.5f}, 1)));
        expect("size: expected a list of ints, found the list [1.5]");
    }

    @Test
    void unknownElementsLeaveTheRankKnown() {
        input(3, ArgValue.of(TensorType.of(DType.INT64, 3)));
        Binding binding = bind();
        assertThat(binding.violations()).isEmpty();
        assertThat(binding.outputs().get(0)).hasToString("?x?x?:float32");
        assertThat(binding.unknown())
                .containsExactly("Toy 'n1': y: the shape ?x?x? is not known, because it depends on the elements of k");
        assertThat(binding.isComplete()).isFalse();
    }

    @Test
    void unknownRankGivesNoOutput() {
        input(3, ArgValue.of(new TensorType(DType.INT64, new Shape(List.of(Dim.named("rank"))))));
        assertThat(bind().outputs()).isEmpty();
        assertThat(bind().unknown())
                .containsExactly("Toy 'n1': y: the shape is not known, because it depends on the elements of k");
    }

    @Test
    void namedDimensionsPassThrough() {
        input(
                0,
                ArgValue.of(
                        new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(6), Dim.of(7))))));
        Binding binding = bind();
        assertThat(binding.violations()).isEmpty();
        assertThat(binding.outputs().get(0)).hasToString("batchx2:float32");
        assertThat(binding.undecided())
                .containsExactly(
                        "Toy 'n1': x: x has no rows (x.dims[0] > 0: x.dims[0] = batch)",
                        "Toy 'n1': rows must be even (rows % 2 == 0: batch % 2 = ?)");
    }
}
