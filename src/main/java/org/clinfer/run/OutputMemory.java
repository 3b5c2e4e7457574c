package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Memory for the outputs of one plan. An output that the caller closes, having copied its elements, leaves its memory to
 * the next run, because pages of new memory cost more than a small network; one per output is kept. Thread-safe.
 */
final class OutputMemory {

    private final Map<String, ByteBuffer> spare = new ConcurrentHashMap<>();

    /** Memory for an output; its bytes are arbitrary. */
    ByteBuffer take(String output, TensorType type) {
        ByteBuffer memory = spare.remove(output);
        return memory != null ? memory : Tensor.allocate(type).bytes();
    }

    /** The output over memory from {@link #take}, which comes back when it is closed. */
    Tensor tensor(String output, TensorType type, ByteBuffer memory) {
        return Tensor.lend(type, memory, () -> spare.put(output, memory));
    }
}
