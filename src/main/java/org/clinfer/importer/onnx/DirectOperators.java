package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.expr.Expr;

/** The operators that ONNX has, too, with attributes for parameters: one table reads and writes them. */
public final class DirectOperators {

    /** Any number of inputs. */
    public static final int ANY = Integer.MAX_VALUE;

    /** The kind of value that an attribute holds. */
    public enum Kind {
        INTEGER,
        /** An integer that stands for false (0) or true (1). */
        FLAG,
        /** A flag that is true in ONNX where it is left out, and false here. */
        SET_FLAG,
        /** An integer of which any but 0 stands for true. */
        NONZERO,
        REAL,
        TEXT,
        INTEGERS
    }

    /** An attribute and the parameter that it is; but for {@link Kind#SET_FLAG} they have the same default. */
    public record Field(String name, String param, Kind kind) {}

    /**
     * A parameter that the elements of an input give.
     *
     * @param single whether it is one integer, not a list
     * @param attribute the attribute that gave it before there was the input, or empty
     * @param since the operator set that has the input
     */
    public record Elements(int input, String param, boolean single, String attribute, int since) {}

    /**
     * One operator.
     *
     * @param name its name in ONNX
     * @param op its name here
     * @param since the operator set that has it in this form, where a file needs that to be said
     * @param least how many inputs it has at least
     * @param most how many inputs it has at most
     * @param realsAlone whether ONNX has it, or computes it alike, for no integers
     */
    public record Operator(
            String name,
            String op,
            int since,
            int least,
            int most,
            boolean realsAlone,
            List<Field> fields,
            List<Elements> elements) {

        /** The input that ONNX has as int64 alone. */
        public OptionalInt indices() {
            return switch (name) {
                case "GatherND", "ScatterND", "ReverseSequence" -> OptionalInt.of(1);
                case "RoiAlign" -> OptionalInt.of(2);
                default -> OptionalInt.empty();
            };
        }

        OpDescription description() {
            return OpCatalog.builtIn().find(op).orElseThrow();
        }

        /** The default that the description has for what is left out. */
        public Optional<Expr> byDefault(Field field) {
            return description().param(field.param()).flatMap(ParamDescription::byDefault);
        }

        /** {@return whether attributes give in an operator set what inputs give later} */
        boolean isBefore(long opset) {
            return elements.stream().anyMatch(each -> opset < each.since());
        }

        private Operator since(int opset) {
            return new Operator(name, op, opset, least, most, realsAlone, fields, elements);
        }

        private Operator ofReals() {
            return new Operator(name, op, since, least, most, true, fields, elements);
        }

        private Operator with(Kind kind, String... names) {
            return with(Arrays.stream(names).map(field -> new Field(field, field, kind)));
        }

        private Operator as(Kind kind, String attribute, String param) {
            return with(Stream.of(new Field(attribute, param, kind)));
        }

        private Operator with(Stream<Field> more) {
            List<Field> all = Stream.concat(fields.stream(), more).toList();
            return new Operator(name, op, since, least, most, realsAlone, all, elements);
        }

        /** With parameters that all inputs from one on give, and attributes of the same name before. */
        private Operator given(int opset, int input, String... params) {
            Operator more = this;
            for (int i = 0; i < params.length; i++) {
                more = more.given(new Elements(input + i, params[i], false, params[i], opset));
            }
            return more;
        }

        private Operator given(Elements one) {
            List<Elements> all =
                    Stream.concat(elements.stream(), Stream.of(one)).toList();
            return new Operator(name, op, since, least, most, realsAlone, fields, all);
        }
    }

