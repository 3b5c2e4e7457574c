package org.clinfer.importer.onnx;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.ModelFile;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads ONNX models of every operator set, with weights in the model or in files beside it. */
public final class OnnxImporter implements ModelImporter {

    private static final Logger LOG = LoggerFactory.getLogger(OnnxImporter.class);

    /** Format versions there could be; the first bytes of a file are its format version, as a varint of field 1. */
    private static final int VERSION_TAG = 0x08;

    private static final int VERSION_LIMIT = 0x40;

    private final OpCatalog catalog;

    /** @param catalog the operators there are; nodes may use those that do not come with Clinfer by their names */
    public OnnxImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "ONNX (.onnx)";
    }

    @Override
    public Set<String> operators() {
        try (ExternalData none = new ExternalData(Path.of("none.onnx"))) {
            Set<String> operators = new HashSet<>(ControlFlowTranslation.OPERATORS);
            operators.addAll(new OnnxTranslatorTable(new OnnxTensorReader(none), "").operators());
            return operators;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public boolean accepts(ModelSource model) {
        if (model.endsWith(".onnx")) {
            return true;
        }
        if (model.endsWith(".prototxt") || model.endsWith(".caffemodel") || model.endsWith(".json")) {
            return false;
        }
        try (InputStream in = model.open()) {
            return startsLikeModel(in.readNBytes(3));
        } catch (IOException unreadable) {
            LOG.debug("{} cannot be read: {}", model, unreadable.toString());
            return false;
        }
    }

    /** A small version number, then the tag of a producer, graph, or operator set. */
    private static boolean startsLikeModel(byte[] start) {
        if (start.length < 3 || start[0] != VERSION_TAG || start[1] <= 0 || start[1] >= VERSION_LIMIT) {
            return false;
        }
        return start[2] == 0x12 || start[2] == 0x3A || start[2] == 0x42;
    }

    @Override
    public Graph read(ModelSource file, UnsupportedLayers unsupported) {
        String name = file.name();
        SourceRef source = file.ref();
        ModelProto model = new ModelFile(file, "ONNX model").parse(ModelProto.parser());
        if (!model.hasGraph()) {
            throw new GraphException(source, "not a valid ONNX model: it has no graph");
        }
        try (ExternalData external = new ExternalData(file)) {
            OnnxTranslation translation = new OnnxTranslation(
                    model, name, new OnnxTensorReader(external), catalog, unsupported, Optional.empty());
            Graph graph = translation.translate();
            LOG.debug(
                    "{}: {} nodes, {} constants",
                    name,
                    graph.nodes().size(),
                    graph.constants().size());
            return DeclaredTypes.kinds(model.getGraph()).isEmpty()
                    ? graph
                    : graph.withSpecializations(
                            new OnnxSpecializations(model, file, catalog, graph, translation.isOpen()));
        } catch (IOException failed) {
            throw new GraphException(source, "cannot be read: " + failed.getMessage(), failed);
        }
    }
}
