package org.clinfer.describe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * A tensor of a variant's own: one of its {@code tensors_out} that its abstract operator does not have.
 *
 * @param dtype gives the label of its element type
 * @param dims one expression for each dimension, or one that gives the list
 * @param dimsAreList whether {@code dims} is that one expression
 * @param isStatic whether {@code static_run} computes it once, for all runs; otherwise it lasts for one run of the node
 */
public record ScratchDescription(
        String name, Expr dtype, List<Expr> dims, boolean dimsAreList, boolean isStatic, String doc) {

    public ScratchDescription {
        dims = List.copyOf(dims);
    }

    /**
     * Its type in this scope.
     *
     * @throws IllegalArgumentException if dtype or dims give no type
     */
    public TensorType type(Scope scope) {
        ExpressionValue label = dtype.evaluate(scope);
        Optional<DType> type = label instanceof ExpressionValue.Text text ? DType.of(text.value()) : Optional.empty();
        List<ExpressionValue> sizes = dimsAreList && dims.get(0).evaluate(scope) instanceof ExpressionValue.ListOf list
                ? list.elements()
                : dims.stream().map(dim -> dim.evaluate(scope)).toList();
        List<Dim> shape = new ArrayList<>();
        for (ExpressionValue size : sizes) {
            if (size instanceof ExpressionValue.Int number && number.value() >= 0) {
                shape.add(Dim.of(number.value()));
            }
        }
        if (type.isEmpty() || shape.size() != sizes.size()) {
            throw new IllegalArgumentException(name + ": expected a data type and sizes >= 0, found " + label + " and "
                    + ExpressionValue.list(sizes));
        }
        TensorType complete = new TensorType(type.get(), new Shape(shape));
        if (!complete.fits()) {
            throw new IllegalArgumentException(name + " is too large: " + complete);
        }
        return complete;
    }
}
