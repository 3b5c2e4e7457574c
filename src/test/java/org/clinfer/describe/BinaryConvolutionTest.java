package org.clinfer.describe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** OpenVINO's BinaryConvolution: output sizes, padding and what a padded element is, refusals. */
class BinaryConvolutionTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();

    private static final Map<String, String> PLAIN = Map.of(
            "strides", "[1,1]",
            "pads_begin", "[0,0]",
            "pads_end", "[0,0]",
            "dilations", "[1,1]",
            "mode", "xnor-popcount",
            "pad_value", "0");

    /** Inputs are {@code SHAPE:TYPE} words, fields {@code name=value} words beside {@link #PLAIN}; `-` leaves one out. */
    private static Binding bind(String inputs, String fields) {
        List<ArgValue> tensors = new ArrayList<>();
        for (String input : inputs.split(" ", -1)) {
            tensors.add(input(input, tensors.isEmpty() ? DType.FLOAT32 : DType.U1));
        }
        Map<String, String> texts = new HashMap<>(PLAIN);
        for (String word : fields.isEmpty() ? new String[0] : fields.split(" ", -1)) {
            String[] parts = word.split("=", 2);
            texts.put(parts[0], parts[1]);
        }
        Map<String, ExpressionValue> values = new HashMap<>();
        texts.forEach((name, text) -> {
            if (!text.equals("-")) {
                values.put(name, value(text));
            }
        });
        return OpBinder.bind(CATALOG.find("BinaryConvolution").orElseThrow(), "n", tensors, values, 1);
    }

    private static ArgValue input(String text, DType otherwise) {
        String[] parts = text.split(":", 2);
        List<Dim> dims = Stream.of(parts[0].split("x", -1))
                .map(size -> size.equals("?") ? Dim.unknown() : Dim.of(Long.parseLong(size)))
                .toList();
        return ArgValue.of(new TensorType(
                parts.length == 1 ? otherwise : DType.of(parts[1]).orElseThrow(), new Shape(dims)));
    }

    private static ExpressionValue value(String text) {
        if (text.startsWith("[")) {
            String elements = text.substring(1, text.length() - 1);
            return ExpressionValue.ints(
                    elements.isEmpty()
                            ? new long[0]
                            : Stream.of(elements.split(",", -1))
                                    .mapToLong(Long::parseLong)
                                    .toArray());
        }
        return text.matches("-?[0-9.e-]+") ? ExpressionValue.of(Double.parseDouble(text)) : ExpressionValue.of(text);
    }

    private static String messages(Binding binding) {
        return binding.violations().stream().map(Violation::message).collect(Collectors.joining("\n"));
    }

    /** The first five are OpenVINO's own. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1x1x5x5 1x1x3x3 | auto_pad=same_lower | 1x1x5x5 | [1, 1, 1, 1]",
                "1x1x5x5 1x1x2x2 | auto_pad=same_upper | 1x1x5x5 | [0, 1, 0, 1]",
                "1x1x5x5 1x1x2x2 | auto_pad=same_lower | 1x1x5x5 | [1, 0, 1, 0]",
                "1x3x5x5 2x3x4x4 | strides=[1,3] dilations=[1,2] pads_begin=[2,2] pads_end=[2,2] | 1x2x6x1 | [2, 2, 2, 2]",
                "1x1x5x5 1x1x3x3 | auto_pad=valid pads_begin=[1,1] pads_end=[1,1] | 1x1x3x3 | [0, 0, 0, 0]",
                "1x3x224x224 64x3x5x5 | pads_begin=[2,2] pads_end=[2,2] | 1x64x224x224 | [2, 2, 2, 2]",
                "2x3x8x7 4x3x4x4 | strides=[2,3] auto_pad=same_upper | 2x4x4x3 | [1, 1, 1, 2]",
                "2x3x8x7 4x3x4x4 | strides=[2,3] auto_pad=same_lower pads_begin=[9,9] | 2x4x4x3 | [1, 1, 2, 1]",
                "1x2x9x11 4x2x2x2 | strides=[3,4] auto_pad=same_upper | 1x4x3x3 | [0, 0, 0, 0]",
                "?x3x8x7 4x3x3x3 | pads_begin=[1,0] pads_end=[0,2] | ?x4x7x7 | [1, 0, 0, 2]",
                "1x3x8x7:int8 4x3x3x3 | auto_pad=explicit | 1x4x6x5:int8 | [0, 0, 0, 0]",
            })
    void gives(String inputs, String fields, String output, String pads) {
        Binding binding = bind(inputs, fields);
        assertThat(messages(binding)).isEmpty();
        assertThat(binding.outputs().get(0)).hasToString(output.contains(":") ? output : output + ":float32");
        assertThat(binding.scope().find("pads").orElseThrow()).hasToString(pads);
    }

    /** 0 and 1 are bits, 2 equals no bit, 3 is not there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "float32 | 0 | REFERENCE | 0",
                "float32 | -0.0 | REFERENCE | 0",
                "float32 | 1 | REFERENCE | 1",
                "float32 | -1 | REFERENCE | 2",
                "float32 | 0.5 | REFERENCE | 2",
                "float32 | 1.0001 | REFERENCE | 2",
                "float16 | 1.0001 | REFERENCE | 1",
                "float64 | 1.00000000001 | REFERENCE | 2",
                "bfloat16 | 1.003 | REFERENCE | 1",
                "int8 | 0.5 | REFERENCE | 0",
                "int8 | -0.5 | REFERENCE | 0",
                "int32 | 1.5 | REFERENCE | 1",
                "int64 | -1 | REFERENCE | 2",
                "int8 | 257 | REFERENCE | 2",
                "float32 | 0 | EXCLUDE_PAD | 3",
                "float32 | 1 | EXCLUDE_PAD | 1",
                "int8 | -1 | EXCLUDE_PAD | 0",
            })
    void aPaddedElementIs(String type, String value, String semantics, long element) {
        Binding binding = bind("1x3x8x7:" + type + " 4x3x3x3", "pad_value=" + value + " pad_semantics=" + semantics);
        assertThat(messages(binding)).isEmpty();
        assertThat(binding.scope().find("pad_element")).contains(ExpressionValue.of(element));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "strides=- | strides: expected a list of ints, found none",
                "pads_begin=- | pads_begin: expected a list of ints, found none",
                "pads_end=- | pads_end: expected a list of ints, found none",
                "dilations=- | dilations: expected a list of ints, found none",
                "mode=- | mode: expected a string, found none",
                "pad_value=- | pad_value: expected a number, found none",
                "strides=[0,1] | strides: expected element 0 >= 1, found 0",
                "strides=[1,-1] | strides: expected element 1 >= 1, found -1",
                "strides=[1] | strides: expected 2 elements, found 1",
                "strides=[1,1,1] | strides: expected 2 elements, found 3",
                "strides=[1,1073741824] | strides: expected element 1 < 1073741824, found 1073741824",
                "dilations=[0,0] | dilations: expected element 0 >= 1, found 0",
                "dilations=[1] | dilations: expected 2 elements, found 1",
                "dilations=[1,1,1] | dilations: expected 2 elements, found 3",
                "pads_begin=[-1,0] | pads_begin: expected element 0 >= 0, found -1",
                "pads_begin=[0] | pads_begin: expected 2 elements, found 1",
                "pads_end=[0,0,0] | pads_end: expected 2 elements, found 3",
                "mode=and-popcount | mode: expected one of xnor-popcount, found and-popcount",
                "auto_pad=same | auto_pad: expected one of explicit, same_upper, same_lower, valid, found same",
                "pad_semantics=PLUGIN | pad_semantics: expected one of REFERENCE, EXCLUDE_PAD, found PLUGIN",
                "pad_value=0.5 pad_semantics=EXCLUDE_PAD | EXCLUDE_PAD is defined for a pad_value of -1, 0 or 1",
                "pad_value=2 pad_semantics=EXCLUDE_PAD | EXCLUDE_PAD is defined for a pad_value of -1, 0 or 1",
                "dilations=[4,1] | the kernel is larger than the padded input",
                "pads_begin=[1073741823,0] | the padded input must be shorter than 2^30 along each axis",
                "group=1 | group",
            })
    void refusesFields(String fields, String reason) {
        assertThat(messages(bind("1x3x8x7 4x3x3x3", fields))).contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1x3x8x7:bool 4x3x3x3 | x: expected dtype",
                "1x3x8x7:u1 4x3x3x3 | x: expected dtype",
                "1x3x8x7 4x3x3x3:int8 | weights: expected dtype u1, found int8",
                "1x3x8x7 4x3x3x3:bool | weights: expected dtype u1, found bool",
                "3x8x7 4x3x3x3 | x: expected 4 dimensions, found 3",
                "1x3x8x7x2 4x3x3x3 | x: expected 4 dimensions, found 5",
                "1x3x8x7 4x3x3 | weights: expected 4 dimensions, found 3",
                "1x3x8x7 4x2x3x3 | the channels of x must be those of weights",
                "1x3x8x7 4x3x9x3 | the kernel is larger than the padded input",
                "1x16384x512x512 1x16384x512x512 | an output must have fewer than 2^31 bits",
            })
    void refusesTensors(String inputs, String reason) {
        assertThat(messages(bind(inputs, ""))).contains(reason);
    }

    @Test
    void oneMistakeOneMessage() {
        assertThat(bind("1x3x8x7 4x3x3x3", "strides=[1,0]").violations()).hasSize(1);
        assertThat(bind("1x3x8x7 4x5x3x3", "").violations()).hasSize(1);
    }
}
