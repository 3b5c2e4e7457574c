package org.clinfer.run;

import java.util.Arrays;
import java.util.List;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.KernelLaunch;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of work-groups. Drivers of processors build a kernel once more for each size, and choose one for each number of
 * work-items where none is given: PoCL built one kernel in up to 61 sizes. Most kernels whose description gives no size have a
 * multiple of {@link #USUAL} items in their first dimension, which are taken in groups of that many, or of a few larger powers
 * of two where there are many; for others the driver chooses.
 */
final class WorkGroups {

    private static final long USUAL = 64;
    private static final long LARGEST = 1024;

    /** Groups that are left at least where they are made larger, so that all threads have the same share. */
    private static final long FEWEST_GROUPS = 64;

    private WorkGroups() {}

    /** The sizes of a launch's groups, or null for the driver's choice. */
    static long @Nullable [] of(KernelLaunch launch, DeviceFacts facts) {
        return launch.local().isEmpty() ? usual(longs(launch.global()), facts) : longs(launch.local());
    }

    static long @Nullable [] usual(long[] global, DeviceFacts facts) {
        long items = global[0];
        if (facts.kind() != DeviceFacts.Kind.CPU
                || items % USUAL != 0
                || facts.limit("max_work_group_size", 1) < LARGEST) {
            return null;
        }
        long all = Arrays.stream(global).reduce(1, Math::multiplyExact);
        long size = USUAL;
        while (size < LARGEST && items % (2 * size) == 0 && all / (2 * size) >= FEWEST_GROUPS) {
            size *= 2;
        }
        long[] sizes = new long[global.length];
        Arrays.fill(sizes, 1);
        sizes[0] = size;
        return sizes;
    }

    static long[] longs(List<Long> sizes) {
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }
}