    private static final List<Operator> OTHERS = List.of(
            of("LeakyRelu", 1, 1).ofReals().with(Kind.REAL, "alpha"),
            of("Elu", 1, 1).ofReals().with(Kind.REAL, "alpha"),
            of("HardSigmoid", 1, 1).with(Kind.REAL, "alpha", "beta"),
            of("Selu", 1, 1).with(Kind.REAL, "alpha", "gamma"),
            of("Swish", 1, 1).since(24).with(Kind.REAL, "alpha"),
            of("Celu", 1, 1).with(Kind.REAL, "alpha"),
            of("ThresholdedRelu", 1, 1).with(Kind.REAL, "alpha"),
            of("Shrink", 1, 1).with(Kind.REAL, "bias", "lambd"),
            of("Mod", 2, 2).with(Kind.FLAG, "fmod"),
            of("BitShift", 2, 2).with(Kind.TEXT, "direction"),
            of("MatMul", 2, 2).ofReals(),
            of("Gemm", 2, 3)
                    .ofReals()
                    .with(Kind.REAL, "alpha", "beta")
                    .as(Kind.NONZERO, "transA", "transpose_a")
                    .as(Kind.NONZERO, "transB", "transpose_b"),
            of("BatchNormalization", "BatchNorm", 5, 5).with(Kind.REAL, "epsilon"),
            of("InstanceNormalization", "InstanceNorm", 3, 3).with(Kind.REAL, "epsilon"),
            of("LayerNormalization", "LayerNorm", 2, 3)
                    .with(Kind.INTEGER, "axis")
                    .with(Kind.REAL, "epsilon"),
            of("RMSNormalization", "RmsNorm", 2, 2)
                    .since(23)
                    .with(Kind.INTEGER, "axis")
                    .with(Kind.REAL, "epsilon"),
            of("LRN", "Lrn", 1, 1).with(Kind.INTEGER, "size").with(Kind.REAL, "alpha", "beta", "bias"),
            reduction("ReduceSum", "ReduceSum", 13),
            reduction("ReduceMean", "Mean", 18).ofReals(),
            of("Flatten", 1, 1).with(Kind.INTEGER, "axis"),
            of("Transpose", 1, 1).with(Kind.INTEGERS, "perm"),
            of("Reshape", 2, 2).as(Kind.FLAG, "allowzero", "allow_zero").given(5, 1, "shape"),
            of("Squeeze", 1, 2).given(axes(13)),
            of("Unsqueeze", 2, 2).given(axes(13)),
            of("Expand", 2, 2).given(new Elements(1, "shape", false, "", 1)),
            of("Tile", "DeePhiTile", 2, 2).given(new Elements(1, "multiples", false, "", 1)),
            of("Slice", 3, 5).given(10, 1, "starts", "ends", "axes").given(new Elements(4, "steps", false, "", 10)),
            of("Gather", 2, 2).with(Kind.INTEGER, "axis"),
            of("Shape", 1, 1).with(Kind.INTEGER, "start", "end"),
            of("ArgMax", 1, 1).with(Kind.INTEGER, "axis").with(Kind.FLAG, "keepdims", "select_last_index"),
            of("ArgMin", 1, 1).with(Kind.INTEGER, "axis").with(Kind.FLAG, "keepdims", "select_last_index"),
            of("GatherElements", 2, 2).with(Kind.INTEGER, "axis"),
            of("GatherND", 2, 2).with(Kind.INTEGER, "batch_dims"),
            of("ScatterElements", 3, 3).with(Kind.INTEGER, "axis").with(Kind.TEXT, "reduction"),
            of("ScatterND", 3, 3).with(Kind.TEXT, "reduction"),
            of("ReverseSequence", 2, 2).with(Kind.INTEGER, "batch_axis", "time_axis"),
            of("GridSample", 2, 2)
                    .since(20)
                    .with(Kind.TEXT, "mode", "padding_mode")
                    .with(Kind.FLAG, "align_corners"),
            of("RoiAlign", 3, 3)
                    .with(Kind.TEXT, "coordinate_transformation_mode", "mode")
                    .with(Kind.INTEGER, "output_height", "output_width", "sampling_ratio")
                    .with(Kind.REAL, "spatial_scale"),
            of("DeformConv", 3, 5)
                    .since(19)
                    .with(Kind.INTEGERS, "dilations", "kernel_shape", "pads", "strides")
                    .with(Kind.INTEGER, "group", "offset_group"),
            of("MaxUnpool", 2, 3).with(Kind.INTEGERS, "kernel_shape", "pads", "strides"),
            of("Col2Im", 3, 3).with(Kind.INTEGERS, "dilations", "pads", "strides"),
            of("CumSum", 2, 2).with(Kind.FLAG, "exclusive", "reverse").given(new Elements(1, "axis", true, "", 1)),
            of("TopK", 2, 2)
                    .with(Kind.INTEGER, "axis")
                    .with(Kind.FLAG, "largest", "sorted")
                    .given(new Elements(1, "k", true, "k", 10)));

    private static final Map<String, Operator> OPERATORS = Stream.of(
                    plain(
                            1,
                            "Abs Acos Acosh Asin Asinh Atan Atanh BitwiseNot Ceil Cos Cosh Det Erf Exp Floor HardSwish"),
                    plain(1, "Identity Log Neg Not Reciprocal Relu Round Sigmoid Sign Sin Sinh Size Softplus Softsign"),
                    plain(1, "Sqrt Tan Tanh"),
                    plain(2, "Add And BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater GreaterOrEqual Less"),
                    plain(2, "LessOrEqual Mul Or Pow Sub Xor"),
                    plain(3, "Where"),
                    Stream.of("Sum", "Min", "Max").map(name -> of(name, 1, ANY)),
                    Stream.of("L1", "L2", "LogSum", "LogSumExp", "Max", "Min", "Prod", "SumSquare")
                            .map(name -> reduction("Reduce" + name, "Reduce" + name, 18)),
                    OTHERS.stream())
            .flatMap(Function.identity())
            .collect(Collectors.toUnmodifiableMap(Operator::name, Function.identity()));

    private DirectOperators() {}

    /** Operators without parameters. */
    private static Stream<Operator> plain(int inputs, String names) {
        return Arrays.stream(names.split(" ")).map(name -> of(name, inputs, inputs));
    }

    private static Operator of(String name, int least, int most) {
        return of(name, name, least, most);
    }

    private static Operator of(String name, String op, int least, int most) {
        return new Operator(name, op, 1, least, most, false, List.of(), List.of());
    }

    private static Elements axes(int since) {
        return new Elements(1, "axis", false, "axes", since);
    }

    private static Operator reduction(String name, String op, int since) {
        return of(name, op, 1, 2)
                .as(Kind.SET_FLAG, "keepdims", "keep_dims")
                .as(Kind.FLAG, "noop_with_empty_axes", "noop_with_empty_axis")
                .given(axes(since));
    }

    /** The operators by their names in ONNX. */
    public static Map<String, Operator> all() {
        return OPERATORS;
    }
}
