package org.clinfer.serve;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.Tensor;

/**
 * Direct memory for the content of requests, which is used again: new pages cost more than to read what fills them, and Java
 * frees direct memory with its garbage alone. Thread-safe, of bounded size.
 */
public final class ContentMemory {

    /** Bytes that a server keeps at most while nobody uses them. */
    public static final long USUALLY_KEPT = 64 << 20;

    private static final int LEAST = 256;

    private final long limit;

    /** Memory that nobody uses, by capacity; guarded by this object. */
    private final Map<Integer, ArrayDeque<ByteBuffer>> free = new HashMap<>();

    /** Bytes of it; guarded by this object. */
    private long kept;

    /** @param limit bytes that are kept at most while nobody uses them */
    public ContentMemory(long limit) {
        this.limit = limit;
    }

    /** The capacity of memory for so many bytes: a power of two, so that it fits many requests. */
    public static int capacity(int bytes) {
        int power = Integer.highestOneBit(Math.max(LEAST, bytes) - 1) << 1;
        return power > 0 ? power : bytes;
    }

    /** Memory of a capacity, with any bytes in it, empty to write to. */
    public synchronized ByteBuffer take(int capacity) {
        Optional<ByteBuffer> used = Optional.ofNullable(free.get(capacity)).map(ArrayDeque::pollLast);
        if (used.isPresent()) {
            kept -= capacity;
            return used.get().clear();
        }
        return Tensor.alignedMemory(capacity);
    }

    /** Takes memory back that nobody looks at any more. */
    public synchronized void give(ByteBuffer memory) {
        int capacity = memory.capacity();
        if (capacity > 0 && kept + capacity <= limit) {
            free.computeIfAbsent(capacity, size -> new ArrayDeque<>()).addLast(memory);
            kept += capacity;
        }
    }

    /** Bytes that are kept. */
    synchronized long kept() {
        return kept;
    }
}
