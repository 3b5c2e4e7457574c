package org.clinfer.describe;

import java.util.List;
import java.util.Optional;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;
import org.clinfer.tensor.DType;

/**
 * An input tensor of an operator.
 *
 * @param dtypes the allowed element types; empty means any
 * @param dtypeDoc why no others are allowed, or empty
 * @param ndim number of dimensions
 * @param len number of elements
 * @param sameType name of an earlier input with the same element type, or empty
 * @param sameShape name of an earlier input with the same shape, or empty
 * @param owner name of the output in whose memory this input may lie, see {@link OpDescription#calcOffset}, or empty
 * @param zeroBorder name of the parameter or scratch value that says how many rows and columns of zeros whoever gives this
 *     input promises, in its third and second axis from the end: [top, left, bottom, right]; or empty
 * @param isStatic whether the tensor must (true) or must not (false) be a constant
 * @param optional whether it may be missing
 * @param variadic whether it takes all inputs that remain, at least one
 * @param value whether the operator needs its elements to infer the outputs; kernels never see it
 */
public record InputDescription(
        String name,
        MemoryKind memory,
        List<DType> dtypes,
        String dtypeDoc,
        Optional<Expr> ndim,
        Optional<Expr> len,
        String sameType,
        String sameShape,
        String owner,
        String zeroBorder,
        Optional<Boolean> isStatic,
        boolean optional,
        boolean variadic,
        boolean value,
        List<Check> checks,
        String doc) {

    public InputDescription {
        dtypes = List.copyOf(dtypes);
        checks = List.copyOf(checks);
    }
}
