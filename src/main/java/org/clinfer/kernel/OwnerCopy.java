package org.clinfer.kernel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.describe.LaunchDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;

/** The copy of an output that is a piece of its owner, where it cannot lie in the owner's memory. */
final class OwnerCopy {

    private OwnerCopy() {}

    /** The reasons why there is no piece to copy; {@code scope} has the operator's tensors. */
    static List<String> refusals(OpDescription op, Scope scope) {
        List<String> refusals = new ArrayList<>();
        for (OutputDescription output : op.outputs()) {
            ExpressionValue value = scope.find(output.name()).orElse(ExpressionValue.absent());
            List<ExpressionValue> tensors =
                    value instanceof ExpressionValue.ListOf list ? list.elements() : List.of(value);
            for (int index = 0; index < tensors.size(); index++) {
                if (tensors.get(index) instanceof ExpressionValue.TensorArg tensor) {
                    refusal(op, tensor, scope.with("index", ExpressionValue.of(index)))
                            .ifPresent(refusals::add);
                }
            }
        }
        return refusals;
    }

    private static Optional<String> refusal(OpDescription op, ExpressionValue.TensorArg tensor, Scope scope) {
        if (tensor.type().dtype().isPacked()) {
            return Optional.of(tensor.name() + ": a piece of " + tensor.type().dtype() + " has no address");
        }
        long length = tensor.type().shape().elements();
        if (length == 0) {
            return Optional.empty();
        }
        if (!(op.calcOffset().orElseThrow().evaluate(scope) instanceof ExpressionValue.Int begin)) {
            return Optional.of(
                    tensor.name() + ": does not lie in one piece in its owner, and nothing is launched for it");
        }
        return begin.value() + length <= Integer.MAX_VALUE
                ? Optional.empty()
                : Optional.of(tensor.name() + ": ends beyond the first 2^31 elements of its owner");
    }

    /** One copy for each output, by an expression for its place that sees {@code index}. */
    static List<LaunchDescription> launches(OpDescription op) {
        return op.outputs().stream().map(output -> launch(op, output)).toList();
    }

    private static LaunchDescription launch(OpDescription op, OutputDescription output) {
        String length = output.name() + ".len";
        Map<String, Expr> args = new LinkedHashMap<>();
        args.put("x", expression(output.owner()));
        args.put("y", expression(output.name()));
        args.put("size", expression(length));
        args.put("x_offset", op.calcOffset().orElseThrow());
        for (String zero : List.of("x_pitch", "y_offset", "y_pitch")) {
            args.put(zero, expression("0"));
        }
        return new LaunchDescription(
                "movement/copy_rows_ref.cl",
                "copy_rows",
                Map.of("ELEMENT", expression(output.name() + ".dtype")),
                args,
                List.of(expression(length), expression("1")),
                List.of(),
                output.variadic() ? output.name() : "",
                Optional.empty());
    }

    private static Expr expression(String source) {
        return Expr.parse(source, "calc_offset");
    }
}
