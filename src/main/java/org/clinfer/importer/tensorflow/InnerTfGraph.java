package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Graph;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.importer.tensorflow.savedmodel.FrozenModel;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** A branch or body while it is written, as a graph of its own which a node runs. */
final class InnerTfGraph {

    private final TfTranslation around;
    private final TfCall call;
    private final TfGraphWriter graph;
    private final Map<String, TfValue> outer = new HashMap<>();
    private final Map<String, TfValue> taken = new HashMap<>();
    private final Set<String> captured = new LinkedHashSet<>();
    private final Set<String> doubtful = new LinkedHashSet<>();
    private final List<TfTranslation> placed = new ArrayList<>();

    /**
     * @param part what the graph is called after, beside its node
     * @param repeats whether a run may compute it more than once
     */
    InnerTfGraph(TfTranslation around, TfCall call, String part, boolean repeats) {
        this.around = around;
        this.call = call;
        this.graph = around.graph().inner(call.node().name() + "/" + part, call.node(), repeats);
        for (int i = 0; i < call.inputs().size(); i++) {
            outer.put(call.node().inputs().get(i).toString(), call.input(i));
        }
    }

    /** Adds an input that is another value in every iteration. */
    TfValue input(String name, KnownType type) {
        TfValue value = graph.input(name, type);
        if (type.shape().isEmpty()) {
            doubtful.add(name);
        }
        return value;
    }

    /** Adds an input that counts the iterations, or says whether there is one. */
    void turn(String name, DType dtype) {
        graph.input(graph.freshName(call.node().name() + "/" + name), KnownType.of(TensorType.of(dtype)));
    }

    /** Adds an input that is a list in every iteration. */
    TfValue list(String name, KnownType type) {
        return graph.lists().mark(input(name, type));
    }

    /** Makes what a function reads of the graph around this one values of this one too. */
    void capture(FrozenModel function) {
        for (String reference : function.captures().keySet()) {
            TfValue value = outer.get(reference);
            if (value != null) {
                taken.computeIfAbsent(reference, none -> taken(around.settled(value)));
            }
        }
    }

    /** Constants are constants of each graph; what else is read is an input of the same name. */
    private TfValue taken(TfValue value) {
        String held = around.graph().plain(value, call.node());
        Optional<Tensor> constant = around.graph().constantOf(held);
        if (constant.isPresent()) {
            graph.constantOnce(held, constant.get());
        } else if (captured.add(held)) {
            KnownType type = value.type();
            graph.input(held, type.withDtype(type.dtype().orElse(DType.FLOAT32)));
        }
        TfValue own = new TfValue(value.name(), value.type(), held, false);
        if (around.isDoubtful(value)) {
            doubtful.add(value.name());
        }
        return around.graph().lists().isList(value) ? graph.lists().mark(own) : own;
    }

    /**
     * Writes the nodes of a function.
     *
     * @param states what it is fed beside what it captures
     * @return what it gives
     */
    List<TfValue> place(FrozenModel function, List<TfValue> states) {
        TfTranslation translation = around.of(function, graph, given(function, taken, states), doubtful);
        List<TfValue> results = translation.place();
        placed.add(translation);
        return results;
    }

    /** The values that are fed to a function, by the names of the nodes that stand for it. */
    static Map<String, TfValue> given(FrozenModel function, Map<String, TfValue> around, List<TfValue> states) {
        Map<String, TfValue> given = new HashMap<>();
        function.captures().forEach((reference, name) -> {
            TfValue value = around.get(reference);
            if (value != null) {
                given.put(name, value);
            }
        });
        for (int i = 0; i < states.size(); i++) {
            given.put(function.inputs().get(i), states.get(i));
        }
        return given;
    }

    /** Adds an output. */
    void give(TfValue value) {
        graph.innerOutput(value, call.node());
    }

    /** Adds an output: whether a value is not zero. */
    void giveTruth(TfValue value) {
        TfCall inner = new TfCall(call.node(), List.of(value), graph, Map.of());
        graph.innerOutput(truth(inner, value), call.node());
    }

    /** {@return whether it is known that a value is not zero} */
    boolean isAlways(TfValue value) {
        return TfControl.known(graph, value).equals(Optional.of(true));
    }

    /** The condition that a value is not zero. */
    static TfValue truth(TfCall call, TfValue value) {
        if (value.dtype().filter(DType.BOOL::equals).isPresent()
                || value.dtype().isEmpty()) {
            return value;
        }
        Params params = new Params().put("to", DType.BOOL.label());
        String cast = call.step("Cast", List.of(call.plain(value)), params);
        return call.graph().value(cast, cast, false);
    }

    /** {@return whether a value was put into a list last} */
    boolean isItem(TfValue list, TfValue value) {
        return graph.lists().isItem(list, value);
    }

    /** The values of the graph around this one that it takes by their names. */
    Set<String> captured() {
        return captured;
    }

    /** The graph; what was refused in it is refused in the graph around it. */
    Graph build() {
        placed.forEach(around::adopt);
        return graph.build();
    }
}
