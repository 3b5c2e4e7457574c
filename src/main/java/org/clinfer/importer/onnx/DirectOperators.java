package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The operators that are ONNX's own by name, inputs, outputs and attributes: they are read and written alike. */
public final class DirectOperators {

    /** The kind of value that an attribute holds. */
    public enum Kind {
        INTEGER,
        /** An integer that stands for false (0) or true (1). */
        FLAG,
        REAL,
        TEXT,
        INTEGERS
    }

    /** An attribute, which is a parameter of the same name. */
    public record Field(String name, Kind kind) {}

    /**
     * One operator.
     *
     * @param since the operator set that has it in this form
     * @param least how many inputs it has at least
     * @param most how many inputs it has at most
     * @param given the parameters that an input gives by its elements, which no attribute does
     */
    public record Operator(
            String name, int since, int least, int most, List<Field> fields, Map<String, Integer> given) {

        /** The input that ONNX has as int64 alone. */
        public OptionalInt indices() {
            return switch (name) {
                case "GatherND", "ScatterND", "ReverseSequence" -> OptionalInt.of(1);
                case "RoiAlign" -> OptionalInt.of(2);
                default -> OptionalInt.empty();
            };
        }

        private Operator with(Kind kind, String... names) {
            List<Field> more = new ArrayList<>(fields);
            for (String field : names) {
                more.add(new Field(field, kind));
            }
            return new Operator(name, since, least, most, List.copyOf(more), given);
        }

        private Operator given(int input, String param) {
            return new Operator(name, since, least, most, fields, Map.of(param, input));
        }
    }

    private static final Map<String, Operator> OPERATORS = List.of(
                    of("Tan", 7, 1, 1),
                    of("Asin", 7, 1, 1),
                    of("Acos", 7, 1, 1),
                    of("Atan", 7, 1, 1),
                    of("Sinh", 9, 1, 1),
                    of("Cosh", 9, 1, 1),
                    of("Asinh", 9, 1, 1),
                    of("Acosh", 9, 1, 1),
                    of("Atanh", 9, 1, 1),
                    of("Celu", 12, 1, 1).with(Kind.REAL, "alpha"),
                    of("ThresholdedRelu", 10, 1, 1).with(Kind.REAL, "alpha"),
                    of("Shrink", 9, 1, 1).with(Kind.REAL, "bias", "lambd"),
                    of("Mod", 10, 2, 2).with(Kind.FLAG, "fmod"),
                    of("BitwiseAnd", 18, 2, 2),
                    of("BitwiseOr", 18, 2, 2),
                    of("BitwiseXor", 18, 2, 2),
                    of("BitwiseNot", 18, 1, 1),
                    of("BitShift", 11, 2, 2).with(Kind.TEXT, "direction"),
                    of("ArgMax", 12, 1, 1).with(Kind.INTEGER, "axis").with(Kind.FLAG, "keepdims", "select_last_index"),
                    of("ArgMin", 12, 1, 1).with(Kind.INTEGER, "axis").with(Kind.FLAG, "keepdims", "select_last_index"),
                    of("GatherElements", 11, 2, 2).with(Kind.INTEGER, "axis"),
                    of("GatherND", 12, 2, 2).with(Kind.INTEGER, "batch_dims"),
                    of("ScatterElements", 18, 3, 3).with(Kind.INTEGER, "axis").with(Kind.TEXT, "reduction"),
                    of("ScatterND", 18, 3, 3).with(Kind.TEXT, "reduction"),
                    of("ReverseSequence", 10, 2, 2).with(Kind.INTEGER, "batch_axis", "time_axis"),
                    of("GridSample", 20, 2, 2)
                            .with(Kind.TEXT, "mode", "padding_mode")
                            .with(Kind.FLAG, "align_corners"),
                    of("RoiAlign", 16, 3, 3)
                            .with(Kind.TEXT, "coordinate_transformation_mode", "mode")
                            .with(Kind.INTEGER, "output_height", "output_width", "sampling_ratio")
                            .with(Kind.REAL, "spatial_scale"),
                    of("DeformConv", 19, 3, 5)
                            .with(Kind.INTEGERS, "dilations", "kernel_shape", "pads", "strides")
                            .with(Kind.INTEGER, "group", "offset_group"),
                    of("MaxUnpool", 11, 2, 3).with(Kind.INTEGERS, "kernel_shape", "pads", "strides"),
                    of("Col2Im", 18, 3, 3).with(Kind.INTEGERS, "dilations", "pads", "strides"),
                    of("Det", 11, 1, 1),
                    of("CumSum", 11, 2, 2)
                            .with(Kind.FLAG, "exclusive", "reverse")
                            .given(1, "axis"),
                    of("TopK", 11, 1, 2)
                            .with(Kind.INTEGER, "axis")
                            .with(Kind.FLAG, "largest", "sorted")
                            .given(1, "k"))
            .stream()
            .collect(Collectors.toUnmodifiableMap(Operator::name, Function.identity()));

    private DirectOperators() {}

    private static Operator of(String name, int since, int least, int most) {
        return new Operator(name, since, least, most, List.of(), Map.of());
    }

    public static Map<String, Operator> all() {
        return OPERATORS;
    }
}
