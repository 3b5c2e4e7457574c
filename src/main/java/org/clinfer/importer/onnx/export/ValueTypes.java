package org.clinfer.importer.onnx.export;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.AttributeValues;
import org.clinfer.describe.Binding;
import org.clinfer.describe.OpBinder;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.expr.Value;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Types of values as far as they follow from the inputs by the descriptions of the operators. */
final class ValueTypes {

    /** The scratch value by which a description gives the values of its int64 output from types alone. */
    private static final String OUTPUT_VALUES = "y_values";

    private final OpCatalog catalog;
    private final Map<String, TensorType> types = new HashMap<>();
    private final Map<String, Tensor> constants;

    ValueTypes(Graph graph, OpCatalog catalog) {
        this.catalog = catalog;
        constants = new HashMap<>(graph.constants());
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
    }

    Optional<TensorType> of(String value) {
        Tensor constant = constants.get(value);
        return constant != null ? Optional.of(constant.type()) : Optional.ofNullable(types.get(value));
    }

    /**
     * Notes what a node's outputs are.
     *
     * @return the node bound to its description; empty where too little is known of its inputs, or they do not fit it
     */
    Optional<Binding> follow(Node node) {
        Optional<OpDescription> op = catalog.find(node.op());
        if (op.isEmpty()) {
            return Optional.empty();
        }
        List<@Nullable ArgValue> arguments = new ArrayList<>();
        for (String input : node.inputs()) {
            Optional<TensorType> type = of(input);
            if (type.isEmpty() && !input.isEmpty()) {
                return Optional.empty();
            }
            arguments.add(input.isEmpty() ? null : new ArgValue(type.orElseThrow(), constants.get(input)));
        }
        Binding binding = OpBinder.bind(
                op.get(),
                node.name(),
                arguments,
                AttributeValues.of(node.params()),
                node.outputs().size());
        if (!binding.violations().isEmpty() || !binding.unknown().isEmpty()) {
            return Optional.empty();
        }
        note(node, binding);
        return Optional.of(binding);
    }

    /**
     * Notes what the outputs of an If or Loop are, as far as its graphs agree on it; sizes that turns may change are not known.
     *
     * @param given the types of the outputs of each of its graphs
     */
    void noteControl(Node node, List<List<Optional<TensorType>>> given) {
        boolean isLoop = node.op().equals(ControlFlow.LOOP);
        int states = ControlFlow.states(node);
        for (int i = 0; i < node.outputs().size(); i++) {
            Optional<TensorType> type;
            if (!isLoop) {
                type = common(given.get(0).get(i), given.get(1).get(i));
            } else if (i < states) {
                type = common(of(node.inputs().get(2 + i)), given.get(0).get(1 + i));
            } else {
                type = given.get(0).get(1 + i).map(ValueTypes::listed);
            }
            String output = node.outputs().get(i);
            type.filter(known -> !output.isEmpty()).ifPresent(known -> types.put(output, known));
        }
    }

    /** One type for both; sizes that differ are not known. */
    private static Optional<TensorType> common(Optional<TensorType> one, Optional<TensorType> other) {
        if (one.isEmpty()
                || other.isEmpty()
                || one.get().dtype() != other.get().dtype()
                || one.get().shape().rank() != other.get().shape().rank()) {
            return Optional.empty();
        }
        List<Dim> dims = new ArrayList<>(one.get().shape().dims());
        for (int axis = 0; axis < dims.size(); axis++) {
            if (!dims.get(axis).equals(other.get().shape().dim(axis))) {
                dims.set(axis, Dim.unknown());
            }
        }
        return Optional.of(new TensorType(one.get().dtype(), new Shape(dims)));
    }

    /** With an axis of turns first. */
    private static TensorType listed(TensorType each) {
        List<Dim> dims = new ArrayList<>(List.of(Dim.unknown()));
        dims.addAll(each.shape().dims());
        return new TensorType(each.dtype(), new Shape(dims));
    }

    private void note(Node node, Binding binding) {
        for (int i = 0; i < binding.outputs().size(); i++) {
            types.put(node.outputs().get(i), binding.outputs().get(i));
        }
        Optional<Value> values = binding.scope().find(OUTPUT_VALUES);
        if (values.isPresent() && values.get() instanceof Value.ListOf list && isKnown(list)) {
            long[] known = binding.integers(OUTPUT_VALUES);
            constants.put(
                    node.outputs().get(0),
                    Tensor.of(known, binding.outputs().get(0).shape().sizes()));
        }
    }

    private static boolean isKnown(Value.ListOf list) {
        return list.elements().stream().allMatch(Value.Int.class::isInstance);
    }
}
