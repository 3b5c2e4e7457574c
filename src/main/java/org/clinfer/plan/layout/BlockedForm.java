package org.clinfer.plan.layout;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.ExpressionValue;

/**
 * The form in which a node computes in blocked channels.
 *
 * @param op the operator for them
 * @param inputs values in the order of its description, by their names in the model
 * @param operands which of the inputs are activations in blocked channels
 * @param params but for margins
 * @param output what it makes
 * @param gain estimated nanoseconds that it is faster than as it stands in the model
 */
record BlockedForm(
        String op,
        List<String> inputs,
        List<Operand> operands,
        Map<String, ExpressionValue> params,
        Output output,
        long gain) {

    /** The kind of a node's output, and who decides about its margin. */
    enum Output {
        /** Blocked channels with a margin as others need it. */
        BLOCKED,
        /** Blocked channels with the margin of its operands. */
        AS_OPERANDS,
        /** A tensor as it stands in the model. */
        PLAIN
    }

    /**
     * An activation that a node reads.
     *
     * @param position among the inputs
     * @param crop the parameter that says how much of it is left out; empty where nothing can be
     * @param padding the margin of zeros that it reads
     */
    record Operand(int position, String crop, Margin padding) {
        static Operand of(int position, String crop) {
            return new Operand(position, crop, Margin.NONE);
        }
    }

    BlockedForm {
        inputs = List.copyOf(inputs);
        operands = List.copyOf(operands);
        params = Map.copyOf(params);
    }

    /** The same with an activation at its end. */
    BlockedForm ending(Map<String, ExpressionValue> activation, long moreGain) {
        Map<String, ExpressionValue> all = new HashMap<>(params);
        all.putAll(activation);
        return new BlockedForm(op, inputs, operands, all, output, gain + moreGain);
    }
}
