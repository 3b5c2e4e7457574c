package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.stream.Collectors;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;

/** All that cannot be used of a graph, in one message. */
final class Refusals {

    /** Nodes that are named at most. */
    private static final int MOST = 32;

    private Refusals() {}

    static UnsupportedException together(List<UnsupportedException> refusals, SourceRef source) {
        if (refusals.size() == 1) {
            return refusals.get(0);
        }
        String features = refusals.stream()
                .map(UnsupportedException::feature)
                .distinct()
                .limit(MOST)
                .collect(Collectors.joining(", "));
        String reasons = refusals.stream()
                .limit(MOST)
                .map(refusal -> withoutFile(refusal, source))
                .collect(Collectors.joining("; "));
        int more = refusals.size() - MOST;
        return new UnsupportedException(
                source,
                features,
                refusals.size() + " nodes cannot be used: " + reasons + (more > 0 ? "; and " + more + " more" : ""));
    }

    private static String withoutFile(UnsupportedException refusal, SourceRef source) {
        String message = String.valueOf(refusal.getMessage());
        String file = source.file() + ": ";
        return message.startsWith(file) ? message.substring(file.length()) : message;
    }
}
