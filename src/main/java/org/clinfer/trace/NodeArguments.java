package org.clinfer.trace;

import java.io.StringWriter;
import java.util.IdentityHashMap;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** What a trace says of nodes and is the same in every run, each made once. */
final class NodeArguments {

    private static final String TUNED = "tuned:";

    /** Those of more are made anew: a network whose inputs always have other shapes does not fill the memory. */
    private static final int MOST = 1 << 13;

    private static final JsonFactory JSON = new JsonFactory();

    private final IdentityHashMap<TraceEvent.NodeWork, String> texts = new IdentityHashMap<>();

    /** Properties of an object that has some before them: each with a comma before it. */
    String of(TraceEvent.NodeWork node, TraceEvent.StepKind kind) {
        if (texts.size() >= MOST) {
            texts.clear();
        }
        return texts.computeIfAbsent(node, any -> text(any, kind));
    }

    private static String text(TraceEvent.NodeWork node, TraceEvent.StepKind kind) {
        StringWriter to = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), to)) {
            json.writeStartObject();
            write(json, node, kind);
            json.writeEndObject();
        }
        String object = to.toString();
        return "," + object.substring(1, object.length() - 1);
    }

    private static void write(JsonGenerator json, TraceEvent.NodeWork node, TraceEvent.StepKind kind) {
        json.writeStringProperty("node", node.node());
        json.writeStringProperty("op", node.op());
        if (!node.form().equals(node.op())) {
            json.writeStringProperty("runs_as", node.form());
        }
        if (!node.fused().isEmpty()) {
            texts(json, "does_the_work_of", node.fused());
        }
        node.multiplyAdds().ifPresent(count -> json.writeNumberProperty("multiply_adds", count));
        if (kind == TraceEvent.StepKind.CPU) {
            texts(json, "why_on_the_cpu", node.reasons());
            return;
        }
        json.writeStringProperty("variant", node.variant());
        List<String> tuned = node.reasons().stream()
                .filter(reason -> reason.startsWith(TUNED))
                .toList();
        List<String> refused = node.reasons().stream()
                .filter(reason -> !reason.startsWith(TUNED))
                .toList();
        json.writeStringProperty(
                "why",
                !tuned.isEmpty()
                        ? String.join("; ", tuned)
                        : refused.isEmpty()
                                ? "the first of the kernels for " + node.form()
                                : "the first of the kernels for " + node.form() + " that takes the node");
        texts(json, "refused", refused);
        json.writeArrayPropertyStart("work_size");
        node.launches()
                .forEach(size -> json.writeString(size.kernel() + " " + size.global()
                        + (size.local().isEmpty() ? "" : " in groups of " + size.local())));
        json.writeEndArray();
    }

    /** An array of texts. */
    static void texts(JsonGenerator json, String name, List<String> texts) {
        json.writeArrayPropertyStart(name);
        texts.forEach(json::writeString);
        json.writeEndArray();
    }
}
