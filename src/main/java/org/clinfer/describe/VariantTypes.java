package org.clinfer.describe;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.expr.Check;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/** Tries element types on an OpenCL variant, with everything but the types unknown. */
final class VariantTypes {

    private static final Shape ANY_SHAPE =
            new Shape(List.of(Dim.unknown(), Dim.unknown(), Dim.unknown(), Dim.unknown()));

    private final OpDescription op;
    private final VariantDescription variant;
    private final boolean hasDouble;

    /** @param hasDouble whether the device has cl_khr_fp64 */
    VariantTypes(OpDescription op, VariantDescription variant, boolean hasDouble) {
        this.op = op;
        this.variant = variant;
        this.hasDouble = hasDouble;
    }

    /** The reason why the variant never takes this type for the operator's main tensor, or empty. */
    Optional<String> refusal(DType type) {
        if (!type.isOnDevices() && !variant.run().isEmpty()) {
            return Optional.of("kernels do not have this type");
        }
        Scope scope = scope(type);
        for (InputDescription rules : variant.inputs()) {
            Optional<String> refusal = refusal(rules, scope);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        if (!hasDouble && !variant.run().isEmpty() && computesIn(DType.FLOAT64, scope)) {
            return Optional.of("kernels that touch float64 need cl_khr_fp64");
        }
        return variant.checks().stream()
                .filter(check -> fails(check, scope))
                .map(Check::message)
                .findFirst();
    }

    private static Optional<String> refusal(InputDescription rules, Scope scope) {
        Optional<DType> found = scope.find(rules.name()).flatMap(VariantTypes::typeOf);
        if (found.isPresent() && !rules.dtypes().isEmpty() && !rules.dtypes().contains(found.get())) {
            return Optional.of(
                    rules.dtypeDoc().isEmpty()
                            ? "the kernels take only " + TypeSupport.labels(rules.dtypes())
                            : rules.dtypeDoc());
        }
        return rules.checks().stream()
                .filter(check -> fails(check, scope))
                .map(Check::message)
                .findFirst();
    }

    private boolean computesIn(DType type, Scope scope) {
        boolean reads = op.inputs().stream()
                .filter(input -> !input.value())
                .anyMatch(input -> scope.find(input.name())
                        .flatMap(VariantTypes::typeOf)
                        .filter(type::equals)
                        .isPresent());
        return reads
                || op.outputs().stream()
                        .anyMatch(output -> scope.find(output.name())
                                .flatMap(VariantTypes::typeOf)
                                .filter(type::equals)
                                .isPresent());
    }

    private static Optional<DType> typeOf(ExpressionValue value) {
        ExpressionValue one =
                value instanceof ExpressionValue.ListOf list && !list.elements().isEmpty()
                        ? list.elements().get(0)
                        : value;
        return one instanceof ExpressionValue.TensorArg tensor
                ? Optional.of(tensor.type().dtype())
                : Optional.empty();
    }

    private static boolean fails(Check check, Scope scope) {
        try {
            return TypeSupport.isAboutTypes(check.condition())
                    && check.condition().evaluate(scope).equals(ExpressionValue.of(false));
        } catch (ExprException undecided) {
            return false;
        }
    }

    private Scope scope(DType type) {
        Map<String, ExpressionValue> values = new HashMap<>();
        ExpressionValue extensions = ExpressionValue.texts(hasDouble ? List.of("cl_khr_fp64") : List.of());
        values.put("device", new ExpressionValue.Fields("device", Map.of("extensions", extensions)));
        values.put("output_count", ExpressionValue.unknown());
        for (InputDescription input : op.inputs()) {
            boolean takes = input.dtypes().isEmpty() || input.dtypes().contains(type);
            ExpressionValue tensor =
                    tensor(input.name(), takes ? type : input.dtypes().get(0));
            values.put(input.name(), input.variadic() ? ExpressionValue.list(tensor) : tensor);
        }
        op.params().forEach(param -> values.put(param.name(), ExpressionValue.unknown()));
        op.privs().forEach(priv -> values.put(priv.name(), ExpressionValue.unknown()));
        variant.privs().forEach(priv -> values.put(priv.name(), ExpressionValue.unknown()));
        for (OutputDescription output : op.outputs()) {
            ExpressionValue tensor = tensor(output.name(), typeOf(output, Scope.of(values), type));
            values.put(output.name(), output.variadic() ? ExpressionValue.list(tensor) : tensor);
        }
        return Scope.of(values);
    }

    /** The type of an output as far as the types of the inputs decide it, else the given one. */
    private static DType typeOf(OutputDescription output, Scope scope, DType otherwise) {
        try {
            return output.dtype().evaluate(scope) instanceof ExpressionValue.Text label
                    ? DType.of(label.value()).orElse(otherwise)
                    : otherwise;
        } catch (ExprException undecided) {
            return otherwise;
        }
    }

    private static ExpressionValue tensor(String name, DType type) {
        return ExpressionValue.tensor(name, new TensorType(type, ANY_SHAPE));
    }
}
