package org.clinfer.importer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;

/**
 * The refused layers of a network, all of which one message names, and the values that are missing because of them.
 *
 * @param <K> the name of a value in the file
 */
public final class Refusals<K> {

    private static final int MOST_NAMED = 8;

    private final SourceRef source;
    private final List<UnsupportedException> refusals = new ArrayList<>();
    private final Set<K> missing = new HashSet<>();

    /** @param source the file */
    public Refusals(SourceRef source) {
        this.source = source;
    }

    /** Adds the refusal of a layer with these outputs. */
    public void add(UnsupportedException refusal, Collection<K> outputs) {
        refusals.add(refusal);
        missing.addAll(outputs);
    }

    /** Adds the outputs of a layer that takes missing values. */
    public void addMissing(Collection<K> outputs) {
        missing.addAll(outputs);
    }

    /** Removes values that a later layer gives. */
    public void removeMissing(Collection<K> outputs) {
        missing.removeAll(outputs);
    }

    public boolean isMissing(K value) {
        return missing.contains(value);
    }

    /** Whether one of some values is missing. */
    public boolean isAnyMissing(Collection<K> values) {
        return values.stream().anyMatch(missing::contains);
    }

    /**
     * Ends the translation of a network of which layers were refused.
     *
     * @throws UnsupportedException naming the refused layers
     */
    public void requireNone() {
        if (!refusals.isEmpty()) {
            throw together(refusals, "layers", MOST_NAMED, source);
        }
    }

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
