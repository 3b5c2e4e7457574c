package org.clinfer.plan;

import java.util.List;
import java.util.Map;

/**
 * Where the values of one memory space live.
 *
 * @param chunkBytes size of each allocation
 * @param regions by the name of the value that owns the memory
 */
public record ArenaPlan(List<Long> chunkBytes, Map<String, Region> regions) {

    /** A part of a chunk, in bytes. */
    public record Region(int chunk, long offset, long bytes) {}

    public ArenaPlan {
        chunkBytes = List.copyOf(chunkBytes);
        regions = Map.copyOf(regions);
    }

    /** Bytes of all chunks together. */
    public long totalBytes() {
        return chunkBytes.stream().mapToLong(Long::longValue).sum();
    }
}
