package org.clinfer.importer.json;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/** Fails before a document gets longer than one that can be read. */
final class BoundedStream extends FilterOutputStream {

    private final SourceRef source;
    private final long most;
    private long left;

    /**
     * A stream into another one.
     *
     * @param source the graph that is written
     * @param most bytes that such a document has
     */
    BoundedStream(OutputStream out, SourceRef source, long most) {
        super(out);
        this.source = source;
        this.most = most;
        this.left = most;
    }

    @Override
    public void write(int b) throws IOException {
        take(1);
        out.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        take(length);
        out.write(bytes, offset, length);
    }

    private void take(int bytes) {
        left -= bytes;
        if (left < 0) {
            throw new GraphException(
                    source,
                    "the document would have more than " + most + " bytes; leave the weights to a file of their own");
        }
    }
}
