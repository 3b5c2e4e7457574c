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
            Map.entry("a", Value.of(7)),
            Map.entry("b", Value.of(2)),
            Map.entry("r", Value.of(1.5)),
            Map.entry("t", Value.of(true)),
            Map.entry("f", Value.of(false)),
            Map.entry("u", Value.unknown()),
            Map.entry("n", Value.unknown("n")),
            Map.entry("m", Value.unknown("m")),
            Map.entry("none", Value.absent()),
            Map.entry("list", Value.ints(3, 1, 2)),
            Map.entry("words", Value.texts(List.of("x", "y"))),
            Map.entry("holes", Value.list(Value.of(4), Value.unknown(), Value.unknown("n"))),
            Map.entry("x", Value.tensor("x", TensorType.of(DType.FLOAT16, 2, 3, 5))),
            Map.entry("q", Value.tensor("q", BATCHED)),
            Map.entry("axes", Value.tensor("axes", TensorType.of(DType.INT64, 3), Tensor.of(new long[] {0, -1, 2}, 3))),
            Map.entry(
                    "reals",
                    Value.tensor("reals", TensorType.of(DType.FLOAT32, 2), Tensor.of(new float[] {0.5f, 2}, 2))),
            Map.entry("flags", Value.tensor("flags", TensorType.of(DType.BOOL, 2), FLAGS)),
            Map.entry("box", new Value.Fields("box", Map.of("dims", Value.ints(8, 9)))),
            Map.entry(
                    "many",
                    Value.list(
                            Value.tensor("many[0]", TensorType.of(DType.INT8, 4)),
                            Value.tensor("many[1]", TensorType.of(DType.INT8, 6)))),
            Map.entry(
                    "device",
                    new Value.Fields(
                            "device",
                            Map.of(
                                    "kind",
                                    Value.of("gpu"),
                                    "max_work_group_size",
                                    Value.of(256),
                                    "extensions",
                                    Value.texts(List.of("cl_khr_fp16")))))));

    private ExprScope() {}

    /** What an expression evaluates to in this scope, as text. */
    static String value(String source) {
        return Expr.parse(source, "").evaluate(SCOPE).toString();
    }
}
