package org.clinfer.importer.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares nodes with the operator descriptions: names of operators and parameters, numbers of inputs. */
final class DeclaredOperators {

    private static final Path DESCRIPTIONS = Path.of("src/main/resources/org/clinfer/operators");

    private final Map<String, Declared> operators = new HashMap<>();

    /** What a description says: how many inputs must and may be given, and the parameters, those needed apart. */
    private record Declared(int least, int most, Set<String> params, List<Set<String>> needed) {}

    DeclaredOperators() {
        JsonMapper mapper = JsonMapper.builder().build();
        try (Stream<Path> files = Files.list(DESCRIPTIONS)) {
            List<Path> descriptions =
                    files.filter(file -> file.toString().endsWith(".json")).toList();
            for (Path file : descriptions) {
                for (JsonNode op : mapper.readTree(file).get("ops")) {
                    if (op.get("arch").asString().equals("none")) {
                        operators.put(op.get("optype").asString(), declared(op));
                    }
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Declared declared(JsonNode op) {
        int least = 0;
        int most = 0;
        for (JsonNode input : op.get("tensors_in")) {
            boolean optional = input.has("optional");
            least = optional ? least : most + 1;
            most = input.has("variadic") ? Integer.MAX_VALUE : most + 1;
        }
        Set<String> params = new HashSet<>();
        List<Set<String>> needed = new ArrayList<>();
        if (op.has("params")) {
            for (JsonNode param : op.get("params")) {
                String name = param.get("arg_name").asString();
                params.add(name);
                if (!param.has("default") && !param.has("from_input")) {
                    needed.add(Set.of(name));
                }
            }
        }
        return new Declared(least, most, params, needed);
    }

    void check(Graph graph) {
        for (Node node : graph.nodes()) {
            node.bodies().values().forEach(this::check);
            if (node.isControl()) {
                continue;
            }
            Declared declared = operators.get(node.op());
            if (declared == null) {
                throw new AssertionError("no operator " + node.op());
            }
            assertThat(node.inputs().size()).as("inputs of %s", node).isBetween(declared.least(), declared.most());
            assertThat(declared.params())
                    .as("parameters of %s", node)
                    .containsAll(node.params().keySet());
            declared.needed()
                    .forEach(param ->
                            assertThat(node.params().keySet()).as("of %s", node).containsAll(param));
        }
    }
}
