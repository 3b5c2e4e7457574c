package org.clinfer.describe;

import java.util.List;
import java.util.Optional;
import org.clinfer.expr.Check;
import org.clinfer.expr.Expr;

/**
 * An output tensor of an operator.
 *
 * @param dtype gives the label of its element type
 * @param dims one expression for each dimension, or one that gives the list
 * @param dimsAreList whether {@code dims} is that one expression
 * @param ndim number of dimensions, as a check
 * @param len number of elements, as a check
 * @param owner name of the input whose memory this output is, or may be with {@link OpDescription#calcOffset}, or empty
 * @param optional whether it may be left out
 * @param variadic whether it stands for all outputs that remain
 */
public record OutputDescription(
        String name,
        MemoryKind memory,
        Expr dtype,
        List<Expr> dims,
        boolean dimsAreList,
        Optional<Expr> ndim,
        Optional<Expr> len,
        String owner,
        boolean optional,
        boolean variadic,
        List<Check> checks,
        String doc) {

    public OutputDescription {
        dims = List.copyOf(dims);
        checks = List.copyOf(checks);
    }
}
