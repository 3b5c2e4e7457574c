package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.ControlFlow;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.importer.Integers;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.tensorflow.savedmodel.FrozenControl;
import org.clinfer.importer.tensorflow.savedmodel.FrozenModel;

/** One If, Case or While. Its functions become graphs that a node runs, unless it is known beforehand which of them are run. */
final class TfControl {

    static final Set<String> OPERATORS =
            Set.of("If", "StatelessIf", "While", "StatelessWhile", "Case", "StatelessCase");

    private final TfTranslation around;
    private final TfCall call;

    TfControl(TfTranslation around, TfCall call) {
        this.around = around;
        this.call = call;
    }

    void translate(FrozenControl control) {
        if (control instanceof FrozenControl.Loop loop) {
            new TfLoop(this, loop).translate();
        } else if (control instanceof FrozenControl.Branches branches) {
            branch(branches);
        }
    }

    TfTranslation around() {
        return around;
    }

    TfGraphWriter graph() {
        return around.graph();
    }

    TfCall call() {
        return call;
    }

    private void branch(FrozenControl.Branches branches) {
        TfValue condition = call.input(0);
        Optional<Boolean> known = known(condition);
        if (known.isPresent()) {
            List<TfValue> results = placed(known.get() ? branches.yes() : branches.no(), List.of());
            IntStream.range(0, results.size()).forEach(port -> call.give(port, results.get(port)));
            return;
        }
        InnerTfGraph yes = new InnerTfGraph(around, call, "then", false);
        InnerTfGraph no = new InnerTfGraph(around, call, "else", false);
        List<TfValue> first = branch(yes, branches.yes());
        List<TfValue> second = branch(no, branches.no());
        if (first.size() != second.size()) {
            throw call.malformed(
                    "one of its branches gives " + first.size() + " values, the other one gives " + second.size());
        }
        Set<String> captured = new LinkedHashSet<>(yes.captured());
        captured.addAll(no.captured());
        List<String> inputs = new ArrayList<>(List.of(call.plain(InnerTfGraph.truth(call, condition))));
        inputs.addAll(captured);
        Map<String, Graph> bodies = new LinkedHashMap<>();
        bodies.put(ControlFlow.THEN, yes.build());
        bodies.put(ControlFlow.ELSE, no.build());
        List<KnownType> types = IntStream.range(0, first.size())
                .mapToObj(i -> first.get(i).type().and(second.get(i).type()))
                .toList();
        List<Integer> ports = IntStream.range(0, first.size()).boxed().toList();
        add(ControlFlow.IF, inputs, Map.of(), bodies, ports, types);
    }

    private static List<TfValue> branch(InnerTfGraph inner, FrozenModel function) {
        inner.capture(function);
        List<TfValue> results = inner.place(function, List.of());
        results.forEach(inner::give);
        return results;
    }

    /** {@return whether a condition holds; empty where it is not known beforehand} */
    Optional<Boolean> known(TfValue condition) {
        return known(graph(), condition);
    }

    static Optional<Boolean> known(TfGraphWriter graph, TfValue condition) {
        return graph.integers(condition)
                .flatMap(Integers::all)
                .filter(values -> values.length == 1)
                .map(values -> values[0] != 0);
    }

    /** Writes the nodes of a function where the node of control flow stands. */
    List<TfValue> placed(FrozenModel function, List<TfValue> states) {
        Map<String, TfValue> outer = new HashMap<>();
        for (int i = 0; i < call.inputs().size(); i++) {
            outer.put(call.node().inputs().get(i).toString(), call.input(i));
        }
        Set<String> doubtful = new LinkedHashSet<>();
        outer.values().stream().filter(around::isDoubtful).map(TfValue::name).forEach(doubtful::add);
        TfTranslation translation = around.of(function, graph(), InnerTfGraph.given(function, outer, states), doubtful);
        List<TfValue> results = translation.place();
        around.adopt(translation);
        return results;
    }

    /** Adds the node, and gives its outputs. */
    List<TfValue> add(
            String op,
            List<String> inputs,
            Map<String, Attribute> params,
            Map<String, Graph> bodies,
            List<Integer> ports,
            List<KnownType> types) {
        TfNode node = call.node();
        List<String> outputs = ports.stream()
                .map(port -> new Ref(node.name(), port).toString())
                .toList();
        graph().control(new Node(node.name(), op, inputs, outputs, params, bodies, node.source()), types);
        List<TfValue> given = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            TfValue value = graph().value(outputs.get(i), outputs.get(i), false);
            if (types.get(i).shape().isEmpty()) {
                around.doubt(value);
            }
            given.add(call.give(ports.get(i), value));
        }
        return given;
    }
}
