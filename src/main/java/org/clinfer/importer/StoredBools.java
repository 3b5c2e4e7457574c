package org.clinfer.importer;

import java.nio.ByteBuffer;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/** Bools of files: one byte each. */
public final class StoredBools {

    private StoredBools() {}

    /**
     * Checks that every byte is 0 or 1.
     *
     * @throws GraphException if one is not
     */
    public static void require(ByteBuffer bytes, SourceRef source) {
        for (int i = 0; i < bytes.limit(); i++) {
            if ((bytes.get(i) & 0xfe) != 0) {
                throw new GraphException(source, "element " + i + " is " + bytes.get(i) + ", which is no bool");
            }
        }
    }
}
