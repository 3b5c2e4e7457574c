package org.clinfer.cli.verify;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.cli.io.BadFileException;
import org.clinfer.cli.io.JsonText;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import tools.jackson.databind.JsonNode;

/**
 * The names of recorded tensors, in the order of their files; empty lists where nothing names them.
 *
 * @param inputs names of {@code input_0}, {@code input_1} …
 * @param outputs names of {@code output_0}, {@code output_1} …
 */
record TensorNames(List<String> inputs, List<String> outputs) {

    TensorNames {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** Reads {@code {"inputs": [{"name": …} …], "outputs": […]}}; other entries are notes for people. */
    static TensorNames read(Optional<Path> file) throws IOException {
        if (file.isEmpty()) {
            return new TensorNames(List.of(), List.of());
        }
        JsonNode document = JsonText.read(file.get());
        return new TensorNames(names(document, "inputs", file.get()), names(document, "outputs", file.get()));
    }

    /** With the values of nodes where outputs are called after the layers that give them. */
    TensorNames ofValues(Graph graph) {
        Set<String> values = new HashSet<>(graph.outputs());
        Map<String, String> byNode = new HashMap<>();
        for (Node node : graph.nodes()) {
            values.addAll(node.outputs());
            byNode.put(node.name(), node.outputs().get(0));
        }
        return new TensorNames(
                inputs,
                outputs.stream()
                        .map(name -> values.contains(name) ? name : byNode.getOrDefault(name, name))
                        .toList());
    }

    private static List<String> names(JsonNode document, String side, Path file) {
        List<String> names = new ArrayList<>();
        for (JsonNode entry : document.path(side)) {
            JsonNode name = entry.path("name");
            if (!name.isString()) {
                throw new BadFileException(file, "an entry of '" + side + "' has no \"name\"");
            }
            names.add(name.stringValue());
        }
        return names;
    }
}
