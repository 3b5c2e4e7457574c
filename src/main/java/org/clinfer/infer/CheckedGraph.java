package org.clinfer.infer;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * A graph for given input types: types inferred, parameters resolved, constants folded.
 *
 * @param graph what was checked
 * @param inputTypes type of every graph input
 * @param walked all nodes in execution order, composed operators replaced by their parts
 * @param nodes the nodes that remain after folding, in execution order
 * @param types type of every value that is not a constant
 * @param constants the graph's constants and those found by folding
 * @param folded those of the constants that were computed of the graph's own constants alone, whatever the input types
 * @param findings what is wrong, per node name; empty for a sound graph
 * @param wholes the composed node that stands in the graph, by the names of its parts among {@code walked}
 */
public record CheckedGraph(
        Graph graph,
        Map<String, TensorType> inputTypes,
        List<Node> walked,
        List<CheckedNode> nodes,
        Map<String, TensorType> types,
        Map<String, Tensor> constants,
        Map<String, Tensor> folded,
        List<NodeFinding> findings,
        Map<String, Node> wholes) {

    /**
     * Something wrong or unknown at one node.
     *
     * @param node the node with the defect
     * @param verdict {@link Verdict#INVALID}, {@link Verdict#UNKNOWN} or {@link Verdict#UNSUPPORTED}
     */
    public record NodeFinding(Node node, Verdict verdict, Finding finding) {}

    public CheckedGraph {
        inputTypes = Collections.unmodifiableMap(new LinkedHashMap<>(inputTypes));
        walked = List.copyOf(walked);
        nodes = List.copyOf(nodes);
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
        constants = Collections.unmodifiableMap(new LinkedHashMap<>(constants));
        folded = Map.copyOf(folded);
        findings = List.copyOf(findings);
        wholes = Map.copyOf(wholes);
    }

    /**
     * {@return the same with fewer nodes}
     *
     * @param kept true for nodes that stay
     */
    public CheckedGraph only(Predicate<CheckedNode> kept) {
        return new CheckedGraph(
                graph,
                inputTypes,
                walked,
                nodes.stream().filter(kept).toList(),
                types,
                constants,
                folded,
                findings,
                wholes);
    }

    /**
     * {@return some of the {@link #walked} nodes as a network of their own: what other nodes give them is an input}
     *
     * @param part in execution order; the type of what they take is known
     * @param outputs values that they give
     */
    public Graph part(List<Node> part, Collection<String> outputs) {
        GraphBuilder builder = new GraphBuilder(part.get(0).name(), part.get(0).source());
        Set<String> known = new HashSet<>();
        for (Node node : part) {
            for (String value : node.inputs()) {
                if (!value.isEmpty() && known.add(value)) {
                    supply(builder, value);
                }
            }
            known.addAll(node.outputs());
            builder.node(node);
        }
        outputs.forEach(builder::output);
        return builder.build();
    }

    private void supply(GraphBuilder builder, String value) {
        Tensor constant = constants.get(value);
        TensorType type = types.get(value);
        if (constant != null) {
            builder.constant(value, constant);
        } else if (type != null) {
            builder.input(value, type);
        }
    }
}
