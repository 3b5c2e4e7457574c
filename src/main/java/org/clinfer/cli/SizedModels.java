package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.Model;
import org.clinfer.graph.Graph;
import org.clinfer.tensor.TensorType;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The models that a command runs by itself, and the sizes of inputs that they leave open. */
final class SizedModels {

    @Parameters(arity = "1..*", paramLabel = "MODEL", description = "Model files, or folders with one.")
    private List<Path> models = List.of();

    @Option(
            names = "--input",
            paramLabel = "NAME=SHAPE[:TYPE]",
            description =
                    "Size of an input that the model leaves open, such as data=1x3x224x224; may be repeated (default:"
                            + " an open batch is 1).")
    private List<String> inputs = List.of();

    /** The models as they were named. */
    List<Path> named() {
        return models;
    }

    /** The files of all models. */
    List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path model : models) {
            files.add(ModelPath.require(model));
        }
        return files;
    }

    /**
     * The type of every input: as it was given, with the sizes that the file has, or, if none was given, as is usual.
     *
     * @throws UsageException if a size stays open
     */
    Map<String, TensorType> types(Model model) {
        Map<String, TensorType> types = new LinkedHashMap<>();
        for (Graph.Input input : model.inputs()) {
            boolean isUsual = inputs.isEmpty() || input.usual().isPresent();
            types.put(input.name(), isUsual ? input.usualType() : input.type());
        }
        types.putAll(InputTypes.of(inputs, model.inputs()));
        types.forEach((name, type) -> {
            if (!type.shape().isKnown()) {
                throw new UsageException(
                        "input '" + name + "' is " + type + ": give its size with --input " + name + "=SHAPE");
            }
        });
        return types;
    }
}
