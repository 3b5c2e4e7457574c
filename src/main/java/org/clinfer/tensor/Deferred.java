package org.clinfer.tensor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Elements that are computed when they are first asked for, and shared by all tensors that show them. Thread-safe. */
final class Deferred {

    private final int bytes;
    private @Nullable Consumer<ByteBuffer> fill;
    private @Nullable ByteBuffer memory;

    Deferred(int bytes, Consumer<ByteBuffer> fill) {
        this.bytes = bytes;
        this.fill = fill;
    }

    /** The elements in memory that stays. */
    synchronized ByteBuffer memory() {
        ByteBuffer known = memory;
        if (known != null) {
            return known;
        }
        ByteBuffer made = TensorMemory.aligned(bytes);
        writeTo(made);
        memory = made;
        fill = null;
        return made;
    }

    /** Writes the elements to other memory; they have none of their own for it. */
    synchronized void writeTo(ByteBuffer target) {
        ByteBuffer to = target.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (fill != null) {
            fill.accept(to);
        } else if (memory != null) {
            to.put(memory.duplicate());
        }
    }

    synchronized boolean isStored() {
        return memory != null;
    }
}
