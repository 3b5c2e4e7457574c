package org.clinfer.importer.tfjs;

import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.JsonTokens;

/**
 * The content of a {@code model.json}.
 *
 * @param model the network: its {@code class_name} and {@code config}
 * @param origin by whose definitions it was made
 * @param manifest the groups of weights; none for a network without weights
 */
record ModelDocument(Json.Obj model, Origin origin, List<Json> manifest) {

    static final String TOPOLOGY = "modelTopology";
    static final String MANIFEST = "weightsManifest";
    private static final String FORMAT = "format";

    /** Reads a document; fields that say nothing about inference are passed over. */
    static ModelDocument read(InputStream in, SourceRef source) {
        Collector found = new Collector();
        JsonTokens.read(in, JsonTokens.Dialect.NESTED, source, found::read);
        return found.document(source);
    }

    private static final class Collector {

        private final Json.Reader reader = new Json.Reader();
        private Optional<String> format = Optional.empty();
        private Optional<Json> topology = Optional.empty();
        private Optional<Json> manifest = Optional.empty();

        void read(JsonTokens tokens) {
            tokens.object("a model", field -> {
                switch (field) {
                    case FORMAT -> format = Optional.of(tokens.string("a string"));
                    case TOPOLOGY -> topology = Optional.of(reader.read(tokens));
                    case MANIFEST -> manifest = Optional.of(reader.read(tokens));
                    default -> tokens.skip();
                }
            });
        }

        ModelDocument document(SourceRef source) {
            TfjsFields fields = topology.map(value -> TfjsFields.of(value, source, TOPOLOGY))
                    .orElseThrow(() -> new GraphException(source, "field '" + TOPOLOGY + "' is missing"));
            String known = format.orElse("layers-model");
            if (known.equals("graph-model") || fields.find("node").isPresent()) {
                throw new UnsupportedException(
                        source,
                        "TensorFlow.js graph model",
                        "TensorFlow.js graph models are not supported; convert the original model to a layers model"
                                + " (tensorflowjs_converter --output_format=tfjs_layers_model) or to ONNX");
            }
            if (!known.equals("layers-model")) {
                throw new GraphException(source, "unknown format " + new Json.Text(known).shown());
            }
            Json model = fields.find("model_config").orElseGet(() -> topology.orElseThrow());
            if (!(model instanceof Json.Obj object)) {
                throw fields.wrong("model_config", "expected an object, found " + model.shown());
            }
            return new ModelDocument(
                    object, Origin.of(fields.text("keras_version").orElse("")), groups(source));
        }

        private List<Json> groups(SourceRef source) {
            Json groups = manifest.orElse(Json.Nothing.NULL);
            if (groups == Json.Nothing.NULL) {
                return List.of();
            }
            if (groups instanceof Json.Arr list) {
                return list.elements();
            }
            throw new GraphException(source, MANIFEST + ": expected a list, found " + groups.shown());
        }
    }
}
