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

/** CANN's Deconvolution: lists and single fields, output sizes and types, refusals. */
class DeconvolutionTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();

    /** Inputs are {@code SHAPE:TYPE} words, fields {@code name=value} words; lists are written {@code [1,2]}. */
    private static Binding bind(String inputs, String fields) {
        List<ArgValue> tensors =
                Stream.of(inputs.split(" ", -1)).map(DeconvolutionTest::input).toList();
        Map<String, ExpressionValue> values = new HashMap<>();
        for (String word : fields.isEmpty() ? new String[0] : fields.split(" ", -1)) {
            String[] parts = word.split("=", 2);
            values.put(parts[0], value(parts[1]));
        }
        return OpBinder.bind(CATALOG.find("Deconvolution").orElseThrow(), "n", tensors, values, 1);
    }

    private static ArgValue input(String text) {
        String[] parts = text.split(":", 2);
        long[] dims =
                Stream.of(parts[0].split("x", -1)).mapToLong(Long::parseLong).toArray();
        DType type = parts.length == 1 ? DType.FLOAT16 : DType.of(parts[1]).orElseThrow();
        return ArgValue.of(TensorType.of(type, dims));
    }

    private static ExpressionValue value(String text) {
        if (!text.startsWith("[")) {
            return ExpressionValue.of(Long.parseLong(text));
        }
        String elements = text.substring(1, text.length() - 1);
        return ExpressionValue.ints(
                elements.isEmpty()
                        ? new long[0]
                        : Stream.of(elements.split(",", -1))
                                .mapToLong(Long::parseLong)
                                .toArray());
    }

    private static String messages(Binding binding) {
        return binding.violations().stream().map(Violation::message).collect(Collectors.joining("\n"));
    }

    /** The rows without dilation are published test shapes of the operator. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1x16x3x3 16x16x1x1 | '' | 1x16x3x3",
                "1x16x3x3 16x16x1x1 | stride=[2,2] | 1x16x5x5",
                "1x16x2x2 16x16x3x3 | stride_h=1 stride_w=1 | 1x16x4x4",
                "1x16x4x4 16x16x4x4 | stride=[2] | 1x16x10x10",
                "1x16x3x3 16x16x4x4 | stride=[2] pad=[1] | 1x16x6x6",
                "1x51x45x45 51x2x3x3 | pad=[1,1] group=17 | 1x34x45x45",
                "4x32x1x1 32x16x5x5 | pad_h=2 pad_w=2 | 4x16x1x1",
                "17x17x49x49 17x17x5x5 | stride=[2,2] | 17x17x101x101",
                "4x7x2x2 7x1x4x5 | stride=[2,1] pad=[1,2] group=7 | 4x7x4x2",
                "4x21x2x2 21x2x5x4 | stride_w=2 pad=[2,1] group=7 | 4x14x2x4",
                "4x7x6x4 7x7x1x1 | stride=[1,2] | 4x7x6x7",
                "1x16x1x35000 16x16x1x1 | stride_w=2 | 1x16x1x69999",
                "1x64x1x4096 64x16x1x32 | stride=[2,2] pad=[0,15] | 1x16x1x8192",
                "1x16x10x350 16x16x3x3 16 | pad=[1] | 1x16x10x350",
                "1x3x5x5 3x4x3x3 | dilation=[2,3] | 1x4x9x11",
                "1x3x5x5 3x4x3x2 | dilation=[2] stride_h=2 pad_w=1 | 1x4x13x5",
            })
    void gives(String inputs, String fields, String output) {
        Binding binding = bind(inputs, fields);
        assertThat(messages(binding)).isEmpty();
        assertThat(binding.outputs().get(0)).hasToString(output + ":float16");
    }

    @Test
    void int8GivesInt32() {
        assertThat(bind("1x64x3x3:int8 64x16x2x2:int8 16:int32", "stride=[3] pad=[1]")
                        .outputs()
                        .get(0))
                .hasToString("1x16x6x6:int32");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "stride=[2,2] stride_h=2 | one of stride and stride_h, stride_w needs to be set, not both",
                "stride=[2] stride_w=1 | one of stride and stride_h, stride_w needs to be set, not both",
                "pad=[1,1] pad_h=1 | one of pad and pad_h, pad_w needs to be set, not both",
                "pad=[0] pad_w=0 | one of pad and pad_h, pad_w needs to be set, not both",
                "stride=[1,2,1] | stride: stride has at most two elements, height and width (len(stride) <= 2: len([1, 2, 1]) = 3)",
                "pad=[1,1,1,1] | pad: pad has at most two elements, height and width",
                "dilation=[1,1,2] | dilation: dilation has at most two elements, height and width",
                "stride=[-1,0] | stride: expected element 0 >= 1, found -1",
                "stride_h=0 | stride_h: expected >= 1, found 0",
                "stride_w=-2 | stride_w: expected >= 1, found -2",
                "pad=[0,-1] | pad: expected element 1 >= 0, found -1",
                "pad_h=-1 | pad_h: expected >= 0, found -1",
                "pad_w=-1 | pad_w: expected >= 0, found -1",
                "dilation=[0] | dilation: expected element 0 >= 1, found 0",
                "group=0 | group: expected >= 1, found 0",
                "group=3 | the channels of x must be divisible by group",
                "pad=[3] | pad cuts the whole output away",
                "stride=[900000000] | the full result must be shorter than 2^31 along each axis",
                "output_padding=[1,1] | output_padding",
            })
    void refusesFields(String fields, String reason) {
        assertThat(messages(bind("1x16x4x4 16x8x3x3", fields))).contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1x8x3x3 16x16x1x1 | filter.dims[0] must be the channels of x",
                "1x16x3x3:int8 16x16x1x1:float16 | filter: expected the dtype of x, int8, found float16",
                "1x16x3x3:int32 16x16x1x1:int32 | x: expected dtype",
                "1x16x3x3 16x4x1x1 16 | bias must have one element per output channel",
                "1x16x3x3:int8 16x4x1x1:int8 4:float32 | bias must have the type of y, int32 where x is int8",
                "1x16x3x3:float32 16x4x1x1:float32 4:int32 | bias must have the type of y, int32 where x is int8",
                "16x3x3 16x4x1 | x: expected 4 dimensions, found 3",
                "1x16x3x3 16x4x1x1 1x4 | bias: expected 1 dimensions, found 2",
            })
    void refusesTensors(String inputs, String reason) {
        assertThat(messages(bind(inputs, ""))).contains(reason);
    }

    /** A list of three elements is the only mistake that is reported: sizes come from it no more. */
    @Test
    void oneMistakeOneMessage() {
        assertThat(bind("1x16x4x4 16x8x3x3", "stride=[1,2,3]").violations()).hasSize(1);
    }
}
