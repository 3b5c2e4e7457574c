package org.clinfer.cpu.call;

import java.nio.ByteBuffer;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Splits an output into chunks small enough for the first cache level, over several threads where it is large. */
public final class Chunks {

    /** Elements of one chunk at most. */
    public static final int SIZE = 2048;

    /** Elements below which a second thread does not pay. */
    public static final int GRAIN = 16384;

    /** Does the {@code count} elements from {@code from} on. */
    @FunctionalInterface
    public interface Body {
        void run(int from, int count);
    }

    private Chunks() {}

    /** Runs {@code body} over the chunks of {@code from … to - 1}, in order. */
    public static void forEach(int from, int to, Body body) {
        for (int start = from; start < to; start += SIZE) {
            body.run(start, Math.min(SIZE, to - start));
        }
    }

    /** Splits all elements of the output over the threads, into ranges that share no byte. */
    public static void overOutput(CpuCall call, Parallel.Body body) {
        Tensor output = call.output();
        int elements = Math.toIntExact(output.elements());
        DType dtype = output.dtype();
        if (!dtype.isPacked()) {
            call.parallel().forRange(elements, GRAIN, body);
            return;
        }
        ByteBuffer bytes = output.bytes();
        if (bytes.hasRemaining()) {
            bytes.put(bytes.limit() - 1, (byte) 0); // what follows the last element
        }
        int perByte = Byte.SIZE / dtype.bits();
        call.parallel()
                .forRange(
                        bytes.remaining(),
                        GRAIN / perByte,
                        (from, to) -> body.run(from * perByte, Math.min(elements, to * perByte)));
    }

    /** A grain for iterations of {@code elements} elements each. */
    public static int grain(long elements) {
        return (int) Math.max(1, GRAIN / Math.max(1, elements));
    }
}
