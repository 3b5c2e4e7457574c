package org.clinfer.infer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;

/**
 * The types of what the graphs of a node of control flow take and give. A size that differs between branches, or from iteration
 * to iteration, is unknown, and so is a whole type whose number of axes differs.
 */
final class ControlTypes {

    /** The types of what a graph gives for inputs of these types. */
    @FunctionalInterface
    interface Inference {
        List<Optional<TensorType>> of(Graph body, Map<String, TensorType> inputTypes);
    }

    private static final int MOST_ITERATIONS = 4;

    private final Node node;
    private final Function<String, TensorType> outer;
    private final Inference inference;
    private final List<Optional<TensorType>> outputs = new ArrayList<>();

    /** The types of a Loop's states in every iteration. */
    private final List<Optional<TensorType>> states = new ArrayList<>();

    /** @param outer the type of a value that the node takes */
    ControlTypes(Node node, Function<String, TensorType> outer, Inference inference) {
        this.node = node;
        this.outer = outer;
        this.inference = inference;
        if (node.op().equals(ControlFlow.LOOP)) {
            settle();
        } else {
            node.bodies().values().forEach(body -> join(outputs, given(body)));
        }
    }

    /** The types of what the node gives, each empty where it is not known. */
    List<Optional<TensorType>> outputs() {
        return List.copyOf(outputs);
    }

    /** The types of what a graph takes, by its own names, each empty where it is not known. */
    Map<String, Optional<TensorType>> inputs(Graph body) {
        int own = node.op().equals(ControlFlow.LOOP) ? 2 + states.size() : 0;
        Map<String, Optional<TensorType>> types = new LinkedHashMap<>();
        for (int i = 0; i < body.inputs().size(); i++) {
            Graph.Input input = body.inputs().get(i);
            boolean isState = own > 0 && i >= 2 && i < own;
            boolean isTurn = own > 0 && i < 2;
            types.put(
                    input.name(),
                    isState ? states.get(i - 2) : Optional.of(isTurn ? input.type() : outer.apply(input.name())));
        }
        return types;
    }

    /** Widens the states until a iteration changes their types no more; those that it changes for long are unknown. */
    private void settle() {
        Graph body = node.body(ControlFlow.BODY);
        int count = ControlFlow.states(node);
        for (int i = 0; i < count; i++) {
            states.add(Optional.of(outer.apply(node.inputs().get(2 + i))));
        }
        List<Optional<TensorType>> before;
        List<Optional<TensorType>> given;
        int iterations = 0;
        do {
            before = List.copyOf(states);
            given = given(body);
            join(states, given.subList(1, 1 + count));
            iterations++;
            for (int i = 0; i < count && iterations >= MOST_ITERATIONS; i++) {
                states.set(i, states.get(i).filter(before.get(i).stream().toList()::contains));
            }
        } while (!before.equals(states));
        outputs.addAll(states);
        given.subList(1 + count, given.size()).forEach(each -> outputs.add(each.map(ControlTypes::listed)));
    }

    private List<Optional<TensorType>> given(Graph body) {
        Map<String, TensorType> known = new LinkedHashMap<>();
        Map<String, Optional<TensorType>> taken = inputs(body);
        taken.forEach((name, type) -> type.ifPresent(each -> known.put(name, each)));
        return known.size() < taken.size()
                ? body.outputs().stream()
                        .map(name -> Optional.<TensorType>empty())
                        .toList()
                : inference.of(body, known);
    }

    private static TensorType listed(TensorType each) {
        List<Dim> dims = new ArrayList<>();
        dims.add(Dim.unknown());
        dims.addAll(each.shape().dims());
        return new TensorType(each.dtype(), new Shape(dims));
    }

    private static void join(List<Optional<TensorType>> types, List<Optional<TensorType>> others) {
        if (types.isEmpty()) {
            types.addAll(others);
            return;
        }
        for (int i = 0; i < types.size(); i++) {
            Optional<TensorType> other = others.get(i);
            types.set(i, types.get(i).flatMap(type -> other.flatMap(found -> joined(type, found))));
        }
    }

    private static Optional<TensorType> joined(TensorType one, TensorType other) {
        DType dtype = one.dtype();
        if (dtype != other.dtype() || one.shape().rank() != other.shape().rank()) {
            return Optional.empty();
        }
        List<Dim> dims = new ArrayList<>();
        for (int axis = 0; axis < one.shape().rank(); axis++) {
            Dim dim = one.shape().dim(axis);
            dims.add(dim.equals(other.shape().dim(axis)) ? dim : Dim.unknown());
        }
        return Optional.of(new TensorType(dtype, new Shape(dims)));
    }
}
