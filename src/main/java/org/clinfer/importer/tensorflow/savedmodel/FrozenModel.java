package org.clinfer.importer.tensorflow.savedmodel;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.importer.MissingFileException;
import org.clinfer.importer.tensorflow.proto.GraphDef;

/**
 * A signature of a SavedModel as a graph without variables, and without functions but those of control flow; or one of those.
 *
 * @param graph its nodes; inputs and outputs have the names that the signature has for them
 * @param inputs the names of the nodes that are fed, those of a signature sorted
 * @param outputs the names of the nodes whose first output is a result, sorted by the signature's names
 * @param missing the variables whose file is missing, by the names of the nodes that would have their values
 * @param captures the nodes that stand for values of the graph around it, by the names of those values
 * @param control the graphs of its nodes of control flow, by their names
 */
public record FrozenModel(
        GraphDef graph,
        List<String> inputs,
        List<String> outputs,
        Map<String, MissingFileException> missing,
        Map<String, String> captures,
        Map<String, FrozenControl> control) {

    public FrozenModel {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        missing = Map.copyOf(missing);
        captures = Collections.unmodifiableMap(new LinkedHashMap<>(captures));
        control = Map.copyOf(control);
    }

    /** The error of a variable of this graph or one of its nodes' graphs whose file is missing; empty if there is none. */
    public Optional<MissingFileException> firstMissing() {
        Stream<MissingFileException> inner = control.values().stream()
                .flatMap(each -> each.graphs().stream())
                .flatMap(graph -> graph.firstMissing().stream());
        return Stream.concat(missing.values().stream(), inner).findFirst();
    }
}
