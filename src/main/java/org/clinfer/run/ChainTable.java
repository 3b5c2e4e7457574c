package org.clinfer.run;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.clinfer.kernel.ChainSource;
import org.clinfer.kernel.KernelArgument;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.TensorRef;
import org.clinfer.opencl.ClBuffer;

/** The launches of a chain as the interpreter of {@code common/chain.h} reads them. */
final class ChainTable {

    /** The unit in which the targets of pointers are counted. */
    private static final long UNIT = 64;

    private static final long LOCAL_ALIGNMENT = 128;

    private final ChainSource source;
    private final List<ClBuffer> pools = new ArrayList<>();
    private final List<int[]> launches = new ArrayList<>();
    private long localBytes = LOCAL_ALIGNMENT;

    /** @param source the program that is to read it */
    ChainTable(ChainSource source) {
        this.source = source;
    }

    /**
     * Adds a launch behind the others.
     *
     * @param buffers where the tensors of its node are
     */
    void add(KernelLaunch launch, Function<TensorRef, ClBuffer> buffers) {
        List<Integer> words = new ArrayList<>();
        words.add(source.number(launch));
        long items = 1;
        for (long size : launch.global()) {
            items *= size;
        }
        words.add(Math.toIntExact(items));
        for (int axis = 0; axis < 3; axis++) {
            words.add(
                    axis < launch.global().size()
                            ? Math.toIntExact(launch.global().get(axis))
                            : 1);
        }
        long local = 0;
        for (KernelArgument argument : launch.arguments().values()) {
            if (argument instanceof KernelArgument.Buffer buffer) {
                addPointer(words, buffers.apply(buffer.tensor()));
            } else if (argument instanceof KernelArgument.Scalar scalar) {
                addWords(words, scalar.bytes());
            } else if (argument instanceof KernelArgument.Local bytes) {
                words.add(Math.toIntExact(local));
                local += aligned(bytes.bytes());
            } else {
                words.add(-1);
                words.add(0);
            }
        }
        localBytes = Math.max(localBytes, local);
        launches.add(words.stream().mapToInt(Integer::intValue).toArray());
    }

    private void addPointer(List<Integer> words, ClBuffer buffer) {
        ClBuffer whole = buffer.whole();
        if (!pools.contains(whole)) {
            pools.add(whole);
        }
        if (buffer.offset() % UNIT != 0) {
            throw new IllegalStateException(buffer + " begins at byte " + buffer.offset() + " of its pool");
        }
        words.add(pools.indexOf(whole));
        words.add((int) (buffer.offset() / UNIT));
    }

    private static void addWords(List<Integer> words, ByteBuffer value) {
        ByteBuffer bytes = value.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            words.add(bytes.getInt());
        }
    }

    private static long aligned(long bytes) {
        return (bytes + LOCAL_ALIGNMENT - 1) / LOCAL_ALIGNMENT * LOCAL_ALIGNMENT;
    }

    int launches() {
        return launches.size();
    }

    /** The buffers in which everything lies. */
    List<ClBuffer> pools() {
        return pools;
    }

    /** Local memory of the launch that needs most. */
    long localBytes() {
        return localBytes;
    }

    /** The size of the table of some launches, in bytes. */
    static long bytes(List<KernelLaunch> launches) {
        return 4 * launches.stream().mapToLong(ChainTable::words).sum();
    }

    /** The words of a launch: its begin, its number, its sizes, its arguments. */
    private static long words(KernelLaunch launch) {
        return 6
                + launch.arguments().values().stream()
                        .mapToLong(argument -> argument instanceof KernelArgument.Scalar scalar
                                ? scalar.bytes().remaining() / 4
                                : argument instanceof KernelArgument.Local ? 1 : 2)
                        .sum();
    }

    /** The table, in direct memory. */
    ByteBuffer bytes() {
        int words = launches.size()
                + launches.stream().mapToInt(launch -> launch.length).sum();
        ByteBuffer bytes = ByteBuffer.allocateDirect(4 * words).order(ByteOrder.LITTLE_ENDIAN);
        int begin = launches.size();
        for (int[] launch : launches) {
            bytes.putInt(begin);
            begin += launch.length;
        }
        for (int[] launch : launches) {
            for (int word : launch) {
                bytes.putInt(word);
            }
        }
        return bytes.flip();
    }
}
