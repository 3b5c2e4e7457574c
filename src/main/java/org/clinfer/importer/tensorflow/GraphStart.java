package org.clinfer.importer.tensorflow;

import java.io.IOException;
import java.io.InputStream;
import org.clinfer.importer.ModelSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kind of a file by its first bytes. */
enum GraphStart {
    /** A graph: a node, with the name or the operator first. */
    GRAPH,
    /** A SavedModel: its version, then a graph with notes. */
    SAVED_MODEL,
    NO_GRAPH;

    private static final Logger LOG = LoggerFactory.getLogger(GraphStart.class);
    private static final int ENOUGH = 64;

    static GraphStart of(ModelSource model) {
        try (InputStream in = model.open()) {
            return of(in.readNBytes(ENOUGH), model.size());
        } catch (IOException unreadable) {
            LOG.debug("{} cannot be read: {}", model, unreadable.toString());
            return NO_GRAPH;
        }
    }

    /** Tags are those of fields 1 and 2 with a length; names are text, which a tag never looks like. */
    private static GraphStart of(byte[] start, long fileBytes) {
        if (start.length >= 5 && start[0] == 0x08 && start[1] == 1 && start[2] == 0x12) {
            int inner = afterLength(start, 3);
            return inner > 0 && inner < start.length && (start[inner] == 0x0A || start[inner] == 0x12)
                    ? SAVED_MODEL
                    : NO_GRAPH;
        }
        if (start.length < 4 || start[0] != 0x0A) {
            return NO_GRAPH;
        }
        int node = afterLength(start, 1);
        if (node < 0 || node + 2 >= start.length || length(start, 1) > fileBytes - node) {
            return NO_GRAPH;
        }
        int text = afterLength(start, node + 1);
        boolean field = start[node] == 0x0A || start[node] == 0x12;
        boolean fits = field && text > 0 && text < start.length && length(start, node + 1) <= length(start, 1);
        return fits && isNameStart(start[text]) ? GRAPH : NO_GRAPH;
    }

    /** Names begin with a letter, a digit, a point, or in old files with an underline. */
    private static boolean isNameStart(byte first) {
        return Character.isLetterOrDigit(first) || first == '.' || first == '_';
    }

    /** The begin of the bytes whose length stands at a place; -1 if it does not end there. */
    private static int afterLength(byte[] start, int at) {
        for (int i = at; i < Math.min(start.length, at + 5); i++) {
            if (start[i] >= 0) {
                return i + 1;
            }
        }
        return -1;
    }

    private static long length(byte[] start, int at) {
        long length = 0;
        for (int i = at; i < Math.min(start.length, at + 5); i++) {
            length |= (long) (start[i] & 0x7F) << (7 * (i - at));
            if (start[i] >= 0) {
                break;
            }
        }
        return length;
    }
}
