package org.clinfer.importer.tensorflow.savedmodel;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.ModelFile;
import org.clinfer.importer.ModelSource;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.tensorflow.functional.Functionalization;
import org.clinfer.importer.tensorflow.proto.FunctionDef;
import org.clinfer.importer.tensorflow.proto.MetaGraphDef;
import org.clinfer.importer.tensorflow.proto.SavedModel;
import org.clinfer.importer.tensorflow.proto.SignatureDef;
import org.clinfer.text.Printable;

/** Reads {@code saved_model.pb} and the checkpoint in the folder {@code variables} beside it. */
public final class SavedModelReader {

    /** The signature that is read instead of {@code serving_default}. */
    public static final String SIGNATURE_PROPERTY = "clinfer.savedmodel.signature";

    private static final String USUAL_TAG = "serve";
    private static final String USUAL_SIGNATURE = "serving_default";

    /** Signatures that TensorFlow has for itself begin so. */
    private static final String INNER = "__";

    private static final int MOST_NAMED = 16;

    /** The name that TensorFlow gives to a function of a program: {@code __inference_serve_12}. */
    private static final Pattern TRACED = Pattern.compile("^__inference_(.+)_[0-9]+$");

    private static final Pattern OF_CHECKPOINTS = Pattern.compile("__inference__traced_(save|restore)_[0-9]+");

    private final ModelSource file;
    private final SourceRef source;

    /** @param file the {@code saved_model.pb} */
    public SavedModelReader(ModelSource file) {
        this.file = file;
        this.source = file.ref();
    }

    /**
     * The signature of {@value #SIGNATURE_PROPERTY}, else {@code serving_default}, else the only one, as a frozen graph.
     *
     * @throws GraphException if a file is damaged, or the model has no such signature, or several
     */
    public FrozenModel read() {
        SavedModel model = new ModelFile(file, "SavedModel").parse(SavedModel.parser());
        MetaGraphDef written = metaGraph(model.getMetaGraphsList());
        MetaGraphDef meta = written.toBuilder()
                .setGraphDef(Functionalization.of(written.getGraphDef(), new Library(written, source)::port))
                .build();
        SignatureDef signature = signature(meta);
        try (NeighbourFiles files = new NeighbourFiles(file)) {
            return new Freezing(meta, files, source).freeze(signature);
        } catch (IOException failed) {
            throw new GraphException(source, "its data files cannot be closed: " + failed.getMessage(), failed);
        }
    }

    private MetaGraphDef metaGraph(List<MetaGraphDef> all) {
        List<MetaGraphDef> serving = all.stream()
                .filter(each -> each.getMetaInfoDef().getTagsList().contains(USUAL_TAG))
                .toList();
        List<MetaGraphDef> usable = serving.isEmpty() ? all : serving;
        if (usable.isEmpty()) {
            throw new GraphException(source, "the SavedModel has no graph");
        }
        if (serving.isEmpty() && usable.size() > 1) {
            throw new GraphException(source, "none of the " + usable.size() + " graphs has the tag " + USUAL_TAG);
        }
        return usable.get(0);
    }

    private SignatureDef signature(MetaGraphDef meta) {
        Map<String, SignatureDef> all = meta.getSignatureDefMap();
        Map<String, SignatureDef> usable = new TreeMap<>(all);
        usable.keySet().removeIf(name -> name.startsWith(INNER));
        String wanted = System.getProperty(SIGNATURE_PROPERTY, "");
        if (!wanted.isEmpty()) {
            SignatureDef found = all.get(wanted);
            if (found == null) {
                throw new GraphException(source, "it has no signature '" + wanted + "'; there are: " + names(usable));
            }
            return found;
        }
        SignatureDef usual = usable.get(USUAL_SIGNATURE);
        if (usual != null) {
            return usual;
        }
        if (usable.isEmpty()) {
            throw new GraphException(
                    source,
                    "the SavedModel has no signature, which says what its inputs and outputs are; "
                            + functions(meta.getGraphDef().getLibrary().getFunctionList()));
        }
        if (usable.size() > 1) {
            throw new GraphException(
                    source,
                    "it has the signatures " + names(usable) + ", and none is " + USUAL_SIGNATURE + "; the property "
                            + SIGNATURE_PROPERTY + " chooses one");
        }
        return usable.values().iterator().next();
    }

    /** The functions that a model without a signature has, by the names that they have in programs. */
    private static String functions(List<FunctionDef> all) {
        List<String> names = all.stream()
                .map(function -> function.getSignature().getName())
                .filter(name -> !OF_CHECKPOINTS.matcher(name).matches())
                .map(name -> Printable.shortened(TRACED.matcher(name).replaceFirst("$1")))
                .distinct()
                .sorted()
                .limit(MOST_NAMED)
                .toList();
        return names.isEmpty()
                ? "it has no functions"
                : "it has the functions " + String.join(", ", names)
                        + ", and saved with one of them as a signature it can be read";
    }

    private static String names(Map<String, SignatureDef> signatures) {
        return signatures.isEmpty()
                ? "none"
                : signatures.keySet().stream()
                        .limit(MOST_NAMED)
                        .map(Printable::shortened)
                        .collect(Collectors.joining(", "));
    }
}
