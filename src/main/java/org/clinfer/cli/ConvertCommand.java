package org.clinfer.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.importer.Importers;
import org.clinfer.importer.json.JsonExporter;
import org.clinfer.importer.onnx.export.OnnxExporter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a network in Clinfer's own format, or as ONNX. */
@Command(
        name = "convert",
        description =
                "Writes a network as JSON, in Clinfer's own format, which people can read, edit and write, or as ONNX."
                        + " Beside JSON, weights of more than " + JsonExporter.INLINE_ELEMENTS
                        + " elements go to a safetensors file of the same name; an ONNX file has them"
                        + " all.")
final class ConvertCommand implements Callable<Integer> {

    private static final String ONNX_SUFFIX = ".onnx";

    @Parameters(paramLabel = "MODEL", description = "Model file, or a folder with one.")
    private Path model = Path.of("");

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "The file to write, which ends in .json or .onnx.")
    private Path output = Path.of("");

    @Option(names = "--inline", description = "Write all weights into the JSON file.")
    private boolean inline;

    @Mixin
    private OperatorFolders folders = new OperatorFolders();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        Path file = ModelPath.require(model);
        String name = String.valueOf(output.getFileName()).toLowerCase(Locale.ROOT);
        boolean onnx = name.endsWith(ONNX_SUFFIX);
        if (!onnx && !name.endsWith(JsonModelFile.SUFFIX)) {
            throw new UsageException(
                    "the output must end in " + JsonModelFile.SUFFIX + " or " + ONNX_SUFFIX + ", but is " + output);
        }
        OpCatalog catalog = folders.catalog();
        converted(file, catalog, onnx)
                .forEach(written -> spec.commandLine().getOut().println("wrote " + written));
        return ExitCode.OK;
    }

    /** The files that were written. */
    private List<Path> converted(Path file, OpCatalog catalog, boolean onnx) throws IOException {
        try (Progress progress = Progress.of(spec)) {
            progress.show(file.toString());
            Graph graph = Importers.of(catalog).read(file);
            try {
                return onnx ? writeOnnx(graph, catalog) : writeJson(graph, catalog);
            } finally {
                graph.closeConstants();
            }
        }
    }

    private List<Path> writeJson(Graph graph, OpCatalog catalog) throws IOException {
        return JsonModelFile.write(graph, catalog, output, inline ? Long.MAX_VALUE : JsonExporter.INLINE_ELEMENTS);
    }

    private List<Path> writeOnnx(Graph graph, OpCatalog catalog) throws IOException {
        OnnxExporter.Content content = new OnnxExporter(catalog).content(graph);
        AtomicFile.write(output, content::writeTo);
        return List.of(output);
    }
}
