package org.clinfer.cli.verify;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One recorded case.
 *
 * @param name path below the folder that was searched
 * @param models the model files it can belong to, best first; the first whose input names fit is taken
 * @param inputs recorded inputs, in order
 * @param expected recorded outputs, in order
 * @param names the {@code ref.json} that names them
 * @param weights the table of weights to generate, for a net that comes without; its input is then generated as well
 */
public record TestCase(
        String name,
        List<Path> models,
        List<Path> inputs,
        List<Path> expected,
        Optional<Path> names,
        Optional<Path> weights) {

    public TestCase {
        models = List.copyOf(models);
        inputs = List.copyOf(inputs);
        expected = List.copyOf(expected);
    }
}
