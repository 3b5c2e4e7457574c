package org.clinfer.plan;

import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.clinfer.tensor.Tensor;

/**
 * The limits of one memory space.
 *
 * @param alignment every value starts at a multiple of this, in bytes
 * @param chunkBytes the largest single allocation, in bytes
 * @param sharesHost whether it is a device's that uses the host's memory without a copy
 * @param costlyParts whether a launch takes the host longer where its arguments are parts of allocations that overlap
 * @param arrays operators that take values of blocked channels in arrays of floats, which Java's vectors read without a copy
 * @param margin bytes that are left free before and behind every value, so that it is seen what is written there
 */
public record MemoryLimits(
        long alignment, long chunkBytes, boolean sharesHost, boolean costlyParts, Set<String> arrays, long margin) {

    public MemoryLimits {
        arrays = Set.copyOf(arrays);
    }

    /** Memory without arrays. */
    public MemoryLimits(long alignment, long chunkBytes, boolean sharesHost, boolean costlyParts) {
        this(alignment, chunkBytes, sharesHost, costlyParts, Set.of(), 0);
    }

    private static final long CACHE_LINE = 64;
    private static final long PAGE = 4096;
    private static final long MARGIN = 16 * PAGE;

    /** Host memory: cache lines, and what one Java buffer can address. */
    public static MemoryLimits host() {
        return new MemoryLimits(CACHE_LINE, Tensor.MAX_BYTES, false, false);
    }

    /** Host memory in which these operators have their values in arrays. */
    public static MemoryLimits host(Set<String> arrays) {
        return new MemoryLimits(CACHE_LINE, Tensor.MAX_BYTES, false, false, arrays, 0);
    }

    /** This memory with margins around all values, which have all their elements there, and none in memory of the host's. */
    public MemoryLimits withMargins() {
        long margin = (MARGIN + alignment - 1) / alignment * alignment;
        return new MemoryLimits(alignment, chunkBytes, false, false, arrays, margin);
    }

    /**
     * A device's memory: sub-buffers must start at its base address alignment; where it does not say, at a page. Those of
     * GPUs cost: NVIDIA's driver took 20 to 150 µs for a launch with parts of an arena, of which values that live one after
     * the other have the same, and 6 µs with whole buffers (H200, driver 580).
     */
    public static MemoryLimits of(DeviceFacts facts) {
        long baseAlignment = facts.limit("mem_base_addr_align", 8 * PAGE) / 8;
        return new MemoryLimits(
                Math.max(baseAlignment, CACHE_LINE),
                facts.limit("max_mem_alloc_size", Tensor.MAX_BYTES),
                facts.limit("host_unified_memory", 0) != 0,
                facts.kind() == DeviceFacts.Kind.GPU);
    }
}
