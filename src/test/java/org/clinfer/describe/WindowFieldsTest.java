package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields of OpLib's windowed and fully connected operators: their defaults, output sizes and refusals. */
class WindowFieldsTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();

    /** Fields as {@code name=value} words; lists are written {@code [1,2]}. */
    private static Map<String, ExpressionValue> fields(String text) {
        Map<String, ExpressionValue> fields = new HashMap<>();
        for (String word : text.split(" ", -1)) {
            if (word.isEmpty()) {
                continue;
            }
            String[] parts = word.split("=", 2);
            fields.put(parts[0], value(parts[1]));
        }
        return fields;
    }

    private static ExpressionValue value(String text) {
        if (text.startsWith("[")) {
            return ExpressionValue.ints(
                    Stream.of(text.substring(1, text.length() - 1).split(",", -1))
                            .mapToLong(Long::parseLong)
                            .toArray());
        }
        if (text.equals("true") || text.equals("false")) {
            return ExpressionValue.of(text.equals("true"));
        }
        return text.matches("-?[0-9]+") ? ExpressionValue.of(Long.parseLong(text)) : ExpressionValue.of(text);
    }

    /** Inputs as shapes with blanks between them. */
    private static Binding bind(String optype, String inputs, String fields) {
        List<ArgValue> tensors = Stream.of(inputs.split(" ", -1))
                .map(shape -> ArgValue.of(TensorType.of(
                        DType.INT8,
                        Stream.of(shape.split("x", -1))
                                .mapToLong(Long::parseLong)
                                .toArray())))
                .toList();
        return OpBinder.bind(CATALOG.find(optype).orElseThrow(), "n", tensors, fields(fields), 1);
    }

    private static String messages(Binding binding) {
        return binding.violations().stream().map(Violation::message).collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "Conv2d | 2x3x7x9 4x3x3x2 | kernel_size=[0,0] | 2x4x5x8",
                "Conv2d | 2x3x7x9 4x3x3x2 4 | kernel_size=[3,2] bias_term=true | 2x4x5x8",
                "Conv2d | 2x3x8x8 4x3x3x3 | strides=[2,2] ceil_mode=FLOOR | 2x4x3x3",
                "Conv2d | 2x3x8x8 4x3x3x3 | strides=[2,2] ceil_mode=CEIL | 2x4x4x4",
                "Conv2d | 2x3x7x9 4x3x3x2 | padding=[1,2,3,4] pad_mode=PADDING | 2x4x8x15",
                "Conv2d | 2x3x7x9 4x3x3x2 | padding=[1,2,3,4] pad_mode=SAME strides=[2,2] | 2x4x4x5",
                "Conv2d | 2x3x7x9 4x3x3x2 | padding=[1,2,3,4] pad_mode=VALID | 2x4x5x8",
                "Conv2d | 1x1x8x8 1x1x1x1 | strides=[3,3] pad_mode=SAME ceil_mode=CEIL | 1x1x3x3",
                "Conv2d | 1x1x8x8 1x1x1x1 | strides=[3,3] pad_mode=SAME | 1x1x3x3",
                "Conv2d | 1x1x8x9 1x1x2x2 | strides=[3,4] pad_mode=SAME_LOWER ceil_mode=CEIL | 1x1x3x3",
                "DepthwiseConv2d | 1x2x8x9 1x2x1x2 | strides=[3,4] pad_mode=SAME ceil_mode=CEIL | 1x2x3x3",
                "MaxPool | 1x1x8x9 | kernel_size=[1,2] strides=[3,4] pad_mode=SAME ceil_mode=CEIL | 1x1x3x3",
                "AvgPool | 1x1x8x9 | kernel_size=[1,2] strides=[3,4] pad_mode=SAME_LOWER ceil_mode=CEIL | 1x1x3x3",
                "DepthwiseConv2d | 2x3x7x9 4x3x3x2 12 | '' | 2x12x5x8",
                "DepthwiseConv2d | 2x3x7x9 1x3x3x2 3 | group=3 dilation=[2,1] | 2x3x3x8",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | kernel_size=[0,0] strides=[2,2] | 1x2x11x9",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | strides=[2,2] pad_mode=VALID ceil_mode=CEIL | 1x2x11x9",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | strides=[2,2] pad_mode=VALID output_shape=[1,2,12,9] | 1x2x12x9",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | strides=[2,2] pad_mode=SAME | 1x2x10x8",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | strides=[2,2] pad_mode=SAME output_shape=[1,2,9,7] | 1x2x9x7",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | strides=[2,2] padding=[1,1,0,1] output_shape=[1,2,10,8] | 1x2x10x8",
                "InnerProduct | 3x2x3x4 5x24 5 | bias_term=true | 3x5x1x1",
                "InnerProduct | 3x2x3x4 5x2x3x4 | bias_term=false | 3x5x1x1",
                "MaxPool | 2x3x7x9 | is_global=true | 2x3x1x1",
                "MaxPool | 2x3x7x9 | is_global=true kernel_size=[0,0] strides=[1,1] padding=[0,0,0,0] | 2x3x1x1",
                "AvgPool | 2x3x7x9 | is_global=true kernel_size=[7,9] pad_mode=VALID | 2x3x1x1",
                "AvgPool | 2x3x8x8 | kernel_size=[3,3] strides=[2,2] ceil_mode=CEIL | 2x3x4x4",
                "MaxPool | 2x3x7x9 | kernel_size=[3,3] strides=[2,2] padding=[1,0,1,0] | 2x3x3x4",
            })
    void gives(String optype, String inputs, String fields, String output) {
        Binding binding = bind(optype, inputs, fields);
        assertThat(messages(binding)).isEmpty();
        assertThat(binding.outputs().get(0).shape().toString()).isEqualTo(output);
        assertThat(binding.outputs().get(0).dtype()).isEqualTo(DType.INT8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Conv2d | 2x3x7x9 4x3x3x2 | kernel_size=[3,3] | kernel_size must be that of the weights, or [0, 0]",
                "Conv2d | 2x3x7x9 4x3x3x2 | kernel_size=[0,2] | kernel_size must be that of the weights, or [0, 0]",
                "Conv2d | 2x3x7x9 4x3x3x2 | ceil_mode=ROUND | ROUND has no defined output size",
                "Conv2d | 2x3x7x9 4x3x3x2 | bias_term=true | bias_term says whether a bias tensor is given",
                "DepthwiseConv2d | 2x3x7x9 4x3x3x2 | group=2 | group must be in_channels, or 1",
                "DepthwiseConv2d | 2x3x7x9 3x4x3x2 | '' | weights.dims[1] must be the input channels",
                "DepthwiseConv2d | 2x3x7x9 4x3x3x2 4 | '' | bias: expected 12 elements",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | ceil_mode=ROUND | ROUND has no defined output size",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | kernel_size=[3,2] | kernel_size must be that of the weights",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | pad_mode=SAME output_shape=[1,2,11,8] strides=[2,2] | with SAME",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | pad_mode=VALID output_shape=[1,2,13,9] strides=[2,2] | does not belong",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | pad_mode=VALID output_shape=[1,2,10,9] strides=[2,2] | does not belong",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | padding=[1,1,1,1] output_shape=[1,2,8,7] strides=[2,2] | does not belong",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | output_shape=[1,2,13,9] strides=[2,2] | larger than any",
                "Conv2dTranspose | 1x3x5x4 3x2x3x3 | output_shape=[1,3,11,9] strides=[2,2] | must keep batch and output",
                "InnerProduct | 3x2x3x4 5x23 | '' | must have in_channels * in_height * in_width elements",
                "InnerProduct | 3x2x3x4 5x2x4x3 | '' | weights of four axes must have the channels",
                "Pad | 2x3 | pad_with=[1,0,0,0] pads=[0,0,1,1] | pad_with and pads exclude each other",
                "Pad | 2x3 | pad_with=[1,0,0,0] axes=[1] | axes are those of pads",
                "Pad | 2x3 | pads=[1,0] | pads needs two numbers per axis",
                "Pad | 2x3 | pads=[1,0,0,0] axes=[1,-1] | axes: an axis is given twice",
                "Pad | 2x3 | pad_with=[1,0,0,0] constant_value=1 constant_values=[1,1,1,2] | exclude each other",
                "Mean | 2x3x4 | axis=[1,1] | axis: an axis is given twice",
                "Mean | 2x3x4 | axis=[1,-2] | axis: an axis is given twice",
                "Mean | 2x3x4 | axis=[3] | axis: expected element 0 < 3 (x.ndim = 3), found 3",
                "ReduceSum | 2x3x4 | axis=[0,-3] | axis: an axis is given twice",
                "Squeeze | 1x3x1 | axis=[0,0] | axis: an axis is given twice",
                "Unsqueeze | 2x3 | axis=[1,-3] | axis: an axis is given twice",
                "Unsqueeze | 2x3 | axis=[3] | axis: expected element 0 < 3",
                "Slice | 4x3 | starts=[0,0] ends=[1,1] axes=[0,-2] | axes: an axis is given twice",
                "DeePhiDownsample | 1x3x2x6 | scale=[3,3] | scale is larger than the input is high",
                "DeePhiDownsample | 1x3x6x2 | scale=[3,3] | scale is larger than the input is wide",
                "MaxPool | 2x3x7x9 | '' | kernel_size is needed unless is_global",
                "MaxPool | 2x3x7x9 | is_global=true strides=[2,1] | a global pool has strides 1 and padding 0",
                "AvgPool | 2x3x7x9 | is_global=true padding=[0,0,1,0] | a global pool has strides 1 and padding 0",
                "AvgPool | 2x3x7x9 | is_global=true pad_mode=SAME | a global pool has no padding",
                "AvgPool | 2x3x7x9 | is_global=true kernel_size=[7,8] | must be the whole plane, or all 0",
                "AvgPool | 2x3x7x9 | kernel_size=[3,3] ceil_mode=ROUND | ROUND has no defined output size",
            })
    void refuses(String optype, String inputs, String fields, String reason) {
        assertThat(messages(bind(optype, inputs, fields))).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Conv2d", "DepthwiseConv2d", "Conv2dTranspose", "MaxPool", "AvgPool"})
    void kernelSizeIsZeroUnlessGiven(String optype) {
        boolean pool = optype.endsWith("Pool");
        Binding binding = bind(optype, pool ? "1x3x5x4" : "1x3x5x4 3x3x1x1", pool ? "is_global=true" : "");
        assertThat(binding.integers("kernel_size")).containsExactly(0, 0);
        assertThat(binding.integers("strides")).containsExactly(1, 1);
        assertThat(binding.text("pad_mode")).isEqualTo("PADDING");
        assertThat(binding.text("ceil_mode")).isEqualTo("FLOOR");
    }

    @Test
    void sameWithAKernelBelowTheStrideAddsAtTheEnd() {
        Binding binding = bind("Conv2dTranspose", "1x3x5x4 3x2x1x2", "strides=[3,4] pad_mode=SAME");
        assertThat(binding.integers("pads")).containsExactly(0, -2, 0, -2);
    }
}
