package org.clinfer.importer;

import java.util.List;
import java.util.stream.Collectors;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;

/** All that cannot be used of a network, in one message. */
public final class Refusals {

    private Refusals() {}

    /**
     * The one refusal, or one that names them all.
     *
     * @param refusals at least one
     * @param things what is refused, as a plural
     * @param most how many are named at most
     * @param source the file
     */
    public static UnsupportedException together(
            List<UnsupportedException> refusals, String things, int most, SourceRef source) {
        if (refusals.size() == 1) {
            return refusals.get(0);
        }
        String features = refusals.stream()
                .map(UnsupportedException::feature)
                .distinct()
                .limit(most)
                .collect(Collectors.joining(", "));
        String reasons = refusals.stream()
                .limit(most)
                .map(refusal -> withoutFile(refusal, source))
                .collect(Collectors.joining("; "));
        int more = refusals.size() - most;
        return new UnsupportedException(
                source,
                features,
                refusals.size() + " " + things + " cannot be used: " + reasons
                        + (more > 0 ? "; and " + more + " more" : ""));
    }

    private static String withoutFile(UnsupportedException refusal, SourceRef source) {
        String message = String.valueOf(refusal.getMessage());
        String file = source.file() + ": ";
        return message.startsWith(file) ? message.substring(file.length()) : message;
    }
}
