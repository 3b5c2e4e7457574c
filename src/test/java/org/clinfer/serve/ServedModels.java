package org.clinfer.serve;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Model files for repositories: {@code x[batch, width] → y = factor * x}, in Clinfer's own format. */
public final class ServedModels {

    private ServedModels() {}

    /** Writes the model to a version's folder, whose name is its number. */
    public static void write(Path repository, String name, int version, int width, double factor) throws IOException {
        write(repository.resolve(name).resolve(Integer.toString(version)).resolve("model.json"), width, factor);
    }

    /** Writes the model to a file. */
    public static void write(Path file, int width, double factor) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text("float32", "\"batch\", " + width, factor));
    }

    /** The model's text; dims as the format has them. */
    public static String text(String type, String dims, double factor) {
        return """
                {"name": "scaled", "ops": [
                  {"name": "x", "optype": "Input", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "x"}],
                   "params": [{"arg_name": "dtype", "value": "%s"}, {"arg_name": "dims", "value": [%s]}]},
                  {"name": "f", "optype": "Const", "tensors_in": [], "tensors_out": [{"arg_name": "y", "name": "f"}],
                   "params": [{"arg_name": "dtype", "value": "%1$s"}, {"arg_name": "dims", "value": []},
                              {"arg_name": "data", "value": %s}]},
                  {"name": "mul", "optype": "Mul",
                   "tensors_in": [{"arg_name": "a", "name": "x"}, {"arg_name": "b", "name": "f"}],
                   "tensors_out": [{"arg_name": "y", "name": "y"}]},
                  {"name": "out", "optype": "Output", "tensors_in": [{"arg_name": "x", "name": "y"}], "tensors_out": []}
                ]}
                """.formatted(type, dims, "[" + (type.contains("int") ? Long.toString((long) factor) : factor) + "]");
    }
}
