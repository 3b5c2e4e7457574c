package org.clinfer.run;

import java.util.Arrays;
import java.util.List;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.KernelLaunch;
import org.jspecify.annotations.Nullable;

/**
 * The sizes of work-groups. Drivers of processors build a kernel once more for each size, and choose one for each number of
 * work-items where none is given: PoCL built one kernel in up to 61 sizes. Here all launches whose description gives no size
 * have one of {@link #SIZES} that divides their first dimension, or single items where they are few; the driver chooses where
 * many items are in no whole groups.
 */
final class WorkGroups {

    private static final int[] SIZES = {1024, 256, 32};

    /** Groups that are left at least where they are larger than the smallest, so that all threads have the same share. */
    private static final long FEWEST_GROUPS = 64;

    /** More of the smallest groups take longer than the driver's choice: 1.6 times for a million items of PoCL. */
    private static final long MOST_GROUPS = 4096;

    /** Single items that take less time in groups of their own than another build would ever repay. */
    private static final long FEW_ITEMS = 256;

    private WorkGroups() {}

    /** The sizes of a launch's groups, or null for the driver's choice. */
    static long @Nullable [] of(KernelLaunch launch, DeviceFacts facts) {
        return launch.local().isEmpty() ? usual(longs(launch.global()), facts) : longs(launch.local());
    }

    static long @Nullable [] usual(long[] global, DeviceFacts facts) {
        if (facts.kind() != DeviceFacts.Kind.CPU || facts.limit("max_work_group_size", 1) < SIZES[0]) {
            return null;
        }
        long items = Arrays.stream(global).reduce(1, Math::multiplyExact);
        long[] sizes = new long[global.length];
        Arrays.fill(sizes, 1);
        for (int size : SIZES) {
            boolean smallest = size == SIZES[SIZES.length - 1];
            long groups = items / size;
            if (global[0] % size == 0 && (smallest ? groups <= MOST_GROUPS : groups >= FEWEST_GROUPS)) {
                sizes[0] = size;
                return sizes;
            }
        }
        return items <= FEW_ITEMS ? sizes : null;
    }

    static long[] longs(List<Long> sizes) {
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }
}
