package org.clinfer.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of the values of one memory space in its allocations.
 *
 * @param chunkBytes size of each allocation
 * @param regions by the name of the value; those of values that are part of others lie in theirs
 * @param wholes for each value that is part of another: that one
 */
public record ArenaPlan(List<Long> chunkBytes, Map<String, Region> regions, Map<String, String> wholes) {

    ArenaPlan(List<Long> chunkBytes, Map<String, Region> regions) {
        this(chunkBytes, regions, Map.of());
    }

    /** This plan and more values, which lie in the regions of values that have them already. */
    ArenaPlan with(Map<String, Region> parts, Map<String, String> wholesOfParts) {
        Map<String, Region> all = new HashMap<>(regions);
        all.putAll(parts);
        return new ArenaPlan(chunkBytes, all, wholesOfParts);
    }

    /** A part of a chunk, in bytes. */
    public record Region(int chunk, long offset, long bytes) {}

    public ArenaPlan {
        chunkBytes = List.copyOf(chunkBytes);
        regions = Map.copyOf(regions);
        wholes = Map.copyOf(wholes);
    }

    /** Bytes of all chunks together. */
    public long totalBytes() {
        return chunkBytes.stream().mapToLong(Long::longValue).sum();
    }
}
