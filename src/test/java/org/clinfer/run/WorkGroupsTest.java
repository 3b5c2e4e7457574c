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

    private static long[] sizes(long... global) {
        return Objects.requireNonNull(WorkGroups.usual(global, CPU));
    }

    @Test
    void itemsAreInGroupsOf32() {
        assertThat(sizes(32)).containsExactly(32);
        assertThat(sizes(256 * 63)).containsExactly(32);
        assertThat(sizes(256, 5, 3)).containsExactly(32, 1, 1);
        assertThat(sizes(32 * 4093)).containsExactly(32);
    }

    @Test
    void manyItemsAreInLargerGroupsThatDivideThem() {
        assertThat(sizes(256 * 64)).containsExactly(256);
        assertThat(sizes(256, 256, 1)).containsExactly(256, 1, 1);
        assertThat(sizes(1 << 20)).containsExactly(1024);
        assertThat(sizes(256 * 4097)).containsExactly(256);
    }

    @Test
    void fewItemsAreAlone() {
        assertThat(sizes(13, 7)).containsExactly(1, 1);
        assertThat(sizes(3, 4, 2)).containsExactly(1, 1, 1);
        assertThat(sizes(255)).containsExactly(1);
    }

    @Test
    void thereAreFewSizesForAllNumbersOfItems() {
        Set<Long> sizes = new HashSet<>();
        for (long items = 32; items <= 32 * 4096; items += 32) {
            long size = sizes(items)[0];
            assertThat(items % size).isZero();
            sizes.add(size);
        }
        assertThat(sizes).containsExactlyInAnyOrder(32L, 256L, 1024L);
    }

    @Test
    void driversChooseForOtherNumbersAndDevices() {
        assertThat(WorkGroups.usual(new long[] {300}, CPU)).isNull();
        assertThat(WorkGroups.usual(new long[] {32 * 4097}, CPU)).isNull();
        assertThat(WorkGroups.usual(new long[] {64}, device(DeviceFacts.Kind.GPU, 4096)))
                .isNull();
        assertThat(WorkGroups.usual(new long[] {64}, device(DeviceFacts.Kind.CPU, 256)))
                .isNull();
    }
}
