package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.importer.json.JsonExporter;
import org.clinfer.tensor.Tensor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a network in Clinfer's own format. */
@Command(
        name = "convert",
        description =
                "Writes a network as JSON, in Clinfer's own format, which people can read, edit and write. Weights"
                        + " of more than " + JsonExporter.INLINE_ELEMENTS
                        + " elements go to a file of the same name that ends in .safetensors.")
final class ConvertCommand implements Callable<Integer> {

    @Parameters(paramLabel = "MODEL", description = "Model file, or a folder with a model.json.")
    private Path model = Path.of("");

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE.json",
            description = "The file to write.")
    private Path output = Path.of("");

    @Option(names = "--inline", description = "Write all weights into FILE.json.")
    private boolean inline;

    @Mixin
    private OperatorFolders folders = new OperatorFolders();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Path file = ModelPath.require(model);
        Path name = output.getFileName();
        if (name == null || !name.toString().toLowerCase(Locale.ROOT).endsWith(JsonModelFile.SUFFIX)) {
            throw new UsageException("the output must end in " + JsonModelFile.SUFFIX + ", but is " + output);
        }
        if (Files.isDirectory(output)) {
            throw new UsageException(output + ": is a folder, not a file to write");
        }
        Path folder = output.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        OpCatalog catalog = folders.catalog();
        Graph graph = Importers.of(catalog).read(file);
        try {
            long inlined = inline ? Long.MAX_VALUE : JsonExporter.INLINE_ELEMENTS;
            for (Path written : JsonModelFile.write(graph, catalog, output, inlined)) {
                spec.commandLine().getOut().println("wrote " + written);
            }
        } finally {
            graph.constants().values().forEach(Tensor::close);
        }
        return ExitCode.OK;
    }
}
