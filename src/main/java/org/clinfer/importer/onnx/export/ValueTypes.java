package org.clinfer.importer.onnx.export;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Binding;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.importer.Inference;
import org.clinfer.importer.KnownType;
import org.clinfer.tensor.Tensor;

/** Types of values as far as they follow from the inputs by the descriptions of the operators. */
final class ValueTypes {

    private final Inference inference;
    private final Map<String, KnownType> types = new HashMap<>();
    private final Map<String, Tensor> constants;

    ValueTypes(Graph graph, Inference inference) {
        this.inference = inference;
        constants = new HashMap<>(graph.constants());
        graph.inputs().forEach(input -> types.put(input.name(), KnownType.of(input.type())));
    }

    /** The types of values of a branch or body. */
    ValueTypes inner(Graph body) {
        return new ValueTypes(body, inference);
    }

    KnownType of(String value) {
        Tensor constant = constants.get(value);
        return constant != null ? KnownType.of(constant.type()) : types.getOrDefault(value, KnownType.NOTHING);
    }

    /** Notes a constant that is not the graph's. */
    void note(String constant, Tensor tensor) {
        constants.put(constant, tensor);
    }

    private Optional<ArgValue> argument(String value) {
        return of(value).whole().map(type -> new ArgValue(type, constants.get(value)));
    }

    /**
     * Notes what a node's outputs are.
     *
     * @return the node bound to its description; empty where too little is known of its inputs, or they do not fit it
     */
    Optional<Binding> follow(Node node) {
        Optional<Binding> binding = inference
                .bind(node, this::argument)
                .filter(found -> found.violations().isEmpty() && found.unknown().isEmpty());
        if (binding.isEmpty()) {
            noteWhatIsKnown(node);
        }
        binding.ifPresent(found -> {
            for (int i = 0; i < found.outputs().size(); i++) {
                types.put(node.outputs().get(i), KnownType.of(found.outputs().get(i)));
            }
            found.outputValues()
                    .ifPresent(values -> constants.put(node.outputs().get(0), values));
        });
        return binding;
    }

    /** A file has to say of what type the outputs of its network are, and of how many axes. */
    private void noteWhatIsKnown(Node node) {
        List<KnownType> outputs =
                inference.follow(node, value -> new Inference.Operand(of(value), constants.get(value), null));
        for (int i = 0; i < outputs.size(); i++) {
            types.put(node.outputs().get(i), outputs.get(i));
        }
    }

    /**
     * Notes what the outputs of an If or Loop are, as far as its graphs agree on it; sizes that iterations may change are not known.
     *
     * @param given the types of the outputs of each of its graphs
     */
    void noteControl(Node node, List<List<KnownType>> given) {
        boolean isLoop = node.op().equals(ControlFlow.LOOP);
        int states = ControlFlow.states(node);
        for (int i = 0; i < node.outputs().size(); i++) {
            KnownType type;
            if (!isLoop) {
                type = given.get(0).get(i).and(given.get(1).get(i));
            } else if (i < states) {
                type = of(node.inputs().get(2 + i)).and(given.get(0).get(1 + i));
            } else {
                type = given.get(0).get(1 + i).listed();
            }
            if (!node.outputs().get(i).isEmpty()) {
                types.put(node.outputs().get(i), type);
            }
        }
    }
}
