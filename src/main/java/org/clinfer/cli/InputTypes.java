package org.clinfer.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.clinfer.cli.io.TypeText;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Spelling;

/** The types of inputs, as arguments {@code --input name=1x3x224x224[:float32]} have them. */
final class InputTypes {

    private InputTypes() {}

    /**
     * The given types by input name.
     *
     * @throws UsageException for a name the model does not have, or a type that cannot be read
     */
    static Map<String, TensorType> of(List<String> arguments, List<Graph.Input> inputs) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.lastIndexOf('=');
            if (equals < 1) {
                throw new UsageException("--input " + argument + ": expected name=1x3x224x224 or name=1x3:float32");
            }
            Graph.Input input = named(argument.substring(0, equals), inputs);
            try {
                TensorType type = TypeText.parseOpen(
                        argument.substring(equals + 1), input.type().dtype());
                if (types.put(input.name(), type) != null) {
                    throw new UsageException("input '" + input.name() + "' is given twice");
                }
            } catch (IllegalArgumentException wrong) {
                throw new UsageException("--input " + argument + ": " + wrong.getMessage());
            }
        }
        return types;
    }

    private static Graph.Input named(String name, List<Graph.Input> inputs) {
        return inputs.stream()
                .filter(input -> input.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("the model has no input '" + name + "'; it has " + list(inputs)
                        + Spelling.question(
                                name, inputs.stream().map(Graph.Input::name).toList())));
    }

    /** The inputs as users read them: {@code image (1x3x224x224:float32)}; {@code none} where there are none. */
    static String list(List<Graph.Input> inputs) {
        return inputs.isEmpty()
                ? "none"
                : inputs.stream()
                        .map(input -> input.name() + " (" + input.type() + ")")
                        .collect(Collectors.joining(", "));
    }
}
