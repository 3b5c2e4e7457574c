package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Shapes that the built-in descriptions infer, compared with ones worked out by hand. */
class BuiltInBindingTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();

    private static Binding bind(String optype, Map<String, ExpressionValue> params, int outputs, ArgValue... inputs) {
        Binding binding =
                OpBinder.bind(CATALOG.find(optype).orElseThrow(), "n", Arrays.asList(inputs), params, outputs);
        assertThat(binding.violations()).isEmpty();
        return binding;
    }

    private static String shapes(Binding binding) {
        return binding.outputs().stream()
                .map(type -> type.shape().toString())
                .toList()
                .toString();
    }

    private static ArgValue floats(long... dims) {
        return ArgValue.of(TensorType.of(DType.FLOAT32, dims));
    }

    @Test
    void convolution() {
        Map<String, ExpressionValue> params =
                Map.of("strides", ExpressionValue.ints(2, 2), "padding", ExpressionValue.ints(3, 3, 3, 3));
        ArgValue weights = floats(64, 3, 7, 7);
        assertThat(shapes(bind("Conv2d", params, 1, floats(1, 3, 224, 224), weights, floats(64))))
                .isEqualTo("[1x64x112x112]");
        Shape batched = new Shape(List.of(Dim.named("batch"), Dim.of(3), Dim.of(13), Dim.of(6)));
        Binding same = bind(
                "Conv2d",
                Map.of("pad_mode", ExpressionValue.of("SAME")),
                1,
                ArgValue.of(new TensorType(DType.FLOAT32, batched)),
                weights);
        assertThat(shapes(same)).isEqualTo("[batchx64x13x6]");
        assertThat(same.integers("pads")).containsExactly(3, 3, 3, 3);
    }

    @Test
    void convolutionNamesItsMistakes() {
        Binding binding = OpBinder.bind(
                CATALOG.find("Conv2d").orElseThrow(),
                "conv1",
                List.of(floats(1, 4, 8, 8), floats(6, 3, 3, 3)),
                Map.of("strides", ExpressionValue.ints(0, 1)),
                1);
        assertThat(binding.violations())
                .extracting(Violation::message)
                .contains(
                        "Conv2d 'conv1': strides: expected element 0 >= 1, found 0",
                        "Conv2d 'conv1': in_channels must be weights.dims[1] * group "
                                + "(x.dims[1] == weights.dims[1] * group: x.dims[1] = 4, 3 * 1 = 3)");
    }

    @Test
    void listsAndViews() {
        assertThat(shapes(bind("Split", Map.of("num_outputs", ExpressionValue.of(3)), 3, floats(7, 2))))
                .isEqualTo("[3x2, 3x2, 1x2]");
        assertThat(shapes(bind("Mean", Map.of("axis", ExpressionValue.ints(-1)), 1, floats(2, 3, 4))))
                .isEqualTo("[2x3]");
        assertThat(shapes(bind("Transpose", Map.of(), 1, floats(2, 3, 4)))).isEqualTo("[4x3x2]");
    }

    @Test
    void slicesWithConstantInputs() {
        Binding binding = bind(
                "Slice",
                Map.of(),
                1,
                floats(20, 10, 5),
                ArgValue.of(Tensor.of(new long[] {0, -3}, 2)),
                ArgValue.of(Tensor.of(new long[] {3, 1000}, 2)),
                ArgValue.of(Tensor.of(new long[] {0, 1}, 2)),
                ArgValue.of(Tensor.of(new long[] {1, 2}, 2)));
        assertThat(shapes(binding)).isEqualTo("[3x2x5]");
    }

    @Test
    void slicesWithUnknownInputsKeepTheRank() {
        ArgValue pair = ArgValue.of(TensorType.of(DType.INT64, 2));
        Binding binding = bind("Slice", Map.of(), 1, floats(20, 10, 5), pair, pair);
        assertThat(binding.outputs().get(0).shape().rank()).isEqualTo(3);
        assertThat(binding.unknown()).hasSize(1);
    }

    @Test
    void coefficientsOfEltwise() {
        assertThat(bind("Eltwise", Map.of(), 1, floats(2, 3), floats(2, 3)).integers("alpha"))
                .containsExactly(1, 1);
        Binding binding = OpBinder.bind(
                CATALOG.find("Eltwise").orElseThrow(),
                "sum",
                List.of(floats(2, 3), floats(3, 2)),
                Map.of("alpha", ExpressionValue.ints(1, 2, 3)),
                1);
        assertThat(binding.violations())
                .extracting(Violation::message)
                .anySatisfy(message -> assertThat(message).contains("alpha: expected 2 elements"))
                .anySatisfy(message -> assertThat(message).contains("all inputs must have one shape"));
    }

    @Test
    void boundsOfIntegers() {
        ArgValue bytes = ArgValue.of(TensorType.of(DType.INT8, 4));
        Binding rounded =
                bind("Clip", Map.of("min", ExpressionValue.of(-2.5), "max", ExpressionValue.of(1e30)), 1, bytes);
        assertThat(rounded.integer("lowest")).isEqualTo(-2);
        assertThat(rounded.integer("highest")).isEqualTo(Long.MAX_VALUE);
        long exact = (1L << 62) + 1;
        Binding given = bind("Clip", Map.of(), 1, bytes, ArgValue.of(Tensor.scalar(exact)));
        assertThat(given.integer("lowest")).isEqualTo(exact);
        assertThat(bind("Clip", Map.of(), 1, bytes).integer("lowest")).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void slopesOfChannels() {
        Map<String, ExpressionValue> perChannel = Map.of("per_channel", ExpressionValue.of(true));
        assertThat(bind("PRelu", perChannel, 1, floats(2, 3, 4, 3), floats(3)).integers("slope_strides"))
                .containsExactly(0, 1, 0, 0);
        assertThat(bind("PRelu", Map.of(), 1, floats(2, 3, 4, 3), floats(3)).integers("slope_strides"))
                .containsExactly(0, 1, 0, 0);
        assertThat(bind("PRelu", Map.of(), 1, floats(2, 3, 4, 5), floats(5)).integers("slope_strides"))
                .containsExactly(0, 0, 0, 1);
        assertThat(bind("PRelu", Map.of(), 1, floats(3, 3), floats(3)).integers("slope_strides"))
                .containsExactly(0, 1);
        assertThat(bind("PRelu", Map.of(), 1, floats(3), floats(3)).integers("slope_strides"))
                .containsExactly(1);
        Map<String, ExpressionValue> broadcast = Map.of("per_channel", ExpressionValue.of(false));
        assertThat(bind("PRelu", broadcast, 1, floats(2, 3, 4, 3), floats(3)).integers("slope_strides"))
                .containsExactly(0, 0, 0, 1);
        List<ArgValue> five = List.of(floats(2, 3, 4), floats(5));
        assertThat(OpBinder.bind(CATALOG.find("PRelu").orElseThrow(), "n", five, Map.of(), 1)
                        .violations())
                .singleElement()
                .extracting(Violation::message)
                .asString()
                .startsWith("PRelu 'n': per_channel: slope must be a vector of one slope per channel, or broadcast to");
        OpDescription prelu = CATALOG.find("PRelu").orElseThrow();
        assertThat(OpBinder.bind(prelu, "n", List.of(floats(2, 3, 4, 3), floats(2)), perChannel, 1)
                        .violations())
                .hasSize(1);
    }
}
