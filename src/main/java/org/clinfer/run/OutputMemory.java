package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Memory for the outputs of the runs of one session. An output that the caller closes, having copied its elements, leaves its
 * memory to the next run, because pages of new memory cost more than a small network. Of each output there is one piece of
 * each magnitude, so that all lengths of an output that grows share a few. Thread-safe.
 */
final class OutputMemory {

    private final Map<Key, ByteBuffer> spare = new ConcurrentHashMap<>();

    /** @param bits the number of binary digits of the size in bytes */
    private record Key(String output, int bits) {

        static Key of(String output, long bytes) {
            return new Key(output, Long.SIZE - Long.numberOfLeadingZeros(bytes));
        }

        /** The largest size of the magnitude, in bytes. */
        long largest() {
            return Math.min((1L << bits) - 1, Tensor.MAX_BYTES);
        }
    }

    /** Memory for an output, from its position to its limit; the bytes are arbitrary. */
    ByteBuffer take(String output, TensorType type) {
        Key key = Key.of(output, type.bytes());
        ByteBuffer memory = spare.remove(key);
        if (memory == null) {
            return Tensor.allocate(type).bytes();
        }
        int bytes = Math.toIntExact(type.bytes());
        return memory.capacity() >= bytes
                ? memory.clear().limit(bytes)
                : Tensor.alignedMemory(Math.toIntExact(key.largest())).limit(bytes); // it grows, and will again
    }

    /** The output over memory from {@link #take}, which comes back when it is closed. */
    Tensor tensor(String output, TensorType type, ByteBuffer memory) {
        return Tensor.lend(type, memory, () -> giveBack(output, memory));
    }

    /** Gives memory of an output back that nothing reads or writes any more. */
    void giveBack(String output, ByteBuffer memory) {
        spare.put(Key.of(output, memory.remaining()), memory);
    }

    /** Forgets what no output has. */
    void clear() {
        spare.clear();
    }
}
