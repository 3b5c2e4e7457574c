package org.clinfer.importer.tflite;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/**
 * The variables of a model, by their names: each is the value that it was given last in the order of a run. One that is read
 * before it is assigned again would keep elements from one run to the next, and is refused.
 */
final class TfliteVariables {

    static final Set<String> OPERATORS = Set.of("CALL_ONCE", "VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE");

    private final Map<String, Filled> filled = new HashMap<>();
    private final Set<String> read = new HashSet<>();

    /** @param graph the one that the value stands in */
    private record Filled(NamedGraph graph, Value value) {}

    /** Names a variable; values of its own tell variables of different containers apart. */
    static String name(TfliteCall call) {
        return call.options().text("container") + "\n" + call.options().text("shared_name");
    }

    /**
     * Gives a variable another value.
     *
     * @param once whether that is done before the first run
     * @param isMain whether it is done by the model's own network, and not by one that IF or WHILE runs
     */
    void assign(String variable, TfliteCall call, NamedGraph graph, boolean once, boolean isMain) {
        if (!once && !isMain) {
            throw call.unsupportedUse("a variable that a branch or loop assigns");
        }
        if (!once && read.contains(variable)) {
            throw call.unsupportedUse(
                    "a variable that is read before, which keeps its elements from one run to the next");
        }
        filled.put(variable, new Filled(graph, call.plain(1)));
    }

    /** The value of a variable in a graph. */
    Value read(String variable, TfliteCall call, NamedGraph graph) {
        read.add(variable);
        Filled found = filled.get(variable);
        if (found == null) {
            throw call.unsupportedUse(
                    "a variable that nothing has filled, which keeps its elements from one run to the next");
        }
        if (found.graph == graph) {
            return found.value;
        }
        Optional<Tensor> elements = Optional.ofNullable(found.graph.constants().get(found.value.name()));
        return elements.map(
                        tensor -> new Value(graph.constant(graph.freeName(found.value.name()), tensor), tensor.type()))
                .orElseThrow(() -> call.unsupportedUse("a variable that is filled outside of the branch or loop"));
    }
}
