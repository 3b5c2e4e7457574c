package org.clinfer.fix;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedNode;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A node that is to be rewritten, in the region that may be changed with it. All types in it are known.
 *
 * @param made the owner of the tensors of replacements
 */
record Site(Region region, CheckedNode node, OpCatalog catalog, MadeTensors made) {

    /** Operators of which each element of the result depends on the elements at the same place alone. */
    static final Set<String> ELEMENT_WISE = Set.of(
            "Relu",
            "Relu6",
            "LeakyRelu",
            "Clip",
            "Sigmoid",
            "Tanh",
            "HardSwish",
            "HardSigmoid",
            "Swish",
            "Add",
            "Sub",
            "Mul",
            "Div",
            "Max",
            "Min",
            "Exp",
            "Log",
            "Sqrt",
            "Abs",
            "Neg",
            "Elu",
            "Softplus",
            "Gelu");

    /** The building of a replacement. */
    @FunctionalInterface
    interface Building {

        /** The value in the place of the output; null where the replacement is impossible. */
        @Nullable
        Edge on(Draft draft);
    }

    String op() {
        return node.node().op();
    }

    boolean isOp(String op) {
        return op().equals(op);
    }

    String name() {
        return node.node().name();
    }

    /** The name of an input; empty where it is left out. */
    Optional<String> input(int position) {
        List<String> inputs = node.node().inputs();
        return position < inputs.size() && !inputs.get(position).isEmpty()
                ? Optional.of(inputs.get(position))
                : Optional.empty();
    }

    String x() {
        return node.node().inputs().get(0);
    }

    String output() {
        return node.node().outputs().get(0);
    }

    TensorType outputType() {
        return node.outputTypes().get(0);
    }

    long[] outputSizes() {
        return outputType().shape().sizes();
    }

    /** The type of a value. */
    TensorType type(String value) {
        Tensor constant = region.checked().constants().get(value);
        if (constant != null) {
            return constant.type();
        }
        TensorType type = region.checked().types().get(value);
        if (type == null) {
            throw new IllegalStateException("value '" + value + "' has no type");
        }
        return type;
    }

    long[] sizes(String value) {
        return type(value).shape().sizes();
    }

    /** The value of an input that is known beforehand. */
    Optional<Tensor> constant(int position) {
        return input(position).flatMap(this::constant);
    }

    Optional<Tensor> constant(String value) {
        return Optional.ofNullable(region.checked().constants().get(value));
    }

    /** The node in the form of an operator that it is lowered to, or is. */
    Optional<CheckedNode> form(String op) {
        for (CheckedNode form = node; form != null; form = form.lowered()) {
            if (form.op().optype().equals(op)) {
                return Optional.of(form);
            }
        }
        return Optional.empty();
    }

    /** The same region seen from another of its nodes. */
    Site at(CheckedNode other) {
        return new Site(region, other, catalog, made);
    }

    /** All of its parameters that are given. */
    Map<String, Attribute> params() {
        return region.written(node.node()).params();
    }

    /** A replacement of the node alone, of one output. */
    List<Replacement> by(String step, Building building) {
        return by(step, List.of(node), output(), building);
    }

    /**
     * A replacement of some nodes.
     *
     * @param output the value that others read of them
     * @return empty where an operator does not take what it is given
     */
    List<Replacement> by(String step, List<CheckedNode> replaced, String output, Building building) {
        Draft draft = new Draft(this);
        try {
            Edge result = building.on(draft);
            if (result == null) {
                return List.of();
            }
            List<Node> nodes = replaced.stream().map(CheckedNode::node).toList();
            return List.of(draft.finished(step, nodes, output, result));
        } catch (GraphException refused) {
            return List.of();
        }
    }
}
