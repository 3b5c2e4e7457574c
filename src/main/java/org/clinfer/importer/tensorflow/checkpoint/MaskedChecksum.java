package org.clinfer.importer.tensorflow.checkpoint;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C as it is stored beside its bytes: rotated and moved, since checksums of checksums are weak. */
final class MaskedChecksum {

    private static final int MASK = 0xa282ead8;

    private MaskedChecksum() {}

    static int of(ByteBuffer... parts) {
        CRC32C checksum = new CRC32C();
        for (ByteBuffer part : parts) {
            checksum.update(part.duplicate());
        }
        return Integer.rotateRight((int) checksum.getValue(), 15) + MASK;
    }
}
