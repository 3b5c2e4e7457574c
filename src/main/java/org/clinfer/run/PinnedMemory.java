package org.clinfer.run;

import java.nio.ByteBuffer;
import org.clinfer.opencl.ClAccess;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClMapping;
import org.clinfer.opencl.ClQueue;

/** Memory of the host that the driver has made for transfers, so that a device reaches it by itself; mapped until closed. */
final class PinnedMemory implements AutoCloseable {

    private final ClBuffer buffer;
    private final ClMapping mapping;

    /**
     * Takes the memory.
     *
     * @param queue open as long as the memory
     * @throws org.clinfer.opencl.ClException if the driver has none
     */
    PinnedMemory(DeviceRuntime runtime, ClQueue queue, int bytes) {
        this.buffer = runtime.context().buffer(bytes, ClAccess.HOST_VISIBLE);
        try {
            this.mapping = queue.map(buffer, 0, bytes);
        } catch (RuntimeException | Error e) {
            buffer.close();
            throw e;
        }
    }

    int bytes() {
        return Math.toIntExact(buffer.bytes());
    }

    ByteBuffer part(int offset, int bytes) {
        return mapping.bytes().slice(offset, bytes);
    }

    @Override
    public void close() {
        mapping.close();
        buffer.close();
    }
}
