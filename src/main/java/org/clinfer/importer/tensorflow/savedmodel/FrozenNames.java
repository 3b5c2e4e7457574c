package org.clinfer.importer.tensorflow.savedmodel;

import java.util.HashSet;
import java.util.Set;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/** The names of nodes in all graphs of a frozen model, and the number of nodes. */
final class FrozenNames {

    /** Nodes at most; functions that call others twice become many. */
    private static final int MOST_NODES = 400_000;

    private final SourceRef source;
    private final Set<String> taken = new HashSet<>();
    private int nodes;

    FrozenNames(SourceRef source) {
        this.source = source;
    }

    /** Takes a name; whether it was free. */
    boolean take(String name) {
        return taken.add(name);
    }

    /** Takes the first name, else one like the other. */
    String free(String first, String otherwise) {
        String name = first;
        for (int i = 0; !taken.add(name); i++) {
            name = i == 0 ? otherwise : otherwise + "_" + i;
        }
        return name;
    }

    /** Counts a node. */
    void spend() {
        if (++nodes > MOST_NODES) {
            throw new GraphException(
                    source, "its functions make more than " + MOST_NODES + " nodes, each call counted by itself");
        }
    }
}
