package org.clinfer.infer;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.clinfer.describe.ArgValue;
import org.clinfer.graph.Node;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The nodes of an earlier check of a graph, for one with inputs of other types: many take the same as they did then. */
final class EarlierCheck {

    private final Optional<CheckedGraph> earlier;
    private final IdentityHashMap<Node, CheckedNode> nodes = new IdentityHashMap<>();

    EarlierCheck(Optional<CheckedGraph> earlier) {
        this.earlier = earlier;
        earlier.ifPresent(graph -> graph.nodes().forEach(checked -> nodes.put(checked.node(), checked)));
    }

    /** A node of the graph as it was found then, where its inputs have the same types and the same constants. */
    Optional<CheckedNode> find(Node node, List<@Nullable ArgValue> arguments) {
        CheckedNode before = nodes.get(node);
        if (before == null) {
            return Optional.empty();
        }
        for (int i = 0; i < arguments.size(); i++) {
            ArgValue argument = arguments.get(i);
            TensorType type = before.inputTypes().get(i);
            boolean isSame = (argument == null || type == null)
                    ? (argument == null && type == null)
                    : (type.equals(argument.type())
                            && argument.data() == constant(node.inputs().get(i)));
            if (!isSame) {
                return Optional.empty();
            }
        }
        return Optional.of(before);
    }

    private @Nullable Object constant(String value) {
        return earlier.map(graph -> graph.constants().get(value)).orElse(null);
    }
}
