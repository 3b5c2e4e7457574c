package org.clinfer.importer.tflite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.ModelSource;

/**
 * A model file, mapped: a flatbuffer at its beginning, and the elements of large models behind that. Mappings stay valid as
 * long as tensors use them.
 */
final class TfliteFile implements AutoCloseable {

    private static final byte[] IDENTIFIER = "TFL3".getBytes(StandardCharsets.US_ASCII);
    private static final int IDENTIFIER_START = 4;
    private static final int HEADER_BYTES = 8;

    private final ModelSource.Content content;
    private final SourceRef source;

    private TfliteFile(ModelSource.Content content, SourceRef source) {
        this.content = content;
        this.source = source;
    }

    /**
     * {@return whether a file has the format's identifier behind its first four bytes; false for one that cannot be
     * read}
     */
    static boolean isModel(ModelSource model) {
        try (InputStream in = model.open()) {
            return isModel(in.readNBytes(HEADER_BYTES));
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static boolean isModel(byte[] header) {
        return header.length == HEADER_BYTES
                && Arrays.equals(header, IDENTIFIER_START, HEADER_BYTES, IDENTIFIER, 0, IDENTIFIER.length);
    }

    /**
     * Opens a file.
     *
     * @throws GraphException if it cannot be read or is no such model
     */
    static TfliteFile open(ModelSource model) {
        SourceRef source = model.ref();
        try {
            if (!isModel(model)) {
                throw new GraphException(
                        source, "not a valid TensorFlow Lite model: it does not begin with the identifier TFL3");
            }
            return new TfliteFile(model.content(), source);
        } catch (IOException unreadable) {
            throw new GraphException(source, "cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    SourceRef source() {
        return source;
    }

    /** The root table of the flatbuffer. */
    FlatTable root() {
        return FlatTable.root(bytes(0, Math.min(content.size(), Integer.MAX_VALUE), source), source);
    }

    /**
     * Some bytes as a read-only view of the file.
     *
     * @throws GraphException if the file does not have them or no buffer can hold them
     */
    ByteBuffer bytes(long offset, long count, SourceRef reader) {
        if (offset < 0 || count < 0 || offset > content.size() || count > content.size() - offset) {
            throw new GraphException(
                    reader,
                    "it needs " + Long.toUnsignedString(count) + " bytes from offset " + Long.toUnsignedString(offset)
                            + ", but the file has " + content.size());
        }
        if (count > Integer.MAX_VALUE) {
            throw new GraphException(reader, "it needs " + count + " bytes, more than one tensor can hold");
        }
        try {
            return content.direct(offset, count);
        } catch (IOException unreadable) {
            throw new GraphException(reader, "cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    @Override
    public void close() throws IOException {
        content.close();
    }
}
