package org.clinfer.importer.json;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Fails before a document gets longer than one that can be read. */
final class BoundedStream extends FilterOutputStream {

    private long left = JsonImporter.MAX_BYTES;

    BoundedStream(OutputStream out) {
        super(out);
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

    private void take(int bytes) throws IOException {
        left -= bytes;
        if (left < 0) {
            throw new IOException("the document would have more than " + JsonImporter.MAX_BYTES
                    + " bytes; leave the weights to a file of their own");
        }
    }
}
