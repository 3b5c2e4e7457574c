package org.clinfer.cli.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.clinfer.cli.io.BadFileException;
import org.clinfer.cli.io.JsonText;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Measurements that were saved: the page of another run, or its JSON. */
public final class SavedBench {

    /** The file that a model comes from; the models that a page was written for have none. */
    private static final String SAVED_IN = "saved_in";

    private static final List<String> PEAKS = List.of("peak_gflops", "copy_gb_per_s");

    private static final String DATA_BEGIN = "<script type=\"application/json\" id=\"data\">";
    private static final String DATA_END = "</script>";

    private static final Predicate<JsonNode> TEXT = JsonNode::isString;
    private static final Predicate<JsonNode> NUMBER = SavedBench::isNumber;

    private static final Map<String, Predicate<JsonNode>> MODEL =
            Map.of("model", TEXT, "device", TEXT, "median_ms", NUMBER, "runs", NUMBER);

    /** The lists of a model, of which each may be missing, with what their members have. */
    private static final Map<String, Map<String, Predicate<JsonNode>>> LISTS = Map.of(
            "operators",
            Map.of("operator", TEXT, "target", TEXT, "variant", TEXT, "nodes", NUMBER, "ms", NUMBER),
            "nodes",
            Map.of("node", TEXT, "op", TEXT, "variant", TEXT, "us", NUMBER, "multiply_adds", NUMBER, "bytes", NUMBER),
            "timeline",
            Map.of("track", TEXT, "name", TEXT, "us", NUMBER, "dur", NUMBER),
            "memory",
            Map.of("us", NUMBER, "bytes", NUMBER));

    private final Path file;

    private SavedBench(Path file) {
        this.file = file;
    }

    /**
     * The models of a saved page or JSON, as {@link BenchPage} has them.
     *
     * @throws BadFileException if it is neither
     * @throws IOException if it cannot be read
     */
    public static List<JsonNode> read(Path file) throws IOException {
        return new SavedBench(file).models();
    }

    private static boolean isNumber(JsonNode node) {
        return node.isNumber() && Double.isFinite(node.asDouble());
    }

    private List<JsonNode> models() throws IOException {
        byte[] bytes = JsonText.bytes(file);
        String text = new String(bytes, StandardCharsets.UTF_8);
        int begin = text.indexOf(DATA_BEGIN);
        if (begin >= 0) {
            int from = begin + DATA_BEGIN.length();
            int end = text.indexOf(DATA_END, from);
            bytes = text.substring(from, end < 0 ? text.length() : end).getBytes(StandardCharsets.UTF_8);
        }
        JsonNode document = JsonText.parse(file, bytes);
        JsonNode models = document.path("models");
        if (!models.isArray() || models.isEmpty()) {
            throw new BadFileException(file, "no page and no JSON of clinfer bench: it has no models");
        }
        List<JsonNode> all = new ArrayList<>();
        for (int i = 0; i < models.size(); i++) {
            ObjectNode model = checked(models.get(i), "models[" + i + "]");
            if (model.has(SAVED_IN)) {
                continue; // stood beside the page's own
            }
            model.put(SAVED_IN, file.toString());
            peaks(model, model.has(PEAKS.get(0)) ? model : document);
            all.add(model);
        }
        return all;
    }

    /** JSON has them once for all models, a page for each; one without the other says nothing. */
    private static void peaks(ObjectNode model, JsonNode from) {
        boolean areKnown = PEAKS.stream()
                .allMatch(
                        peak -> NUMBER.test(from.path(peak)) && from.path(peak).asDouble() > 0);
        PEAKS.forEach(peak -> model.set(peak, areKnown ? from.get(peak) : null));
    }

    private ObjectNode checked(JsonNode model, String place) {
        require(model, place, MODEL);
        LISTS.forEach((name, members) -> {
            JsonNode list = model.path(name);
            if (!list.isMissingNode() && !list.isNull() && !list.isArray()) {
                throw new BadFileException(file, place + "." + name + " is no list");
            }
            for (int i = 0; i < list.size(); i++) {
                require(list.get(i), place + "." + name + "[" + i + "]", members);
            }
        });
        return (ObjectNode) model;
    }

    private void require(JsonNode object, String place, Map<String, Predicate<JsonNode>> members) {
        if (!object.isObject()) {
            throw new BadFileException(file, place + " is no object");
        }
        members.forEach((name, isSound) -> {
            if (!isSound.test(object.path(name))) {
                throw new BadFileException(
                        file,
                        "no page and no JSON of clinfer bench: " + place + " has no "
                                + (isSound == TEXT ? "text" : "number") + " '" + name + "'");
            }
        });
    }
}
