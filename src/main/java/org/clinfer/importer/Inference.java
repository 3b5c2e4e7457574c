package org.clinfer.importer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Binding;
import org.clinfer.describe.OpBinder;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.Violation;
import org.clinfer.errors.Printable;
import org.clinfer.expr.Value;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of values at the sizes that a file declares, from the descriptions of the operators: for formats whose layers mean
 * what the number of axes and channels of their inputs makes of them.
 */
public final class Inference {

    private static final int MOST_REASONS = 3;

    private final OpCatalog catalog;

    /** @param catalog the operators there are */
    public Inference(OpCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * The types of a node's outputs.
     *
     * @param operands the types of the node's inputs, in order; what stands for one that is left out counts for nothing
     * @param constants those inputs whose values are known, by name; others may be there
     * @throws GraphException if the operator does not take these operands and parameters
     */
    public List<TensorType> types(Node node, List<TensorType> operands, Map<String, Tensor> constants) {
        List<@Nullable ArgValue> arguments = new ArrayList<>();
        for (int i = 0; i < operands.size(); i++) {
            String name = node.inputs().get(i);
            Tensor constant = constants.get(name);
            ArgValue known = constant == null ? ArgValue.of(operands.get(i)) : ArgValue.of(constant);
            arguments.add(name.isEmpty() ? null : known);
        }
        Binding binding = OpBinder.bind(
                catalog.find(node.op()).orElseThrow(),
                node.name(),
                arguments,
                values(node.params()),
                node.outputs().size());
        if (!binding.violations().isEmpty()
                || binding.outputs().size() != node.outputs().size()) {
            String reasons = binding.violations().stream()
                    .map(violation -> withoutName(violation, node))
                    .limit(MOST_REASONS)
                    .collect(Collectors.joining("; "));
            throw new GraphException(node.source(), Printable.shortened(reasons));
        }
        return binding.outputs();
    }

    /** The message without the name that the node has for the time being. */
    private static String withoutName(Violation violation, Node node) {
        return violation.message().replace("'" + node.name() + "'", "").replace(node.op() + " :", node.op() + ":");
    }

    private static Map<String, Value> values(Map<String, Attribute> attributes) {
        Map<String, Value> values = new HashMap<>();
        attributes.forEach((name, attribute) -> values.put(name, value(attribute)));
        return values;
    }

    private static Value value(Attribute attribute) {
        if (attribute instanceof Attribute.IntValue number) {
            return Value.of(number.value());
        } else if (attribute instanceof Attribute.RealValue number) {
            return Value.of(number.value());
        } else if (attribute instanceof Attribute.BoolValue flag) {
            return Value.of(flag.value());
        } else if (attribute instanceof Attribute.TextValue text) {
            return Value.of(text.value());
        }
        Attribute.ListValue list = (Attribute.ListValue) attribute;
        return Value.list(list.values().stream().map(Inference::value).toList());
    }
}
