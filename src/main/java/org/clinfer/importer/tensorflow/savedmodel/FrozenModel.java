package org.clinfer.importer.tensorflow.savedmodel;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.MissingFileException;
import org.clinfer.importer.tensorflow.proto.GraphDef;

/**
 * A signature of a SavedModel as a graph without functions and variables.
 *
 * @param graph its nodes; inputs and outputs have the names that the signature has for them
 * @param inputs the names of the nodes that are fed, sorted
 * @param outputs the names of the nodes whose first output is a result, sorted by the signature's names
 * @param missing the variables whose file is missing, by the names of the nodes that would have their values
 */
public record FrozenModel(
        GraphDef graph, List<String> inputs, List<String> outputs, Map<String, MissingFileException> missing) {

    public FrozenModel {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        missing = Map.copyOf(missing);
    }
}
