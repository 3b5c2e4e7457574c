package org.clinfer.describe;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.expr.Expr;

/**
 * One operator that a composed one consists of, in the form of an intermediate representation's node.
 *
 * @param name short name; the node is called {@code <composed node>/<name>}
 * @param inputs argument name to the tensor it takes: an input of the composed operator, or an output of an earlier part
 * @param outputs argument name to the tensor it gives: an output of the composed operator, or a name of its own
 * @param params values over the inputs, parameters and scratch values of the composed operator
 * @param when where it is false, the part is left out, and its one output is its first input
 */
public record PartDescription(
        String name,
        String optype,
        List<Tensor> inputs,
        List<Tensor> outputs,
        Map<String, Expr> params,
        Optional<Expr> when) {

    /**
     * A tensor by the part's name for it and by the composed operator's.
     *
     * @param argument name of the argument in the part's operator
     * @param tensor name in the composed operator
     */
    public record Tensor(String argument, String tensor) {}

    /** The part that stands for a constant: it has params dtype, dims and data, and one output. */
    public static final String CONSTANT = "Const";

    public PartDescription {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
    }

    public boolean isConstant() {
        return optype.equals(CONSTANT);
    }
}
