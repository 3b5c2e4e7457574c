package org.clinfer.expr;

import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Names of every kind of value, for expressions to use. */
final class ExprScope {

    private static final TensorType BATCHED = new TensorType(
            DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(3), Dim.named("h"), Dim.unknown())));

    private static final Tensor FLAGS = Tensor.allocate(DType.BOOL, 2);

    static {
        FLAGS.setLong(1, 1);
    }

    static final Scope SCOPE = Scope.of(Map.ofEntries(
            Map.entry("a", ExpressionValue.of(7)),
            Map.entry("b", ExpressionValue.of(2)),
            Map.entry("r", ExpressionValue.of(1.5)),
            Map.entry("t", ExpressionValue.of(true)),
            Map.entry("f", ExpressionValue.of(false)),
            Map.entry("u", ExpressionValue.unknown()),
            Map.entry("n", ExpressionValue.unknown("n")),
            Map.entry("m", ExpressionValue.unknown("m")),
            Map.entry("none", ExpressionValue.absent()),
            Map.entry("list", ExpressionValue.ints(3, 1, 2)),
            Map.entry("words", ExpressionValue.texts(List.of("x", "y"))),
            Map.entry(
                    "holes",
                    ExpressionValue.list(
                            ExpressionValue.of(4), ExpressionValue.unknown(), ExpressionValue.unknown("n"))),
            Map.entry("x", ExpressionValue.tensor("x", TensorType.of(DType.FLOAT16, 2, 3, 5))),
            Map.entry("q", ExpressionValue.tensor("q", BATCHED)),
            Map.entry(
                    "axes",
                    ExpressionValue.tensor("axes", TensorType.of(DType.INT64, 3), Tensor.of(new long[] {0, -1, 2}, 3))),
            Map.entry(
                    "reals",
                    ExpressionValue.tensor(
                            "reals", TensorType.of(DType.FLOAT32, 2), Tensor.of(new float[] {0.5f, 2}, 2))),
            Map.entry("flags", ExpressionValue.tensor("flags", TensorType.of(DType.BOOL, 2), FLAGS)),
            Map.entry("box", new ExpressionValue.Fields("box", Map.of("dims", ExpressionValue.ints(8, 9)))),
            Map.entry(
                    "many",
                    ExpressionValue.list(
                            ExpressionValue.tensor("many[0]", TensorType.of(DType.INT8, 4)),
                            ExpressionValue.tensor("many[1]", TensorType.of(DType.INT8, 6)))),
            Map.entry(
                    "device",
                    new ExpressionValue.Fields(
                            "device",
                            Map.of(
                                    "kind",
                                    ExpressionValue.of("gpu"),
                                    "max_work_group_size",
                                    ExpressionValue.of(256),
                                    "extensions",
                                    ExpressionValue.texts(List.of("cl_khr_fp16")))))));

    private ExprScope() {}

    /** What an expression evaluates to in this scope, as text. */
    static String value(String source) {
        return Expr.parse(source, "").evaluate(SCOPE).toString();
    }
}
