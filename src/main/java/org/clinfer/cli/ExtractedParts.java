package org.clinfer.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.check.CheckReport;
import org.clinfer.cli.io.AtomicFile;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.json.JsonExporter;
import org.clinfer.importer.onnx.export.OnnxExporter;

/** The parts of networks that are not on a device, each in a file of its own: ONNX, or JSON where ONNX cannot say it. */
final class ExtractedParts {

    private static final int MAX_NAME = 40;

    private final Path folder;
    private final OpCatalog catalog;
    private final PrintWriter err;

    ExtractedParts(Path folder, OpCatalog catalog, PrintWriter err) {
        this.folder = folder;
        this.catalog = catalog;
        this.err = err;
    }

    /** Writes the parts of one report, and says on stderr which files those are. */
    void write(List<Graph> parts, CheckReport report) throws IOException {
        Files.createDirectories(folder);
        for (int i = 0; i < parts.size(); i++) {
            Graph part = parts.get(i);
            if (part.nodes().stream().anyMatch(node -> node.opaque().isPresent())) {
                err.println("the part with " + part.nodes().get(0)
                        + " is not written, because it has operators that Clinfer does not have");
                continue;
            }
            write(part, name(part, report, i));
        }
    }

    private void write(Graph part, String name) throws IOException {
        Path file = folder.resolve(name + ".onnx");
        try {
            AtomicFile.write(file, new OnnxExporter(catalog).content(part)::writeTo);
            err.println("wrote " + file);
        } catch (UnsupportedException inOnnx) {
            Path json = folder.resolve(name + JsonModelFile.SUFFIX);
            for (Path written : JsonModelFile.write(part, catalog, json, JsonExporter.INLINE_ELEMENTS)) {
                err.println("wrote " + written);
            }
        }
    }

    /** Names of models and nodes may be anything; those of files may not. */
    private static String name(Graph part, CheckReport report, int number) {
        Node first = part.nodes().get(0);
        return String.join(
                "-",
                plain(report.model()),
                plain(report.profile().isEmpty() ? report.device() : report.profile()),
                Integer.toString(number),
                plain(first.name()));
    }

    private static String plain(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9_.]+", "_");
        return plain.substring(0, Math.min(plain.length(), MAX_NAME));
    }
}
