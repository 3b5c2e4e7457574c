package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds by trying whether the commands of a device and the host see what the other writes in memory that a buffer uses. */
final class InPlaceTrial {

    private static final Logger LOG = LoggerFactory.getLogger(InPlaceTrial.class);

    private static final int BYTES = 4096;
    private static final int MOST_BYTES = 1 << 20;
    private static final byte PATTERN = 0x5a;

    private final ClContext context;

    InPlaceTrial(ClContext context) {
        this.context = context;
    }

    /** {@return whether they do, in the buffer and in a part of it; false where the device fails} */
    boolean succeeds() {
        long alignment = context.device().facts().limit("mem_base_addr_align", 0) / 8;
        if (alignment > MOST_BYTES) {
            return false;
        }
        int bytes = Math.max(BYTES, (int) alignment);
        ByteBuffer memory = ByteBuffer.allocateDirect(2 * bytes + ClHostBuffer.ALIGNMENT)
                .alignedSlice(ClHostBuffer.ALIGNMENT)
                .limit(2 * bytes);
        try (ClHostBuffer buffer = context.hostBuffer(2L * bytes, ClAccess.READ_WRITE);
                ClQueue queue = context.queue(false)) {
            buffer.lend(memory);
            try (ClBuffer part = buffer.sub(bytes, bytes)) {
                ByteBuffer ofPart = memory.slice(bytes, bytes);
                queue.fill(part, 0, bytes, PATTERN);
                queue.finish();
                boolean showsWrites = IntStream.range(0, bytes).allMatch(i -> ofPart.get(i) == PATTERN);
                IntStream.range(0, bytes).forEach(i -> ofPart.put(i, (byte) i));
                queue.copy(part, 0, buffer, 0, bytes);
                queue.finish();
                return showsWrites && ofPart.equals(memory.slice(0, bytes));
            }
        } catch (ClException e) {
            LOG.debug(
                    "whether {} works in the host's memory is not known",
                    context.device().name(),
                    e);
            return false;
        }
    }
}
