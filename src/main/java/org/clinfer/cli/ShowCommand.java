package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.clinfer.cli.io.JsonText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells what a model file has in it, without running it. */
@Command(
        name = "show",
        description = "Shows what is in a model: inputs and outputs with their types, metadata, operators, parameters."
                + " Needs no device, and no weights where the format keeps them in files of their own.")
final class ShowCommand implements Callable<Integer> {

    @Parameters(paramLabel = "MODEL", description = "Model file, or a folder with one.")
    private Path model = Path.of("");

    @Option(names = "--json", description = "Print JSON instead.")
    private boolean json;

    @Mixin
    private OperatorFolders folders = new OperatorFolders();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        ModelSummary summary = ModelSummary.of(ModelPath.require(model), folders.folders());
        if (json) {
            JsonText.of(summary).lines().forEach(spec.commandLine().getOut()::println);
        } else {
            Screen.of(spec).print(summary.lines());
        }
        return ExitCode.OK;
    }
}
