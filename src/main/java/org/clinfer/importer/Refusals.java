package org.clinfer.importer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;

/** The unsupported layers of a network, which one message names where it is refused. */
public final class Refusals {

    private static final int MOST_NAMED = 32;

    private final SourceRef source;
    private final String things;
    private final List<UnsupportedException> refusals = new ArrayList<>();

    /**
     * @param source the file
     * @param things what the format calls its layers, as a plural
     */
    public Refusals(SourceRef source, String things) {
        this.source = source;
        this.things = things;
    }

    public void add(UnsupportedException refusal) {
        refusals.add(refusal);
    }

    /** Adds those of another part of the same file. */
    public void addAll(Refusals others) {
        refusals.addAll(others.refusals);
    }

    /**
     * The cause of the opaque node that stands for a layer.
     *
     * @throws GraphException the same again where no node may stand for it: the layer is malformed and the network is to be run,
     *     or another part of the file is at fault
     */
    public Opaque.Cause cause(GraphException why, SourceRef layer, UnsupportedLayers unsupported) {
        if (why instanceof UnsupportedException refusal) {
            add(refusal);
            return Opaque.Cause.UNSUPPORTED;
        }
        if (unsupported == UnsupportedLayers.REFUSED || !why.isAt(layer)) {
            throw why;
        }
        return why instanceof MissingFileException ? Opaque.Cause.UNDETERMINED : Opaque.Cause.INVALID;
    }

    public boolean isEmpty() {
        return refusals.isEmpty();
    }

    /**
     * Ends the translation of a network of which layers were refused, unless they stand as opaque nodes.
     *
     * @throws UnsupportedException naming the refused layers
     */
    public void finish(UnsupportedLayers unsupported) {
        if (unsupported == UnsupportedLayers.REFUSED && !refusals.isEmpty()) {
            throw together();
        }
    }

    /** The one refusal, or one that names them all. */
    private UnsupportedException together() {
        if (refusals.size() == 1) {
            return refusals.get(0);
        }
        String features = refusals.stream()
                .map(UnsupportedException::feature)
                .distinct()
                .limit(MOST_NAMED)
                .collect(Collectors.joining(", "));
        String reasons =
                refusals.stream().limit(MOST_NAMED).map(this::withoutFile).collect(Collectors.joining("; "));
        int more = refusals.size() - MOST_NAMED;
        return new UnsupportedException(
                source,
                features,
                refusals.size() + " " + things + " cannot be used: " + reasons
                        + (more > 0 ? "; and " + more + " more" : ""));
    }

    private String withoutFile(UnsupportedException refusal) {
        String message = String.valueOf(refusal.getMessage());
        String file = source.file() + ": ";
        return message.startsWith(file) ? message.substring(file.length()) : message;
    }
}
