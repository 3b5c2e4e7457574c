package org.clinfer.infer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The types of what a network gives, by shape inference alone: large constants are not looked at. */
public final class OutputTypes {

    /** Elements of the constants that sizes may be computed of; weights have more, or decide no size. */
    private static final long MOST_ELEMENTS = 1 << 12;

    private OutputTypes() {}

    /**
     * {@return the type of each output in the network's order; empty where it cannot be known before a run}
     *
     * @param graph the network
     * @param inputTypes the type of every input; sizes may be named, and outputs have the names
     * @param operators the operators
     * @param evaluator computes what is known beforehand; asked for small constants alone
     */
    public static Map<String, Optional<TensorType>> of(
            Graph graph, Map<String, TensorType> inputTypes, OpCatalog operators, ConstantEvaluator evaluator) {
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph, inputTypes),
                operators,
                (node, inputs) -> isSmall(node, inputs) ? evaluator.evaluate(node, inputs) : Optional.empty());
        Map<String, Optional<TensorType>> types = new LinkedHashMap<>();
        for (String output : graph.outputs()) {
            Tensor constant = checked.constants().get(output);
            types.put(
                    output,
                    Optional.ofNullable(constant == null ? checked.types().get(output) : constant.type()));
        }
        return Collections.unmodifiableMap(types);
    }

    private static boolean isSmall(CheckedNode node, List<@Nullable Tensor> inputs) {
        List<TensorType> types = new ArrayList<>(node.outputTypes());
        inputs.stream().flatMap(Stream::ofNullable).map(Tensor::type).forEach(types::add);
        return types.stream()
                .allMatch(type -> type.shape().isKnown() && type.shape().elements() <= MOST_ELEMENTS);
    }
}
