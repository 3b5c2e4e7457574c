package org.clinfer.run;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Host memory for deferred constants while kernels bring them into other forms: used again for one node after another,
 * because new pages cost as much as what is done with them. For one thread.
 */
final class PassingMemory implements AutoCloseable {

    private final List<ByteBuffer> inUse = new ArrayList<>();
    private @Nullable ByteBuffer free;

    /** The elements of a constant, until {@link #end}. */
    ByteBuffer take(Tensor constant) {
        int bytes = Math.toIntExact(constant.type().bytes());
        ByteBuffer memory = free;
        if (memory == null || memory.capacity() < bytes) {
            memory = Tensor.alignedMemory(bytes);
        }
        free = null;
        inUse.add(memory);
        ByteBuffer elements = memory.slice(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
        constant.writeTo(elements);
        return elements;
    }

    /** Nothing reads what was taken any more. */
    void end() {
        for (ByteBuffer memory : inUse) {
            if (free == null || free.capacity() < memory.capacity()) {
                free = memory;
            }
        }
        inUse.clear();
    }

    @Override
    public void close() {
        inUse.clear();
        free = null;
    }
}
