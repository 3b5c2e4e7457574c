package org.clinfer.importer.tensorflow;

import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.stream.Collectors;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.FileName;
import org.clinfer.importer.MissingFileException;
import org.clinfer.importer.ModelFile;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.importer.tensorflow.functional.Functionalization;
import org.clinfer.importer.tensorflow.proto.GraphDef;
import org.clinfer.importer.tensorflow.savedmodel.FrozenGraph;
import org.clinfer.importer.tensorflow.savedmodel.FrozenModel;
import org.clinfer.importer.tensorflow.savedmodel.SavedModelReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads SavedModels, and frozen TensorFlow graphs: {@code .pb}, and {@code .pbtxt} as text. */
public final class TensorflowImporter implements ModelImporter {

    private static final Logger LOG = LoggerFactory.getLogger(TensorflowImporter.class);

    /** Warns of every field that is not among those which Clinfer reads; kept, because a logger nobody holds forgets. */
    private static final java.util.logging.Logger TEXT_LOG =
            java.util.logging.Logger.getLogger(TextFormat.class.getName());

    static {
        TEXT_LOG.setLevel(Level.OFF);
    }

    /** The name that the file of every SavedModel has; its folder has one of its own. */
    private static final String SAVED_MODEL = "saved_model.pb";

    /** Bytes of a graph as text at most, which takes many times as much memory. */
    private static final long MAX_TEXT_BYTES = 256L << 20;

    private static final int MAX_TEXT_DEPTH = 32;

    private final OpCatalog catalog;

    /** @param catalog the operators there are; nodes may use those that do not come with Clinfer by their names */
    public TensorflowImporter(OpCatalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public String format() {
        return "TensorFlow (SavedModel or frozen graph, .pb)";
    }

    @Override
    public Set<String> operators() {
        Set<String> operators = new HashSet<>(TfControl.OPERATORS);
        operators.addAll(Functionalization.OPERATORS);
        operators.addAll(new TfTranslatorTable(new TfNetwork(GraphDef.getDefaultInstance(), ""), catalog).operators());
        return operators;
    }

    @Override
    public boolean accepts(ModelSource model) {
        return model.endsWith(".pbtxt") || GraphStart.of(model) != GraphStart.NO_GRAPH;
    }

    /** {@return whether a binary file is a TensorFlow graph or a SavedModel by its first bytes} */
    public static boolean isModel(Path file) {
        return GraphStart.of(ModelSource.of(file)) != GraphStart.NO_GRAPH;
    }

    @Override
    public Graph read(ModelSource file, UnsupportedLayers unsupported) {
        SourceRef source = file.ref();
        if (GraphStart.of(file) == GraphStart.SAVED_MODEL) {
            return savedModel(file, unsupported);
        }
        boolean text = file.endsWith(".pbtxt");
        GraphDef proto = text ? text(file, source) : new ModelFile(file, "TensorFlow graph").parse(GraphDef.parser());
        return logged(translation(file, proto).translate(unsupported));
    }

    private TfTranslation translation(ModelSource file, GraphDef proto) {
        Set<String> functions = proto.getLibrary().getFunctionList().stream()
                .map(function -> function.getSignature().getName())
                .collect(Collectors.toSet());
        TfNetwork network = new TfNetwork(proto, file.name());
        if (!network.hasControlFlow(functions)) {
            return new TfTranslation(network, file.name(), catalog);
        }
        List<String> outputs = network.outputs().stream().map(TfNode::name).toList();
        return TfTranslation.ofNodes(FrozenGraph.of(file, proto, outputs), file.name(), catalog);
    }

    private Graph savedModel(ModelSource file, UnsupportedLayers unsupported) {
        FrozenModel model = new SavedModelReader(file).read();
        Optional<MissingFileException> missing = model.firstMissing();
        if (unsupported == UnsupportedLayers.REFUSED && missing.isPresent()) {
            throw missing.get();
        }
        String name = file.name();
        String network =
                name.equals(SAVED_MODEL) ? file.folder().map(FileName::of).orElse(name) : name;
        return logged(new TfTranslation(model, network, name, catalog).translate(unsupported));
    }

    private static Graph logged(Graph graph) {
        LOG.debug(
                "{}: {} nodes, {} constants",
                graph.name(),
                graph.nodes().size(),
                graph.constants().size());
        return graph;
    }

    private static GraphDef text(ModelSource file, SourceRef source) {
        TextFormat.Parser parser = TextFormat.Parser.newBuilder()
                .setAllowUnknownFields(true)
                .setRecursionLimit(MAX_TEXT_DEPTH)
                .build();
        GraphDef.Builder graph = GraphDef.newBuilder();
        try (InputStream in = file.open()) {
            byte[] bytes = in.readNBytes((int) MAX_TEXT_BYTES);
            if (in.read() >= 0) {
                throw new GraphException(
                        source, "it has more than the " + MAX_TEXT_BYTES + " bytes of a graph as text");
            }
            parser.merge(new String(bytes, StandardCharsets.UTF_8), graph);
            return graph.build();
        } catch (TextFormat.ParseException malformed) {
            throw new GraphException(source, "not a valid TensorFlow graph: " + malformed.getMessage(), malformed);
        } catch (IOException failed) {
            throw new GraphException(source, "cannot be read: " + failed.getMessage(), failed);
        }
    }
}
