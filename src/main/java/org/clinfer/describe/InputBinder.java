package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Binds the inputs of a node to the input arguments of its operator and checks them. */
final class InputBinder {

    private static final Expr LENGTH = Expr.parse("t.len", "");
    private static final Expr SAME_DIMS = Expr.parse("a.dims == b.dims", "");

    private final BindState state;

    InputBinder(BindState state) {
        this.state = state;
    }

    void bind(List<? extends @Nullable ArgValue> given) {
        List<InputDescription> declared = state.op().inputs();
        boolean open = !declared.isEmpty() && declared.get(declared.size() - 1).variadic();
        long used = given.stream()
                .skip(declared.size())
                .filter(input -> input != null)
                .count();
        if (!open && used > 0) {
            state.violate("inputs", "expected at most " + declared.size() + ", found " + given.size());
        }
        for (int i = 0; i < declared.size(); i++) {
            InputDescription input = declared.get(i);
            if (input.variadic()) {
                bindVariadic(input, given.subList(Math.min(i, given.size()), given.size()));
            } else {
                bindSingle(input, i < given.size() ? given.get(i) : null);
            }
        }
    }

    private void bindSingle(InputDescription input, @Nullable ArgValue given) {
        if (given == null) {
            bindMissing(input);
            return;
        }
        ExpressionValue.TensorArg tensor = single(input, given);
        state.define(input.name(), tensor);
        checkTensor(input, tensor);
        state.checkAll(input.checks(), input.name());
    }

    static ExpressionValue.TensorArg single(InputDescription input, ArgValue given) {
        return new ExpressionValue.TensorArg(input.name(), given.type(), given.data(), given.sizes(), given.given());
    }

    static List<ExpressionValue.TensorArg> variadic(InputDescription input, List<? extends @Nullable ArgValue> given) {
        List<ExpressionValue.TensorArg> tensors = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            ArgValue one = given.get(i);
            if (one != null) {
                tensors.add(new ExpressionValue.TensorArg(
                        input.name() + "[" + i + "]", one.type(), one.data(), one.sizes(), one.given()));
            }
        }
        return tensors;
    }

    /** Checks an input that is bound already; one that is left out breaks nothing. */
    void checkGiven(InputDescription input, Optional<ExpressionValue> given) {
        if (given.isEmpty() || given.get().isAbsent()) {
            return;
        }
        if (given.get() instanceof ExpressionValue.TensorArg tensor) {
            checkTensor(input, tensor);
        } else if (given.get() instanceof ExpressionValue.ListOf list) {
            for (ExpressionValue element : list.elements()) {
                checkTensor(input, (ExpressionValue.TensorArg) element);
            }
        }
        state.checkAll(input.checks(), input.name());
    }

    private void bindMissing(InputDescription input) {
        state.define(input.name(), ExpressionValue.absent());
        if (!input.optional()) {
            state.violate(input.name(), "expected a tensor, found none");
            state.markBroken(input.name());
        }
    }

    private void bindVariadic(InputDescription input, List<? extends @Nullable ArgValue> given) {
        if (given.stream().allMatch(one -> one == null)) {
            bindMissing(input);
            return;
        }
        for (int i = 0; i < given.size(); i++) {
            if (given.get(i) == null) {
                state.violate(input.name() + "[" + i + "]", "expected a tensor, found none");
                state.markBroken(input.name());
            }
        }
        List<ExpressionValue.TensorArg> tensors = variadic(input, given);
        state.define(input.name(), ExpressionValue.list(tensors));
        tensors.forEach(tensor -> checkTensor(input, tensor));
        state.checkAll(input.checks(), input.name());
    }

    private void checkTensor(InputDescription input, ExpressionValue.TensorArg tensor) {
        TensorType type = tensor.type();
        if (!input.dtypes().isEmpty() && !input.dtypes().contains(type.dtype())) {
            String allowed = input.dtypes().stream().map(DType::label).collect(Collectors.joining(", "));
            String expected = input.dtypes().size() == 1 ? "" : "one of ";
            state.violate(tensor.name(), "expected dtype " + expected + allowed + ", found " + type.dtype());
            state.markOfWrongType(input.name());
        }
        input.ndim().ifPresent(ndim -> {
            String found = type.shape().rank() + " (" + type + ")";
            if (!matches(
                    tensor,
                    new Size("dimensions", ndim, ExpressionValue.of(type.shape().rank()), found))) {
                state.markBroken(input.name());
            }
        });
        input.len().ifPresent(len -> {
            ExpressionValue actual = LENGTH.evaluate(Scope.empty().with("t", tensor));
            matches(tensor, new Size("elements", len, actual, actual + " (" + type + ")"));
        });
        checkAgainstOther(input, tensor);
        checkStatic(input, tensor);
    }

    /** A count that a tensor must have: of what, the expected and the actual number, and how messages show that. */
    private record Size(String unit, Expr expected, ExpressionValue actual, String found) {}

    private boolean matches(ExpressionValue.TensorArg tensor, Size size) {
        Optional<ExpressionValue> expected = state.evaluate(size.expected(), tensor.name());
        if (expected.isEmpty()) {
            return state.usesBroken(size.expected());
        }
        if (expected.get() instanceof ExpressionValue.Unknown || size.actual() instanceof ExpressionValue.Unknown) {
            return true;
        }
        if (expected.get().equals(size.actual())) {
            return true;
        }
        state.violate(
                tensor.name(),
                "expected " + expected.get() + " " + size.unit() + because(size.expected()) + ", found "
                        + size.found());
        return false;
    }

    private String because(Expr expected) {
        return expected.isConstant() ? "" : " (" + state.shown(expected) + ")";
    }

    private void checkAgainstOther(InputDescription input, ExpressionValue.TensorArg tensor) {
        Optional<ExpressionValue.TensorArg> typed = tensorNamed(input.sameType());
        if (typed.isPresent() && typed.get().type().dtype() != tensor.type().dtype()) {
            state.violate(
                    tensor.name(),
                    "expected the dtype of " + input.sameType() + ", "
                            + typed.get().type().dtype() + ", found "
                            + tensor.type().dtype());
        }
        Optional<ExpressionValue.TensorArg> shaped = tensorNamed(input.sameShape());
        if (shaped.isEmpty()) {
            return;
        }
        ExpressionValue same =
                SAME_DIMS.evaluate(Scope.empty().with("a", tensor).with("b", shaped.get()));
        if (same.equals(ExpressionValue.of(false))) {
            state.violate(
                    tensor.name(),
                    "expected the shape of " + input.sameShape() + ", "
                            + shaped.get().type().shape() + ", found "
                            + tensor.type().shape());
        }
    }

    /** The tensor of a name, or the first of a variadic one; empty where it is not given. */
    private Optional<ExpressionValue.TensorArg> tensorNamed(String name) {
        ExpressionValue value = state.value(name).orElse(ExpressionValue.absent());
        if (value instanceof ExpressionValue.ListOf list && !list.elements().isEmpty()) {
            value = list.elements().get(0);
        }
        return value instanceof ExpressionValue.TensorArg tensor ? Optional.of(tensor) : Optional.empty();
    }

    private void checkStatic(InputDescription input, ExpressionValue.TensorArg tensor) {
        boolean constant = tensor.data() != null;
        if (input.isStatic().isPresent() && input.isStatic().get() != constant) {
            String wanted = constant ? "a tensor computed at run time" : "a constant";
            String found = constant ? "a constant" : "a tensor computed at run time";
            state.violate(tensor.name(), "expected " + wanted + ", found " + found);
        }
    }
}
