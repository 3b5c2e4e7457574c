package org.clinfer.infer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.AttributeValues;
import org.clinfer.describe.Binding;
import org.clinfer.describe.Bindings;
import org.clinfer.describe.OpDescription;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A node with everything its operator's description says about it.
 *
 * @param node the node
 * @param op its operator
 * @param binding resolved parameters, scratch values and violations
 * @param inputTypes one per input of the node; {@code null} where an optional one is left out
 * @param outputTypes one per output of the node; dimensions may be unknown
 * @param lowered the same node as a use of the one operator that its operator is composed of, or null; it has the name and
 *     the outputs of this one
 */
public record CheckedNode(
        Node node,
        OpDescription op,
        Binding binding,
        List<@Nullable TensorType> inputTypes,
        List<TensorType> outputTypes,
        @Nullable CheckedNode lowered) {

    public CheckedNode {
        inputTypes = Collections.unmodifiableList(inputTypes);
        outputTypes = List.copyOf(outputTypes);
    }

    /**
     * {@return an object that is equal for nodes that are the same use of the operator: everything that checks and
     * rules can see}
     */
    public Object configuration() {
        List<Object> all = new ArrayList<>();
        all.add(node.op());
        all.add(binding.params());
        all.add(node.params());
        inputTypes.forEach(type -> all.add(Optional.ofNullable(type)));
        all.addAll(outputTypes);
        return all;
    }

    /**
     * {@return multiplications with an addition that one run takes, as the operator counts them, or the one that it
     * is lowered to; 0 for operators without any worth counting, empty where they are more than 64 bits count}
     */
    public OptionalLong multiplyAdds() {
        for (CheckedNode form = this; form != null; form = form.lowered()) {
            Optional<Expr> count = form.op().multiplyAdds();
            if (count.isPresent()) {
                try {
                    return count.get().evaluate(form.binding().scope()) instanceof ExpressionValue.Int number
                            ? OptionalLong.of(number.value())
                            : OptionalLong.empty();
                } catch (ExprException tooMany) {
                    return OptionalLong.empty();
                }
            }
        }
        return OptionalLong.of(0);
    }

    /**
     * A node with the parameters that its attributes give.
     *
     * @param bindings what was bound already
     * @param op its operator
     * @param node the node
     * @param argument what is known of an input, by its name
     * @return empty where the description refuses it or leaves something open
     */
    public static Optional<CheckedNode> of(
            Bindings bindings, OpDescription op, Node node, Function<String, ArgValue> argument) {
        return of(bindings, op, node, AttributeValues.of(node.params()), argument);
    }

    /**
     * A node that is no part of a model's file, with these parameters.
     *
     * @param bindings what was bound already
     * @param op its operator
     * @param node the node
     * @param params the values of its parameters by name
     * @param argument what is known of an input, by its name
     * @return empty where the description refuses it or leaves something open
     */
    public static Optional<CheckedNode> of(
            Bindings bindings,
            OpDescription op,
            Node node,
            Map<String, ExpressionValue> params,
            Function<String, ArgValue> argument) {
        List<@Nullable ArgValue> arguments = new ArrayList<>();
        List<@Nullable TensorType> inputTypes = new ArrayList<>();
        for (String input : node.inputs()) {
            ArgValue known = input.isEmpty() ? null : argument.apply(input);
            arguments.add(known);
            inputTypes.add(known == null ? null : known.type());
        }
        Binding binding =
                bindings.bind(op, node.name(), arguments, params, node.outputs().size());
        return binding.isComplete() && binding.undecided().isEmpty()
                ? Optional.of(new CheckedNode(node, op, binding, inputTypes, binding.outputs(), null))
                : Optional.empty();
    }
}
