package org.clinfer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.junit.jupiter.api.Test;

/** A processor's kernel is built for few sizes of groups, whatever the number of items. */
class WorkGroupsTest {

    private static DeviceFacts device(DeviceFacts.Kind kind, long largest) {
        return new DeviceFacts("one", "some", "1", "CL", "3.0", kind, Set.of(), Map.of("max_work_group_size", largest));
    }

    private static final DeviceFacts CPU = device(DeviceFacts.Kind.CPU, 4096);

    @Test
    void fewItemsAreInGroupsOf64() {
        assertThat(WorkGroups.usual(new long[] {64}, CPU)).containsExactly(64);
        assertThat(WorkGroups.usual(new long[] {64 * 63}, CPU)).containsExactly(64);
        assertThat(WorkGroups.usual(new long[] {256, 5, 3}, CPU)).containsExactly(64, 1, 1);
    }

    @Test
    void manyItemsAreInLargerGroupsThatDivideThem() {
        assertThat(WorkGroups.usual(new long[] {1 << 20}, CPU)).containsExactly(1024);
        assertThat(WorkGroups.usual(new long[] {64 * 4097}, CPU)).containsExactly(64);
        assertThat(WorkGroups.usual(new long[] {256, 256, 1}, CPU)).containsExactly(256, 1, 1);
    }

    @Test
    void thereAreFewSizesForAllNumbersOfItems() {
        Set<Long> sizes = new HashSet<>();
        for (long items = 64; items < 64 * 20_000; items += 64) {
            long size = Objects.requireNonNull(WorkGroups.usual(new long[] {items}, CPU))[0];
            assertThat(items % size).isZero();
            sizes.add(size);
        }
        assertThat(sizes).containsExactlyInAnyOrder(64L, 128L, 256L, 512L, 1024L);
    }

    @Test
    void driversChooseForOtherNumbersAndDevices() {
        assertThat(WorkGroups.usual(new long[] {100}, CPU)).isNull();
        assertThat(WorkGroups.usual(new long[] {64}, device(DeviceFacts.Kind.GPU, 4096)))
                .isNull();
        assertThat(WorkGroups.usual(new long[] {64}, device(DeviceFacts.Kind.CPU, 256)))
                .isNull();
    }
}
