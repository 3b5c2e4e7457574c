package org.clinfer.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The layout of the values of one memory space in its allocations.
 *
 * @param chunkBytes size of each allocation
 * @param regions by the name of the value; those of values that are part of others lie in theirs
 * @param wholes for each value that is part of another: that one
 * @param arrays how many of the allocations, the last ones, are arrays of floats; the others are direct memory, or a device's
 */
public record ArenaPlan(List<Long> chunkBytes, Map<String, Region> regions, Map<String, String> wholes, int arrays) {

    ArenaPlan(List<Long> chunkBytes, Map<String, Region> regions) {
        this(chunkBytes, regions, Map.of(), 0);
    }

    /** This plan, and another of other values, whose allocations are arrays of floats. */
    ArenaPlan withArrays(ArenaPlan other) {
        List<Long> sizes = new ArrayList<>(chunkBytes);
        sizes.addAll(other.chunkBytes);
        Map<String, Region> all = new HashMap<>(regions);
        other.regions.forEach((value, region) ->
                all.put(value, new Region(chunkBytes.size() + region.chunk, region.offset, region.bytes)));
        return new ArenaPlan(sizes, all, wholes, other.chunkBytes.size());
    }

    /** This plan and more values, which lie in the regions of values that have them already. */
    ArenaPlan with(Map<String, Region> parts, Map<String, String> wholesOfParts) {
        Map<String, Region> all = new HashMap<>(regions);
        all.putAll(parts);
        return new ArenaPlan(chunkBytes, all, wholesOfParts, arrays);
    }

    /** The values of this plan without the margins that they were planned with. */
    ArenaPlan within(long margin) {
        Map<String, Region> inner = new HashMap<>();
        regions.forEach((value, region) ->
                inner.put(value, new Region(region.chunk, region.offset + margin, region.bytes - 2 * margin)));
        return new ArenaPlan(chunkBytes, inner, wholes, arrays);
    }

    /** A part of a chunk, in bytes. */
    public record Region(int chunk, long offset, long bytes) {}

    public ArenaPlan {
        chunkBytes = List.copyOf(chunkBytes);
        regions = Map.copyOf(regions);
        wholes = Map.copyOf(wholes);
    }

    /** Sizes of the allocations that are no arrays. */
    public List<Long> memoryBytes() {
        return chunkBytes.subList(0, chunkBytes.size() - arrays);
    }

    /** Sizes of the arrays, in bytes. */
    public List<Long> arrayBytes() {
        return chunkBytes.subList(chunkBytes.size() - arrays, chunkBytes.size());
    }

    /** {@return whether a value lies in an array} */
    public boolean isInArray(String value) {
        Region region = regions.get(value);
        return region != null && region.chunk >= chunkBytes.size() - arrays;
    }

    /** Bytes of all chunks together. */
    public long totalBytes() {
        return chunkBytes.stream().mapToLong(Long::longValue).sum();
    }
}
