package org.clinfer.importer.tfjs;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.NeighbourFiles;

/** Weights in one sequence of bytes, which is cut into files (shards) wherever it is. */
final class WeightGroup {

    private final NeighbourFiles files;
    private final List<Shard> shards = new ArrayList<>();
    private long bytes;
    private boolean isMissing;

    private record Shard(String path, long start, long bytes) {}

    WeightGroup(NeighbourFiles files) {
        this.files = files;
    }

    /** Appends a file, by its path relative to the model's folder. */
    void add(String path, SourceRef source) {
        long size = files.size(path, source);
        shards.add(new Shard(path, bytes, size));
        bytes = Math.addExact(bytes, size);
    }

    /** Says that a file is not there. */
    void addMissing() {
        isMissing = true;
    }

    /** {@return whether a file is not there} */
    boolean isMissing() {
        return isMissing;
    }

    /** Length of the sequence, if all files are there. */
    long bytes() {
        return bytes;
    }

    /** A part of the sequence, which must be inside: a view of the file where one has it all, else a copy. */
    ByteBuffer read(long offset, int length, SourceRef source) {
        if (length == 0) {
            return ByteBuffer.allocateDirect(0);
        }
        int first = indexOf(offset);
        Shard shard = shards.get(first);
        long inside = offset - shard.start();
        if (length <= shard.bytes() - inside) {
            return files.bytes(shard.path(), inside, length, source);
        }
        ByteBuffer whole = ByteBuffer.allocateDirect(length);
        for (int index = first; whole.hasRemaining(); index++) {
            Shard part = shards.get(index);
            long begin = offset + whole.position() - part.start();
            whole.put(files.bytes(part.path(), begin, Math.min(part.bytes() - begin, whole.remaining()), source));
        }
        return whole.flip();
    }

    /** {@return whether elements that begin at an offset are aligned where {@link #read} leaves them} */
    boolean isAligned(long offset, int elementBytes) {
        return shards.isEmpty() || (offset - shards.get(indexOf(offset)).start()) % elementBytes == 0;
    }

    /** The shard that has the byte at an offset, or the last. */
    private int indexOf(long offset) {
        int low = 0;
        int high = shards.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            Shard shard = shards.get(middle);
            if (offset < shard.start() + shard.bytes()) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
