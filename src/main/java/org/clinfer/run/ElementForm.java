package org.clinfer.run;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.describe.ElementRule;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.VariantDescription;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.graph.GraphException;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Computes a node from the expressions of its description, one element at a time: the definition of an operator rather
 * than a fast way to compute it. Integers are rounded half to even and saturated.
 */
final class ElementForm {

    private final CheckedNode node;
    private final VariantDescription form;

    ElementForm(CheckedNode node, VariantDescription form) {
        this.node = node;
        this.form = form;
    }

    /** @throws GraphException if an expression has no value for an element */
    void run(List<@Nullable Tensor> inputs, List<Tensor> outputs, Parallel parallel) {
        Scope scope = form.scope(withData(inputs));
        for (ElementRule rule : ((VariantDescription.Elements) form.body()).run()) {
            int position = node.op().outputs().stream()
                    .map(OutputDescription::name)
                    .toList()
                    .indexOf(rule.output());
            if (position < outputs.size()) {
                fill(outputs.get(position), rule.value(), scope, parallel);
            }
        }
    }

    private Scope withData(List<@Nullable Tensor> inputs) {
        Scope scope = node.binding().scope();
        List<InputDescription> declared = node.op().inputs();
        for (int i = 0; i < declared.size(); i++) {
            String name = declared.get(i).name();
            if (declared.get(i).variadic()) {
                List<ExpressionValue> all = new ArrayList<>();
                for (int k = i; k < inputs.size(); k++) {
                    all.add(value(name, inputs.get(k)));
                }
                scope = scope.with(name, ExpressionValue.list(all));
            } else {
                scope = scope.with(name, value(name, i < inputs.size() ? inputs.get(i) : null));
            }
        }
        return scope;
    }

    private static ExpressionValue value(String name, @Nullable Tensor tensor) {
        return tensor == null ? ExpressionValue.absent() : ExpressionValue.tensor(name, tensor.type(), tensor);
    }

    private void fill(Tensor output, Expr rule, Scope scope, Parallel parallel) {
        long[] dims = output.shape().sizes();
        int grain = output.dtype().isPacked() ? Integer.MAX_VALUE : 256; // no two threads write one byte
        parallel.forRange(Math.toIntExact(output.elements()), grain, (from, to) -> {
            for (int i = from; i < to; i++) {
                store(output, i, evaluate(rule, scope.with("at", index(i, dims))));
            }
        });
    }

    private static ExpressionValue index(int element, long[] dims) {
        long[] index = new long[dims.length];
        long rest = element;
        for (int axis = dims.length - 1; axis >= 0; axis--) {
            index[axis] = rest % dims[axis];
            rest /= dims[axis];
        }
        return ExpressionValue.ints(index);
    }

    private ExpressionValue evaluate(Expr rule, Scope scope) {
        try {
            return rule.evaluate(scope);
        } catch (ExprException failed) {
            throw new GraphException(node.node().source(), String.valueOf(failed.getMessage()), failed);
        }
    }

    private void store(Tensor output, int element, ExpressionValue value) {
        DType dtype = output.dtype();
        if (value instanceof ExpressionValue.Bool flag) {
            output.setLong(element, flag.value() ? 1 : 0);
        } else if (value instanceof ExpressionValue.Int number) {
            setInteger(output, element, number.value());
        } else if (value instanceof ExpressionValue.Real number && dtype.isFloating()) {
            output.setDouble(element, number.value());
        } else if (value instanceof ExpressionValue.Real number && dtype == DType.UINT64) {
            output.setDouble(element, Math.rint(number.value()));
        } else if (value instanceof ExpressionValue.Real number) {
            setInteger(output, element, (long) Math.rint(number.value()));
        } else {
            throw new GraphException(
                    node.node().source(),
                    form.optype() + ": expected a number or a bool for an element of " + dtype + ", found "
                            + value.described());
        }
    }

    private static void setInteger(Tensor output, int element, long value) {
        switch (output.dtype()) {
            case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, INT4, UINT4, INT2, UINT2 ->
                output.setLong(element, output.dtype().saturated(value));
            default -> output.setDouble(element, (double) value);
            case BOOL, U1 -> output.setLong(element, value == 0 ? 0 : 1);
        }
    }
}
