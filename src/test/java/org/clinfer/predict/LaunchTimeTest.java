package org.clinfer.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import org.clinfer.device.GpuFigures;
import org.junit.jupiter.api.Test;

/** Times of launches, computed by hand for a GPU of 10 units at 1 GHz. */
class LaunchTimeTest {

    /** Units of 64 products a cycle, 1024 work-items and 64 KiB; local memory of 32 bytes a cycle; 100 GB/s; 1 us; 5 us. */
    private static final GpuFigures GPU = new GpuFigures(10, 1e9, 64, 1024, 65536, 32768, 128, 32, 1e11, 1e-6, 5e-6);

    private static final double NANO = 1e-9;

    /** Groups of 64 work-items that each do some products. */
    private static LaunchWork work(long groups, double products, double readBytes, long rounds, long moved) {
        return new LaunchWork(groups, 64, products, readBytes, rounds, 0, moved, Optional.empty());
    }

    @Test
    void theUnitWithMostGroupsDecidesOnProducts() {
        // 3 groups on some unit, each 64000 products at 64 a cycle
        LaunchTime time = LaunchTime.of(work(21, 64_000, 0, 0, 0), GPU);
        assertThat(time.productSeconds()).isCloseTo(3000 * NANO, within(NANO / 1e3));
        assertThat(time.seconds()).isCloseTo(8000 * NANO, within(NANO / 1e3));
        assertThat(time.bound()).isEqualTo(LaunchTime.Part.LAUNCH);
        assertThat(LaunchTime.of(work(20, 64_000, 0, 0, 0), GPU).productSeconds())
                .isCloseTo(2000 * NANO, within(NANO / 1e3));
    }

    @Test
    void fewWorkItemsLeaveAPartOfTheUnitIdle() {
        LaunchWork half = new LaunchWork(10, 32, 64_000, 0, 0, 0, 0, Optional.empty());
        assertThat(LaunchTime.of(half, GPU).productSeconds()).isCloseTo(2000 * NANO, within(NANO / 1e3));
        LaunchWork two = new LaunchWork(20, 32, 64_000, 0, 0, 0, 0, Optional.empty());
        assertThat(LaunchTime.of(two, GPU).productSeconds()).isCloseTo(2000 * NANO, within(NANO / 1e3));
    }

    @Test
    void groupsThatDoNotFitTogetherRunOneAfterTheOther() {
        LaunchWork small = new LaunchWork(20, 32, 64_000, 0, 10, 40_000, 0, Optional.empty());
        LaunchTime time = LaunchTime.of(small, GPU);
        assertThat(time.productSeconds()).isCloseTo(4000 * NANO, within(NANO / 1e3));
        assertThat(time.latencySeconds()).isCloseTo(54_000 * NANO, within(NANO / 1e3));
        assertThat(time.bound()).isEqualTo(LaunchTime.Part.LATENCY);
        LaunchWork other = new LaunchWork(20, 32, 64_000, 0, 10, 30_000, 0, Optional.empty());
        assertThat(LaunchTime.of(other, GPU).latencySeconds()).isCloseTo(27_000 * NANO, within(NANO / 1e3));
    }

    /** 64 work-items of 94 registers are 6016: the unit holds 5 such groups. */
    @Test
    void registersDecideHowManyGroupsFit() {
        Optional<RegisterTile> tile = Optional.of(new RegisterTile(32, 32, 8, 8));
        assertThat(tile.get().registers()).isEqualTo(94);
        LaunchWork five = new LaunchWork(50, 64, 1024, 0, 10, 0, 0, tile);
        double alone = 1024 / 64 / 0.65;
        assertThat(LaunchTime.of(five, GPU).latencySeconds()).isCloseTo((25_000 + alone) * NANO, within(NANO / 1e3));
        LaunchWork six = new LaunchWork(60, 64, 1024, 0, 10, 0, 0, tile);
        assertThat(LaunchTime.of(six, GPU).latencySeconds()).isCloseTo(2 * (25_000 + alone) * NANO, within(NANO / 1e3));
    }

    @Test
    void aGroupWaitsAndThenMultiplies() {
        // two rounds of two and a half latencies, and 64000 products at 64 a cycle
        LaunchTime time = LaunchTime.of(work(10, 64_000, 0, 2, 0), GPU);
        assertThat(time.latencySeconds()).isCloseTo(6000 * NANO, within(NANO / 1e3));
        assertThat(time.kernelSeconds()).isEqualTo(time.latencySeconds());
    }

    @Test
    void tilesReachAShareOfTheRates() {
        LaunchWork tile = new LaunchWork(10, 64, 64_000, 2, 0, 0, 0, Optional.of(new RegisterTile(32, 32, 8, 8)));
        LaunchTime time = LaunchTime.of(tile, GPU);
        assertThat(time.productSeconds()).isCloseTo(1000 / 0.65 * NANO, within(NANO / 1e3));
        assertThat(time.localSeconds()).isCloseTo(4000 / 0.65 * NANO, within(NANO / 1e3));
    }

    @Test
    void readsOfLocalMemoryTakeTheLongerTime() {
        // 2 bytes a product at 32 bytes a cycle: 16 products a cycle
        LaunchTime time = LaunchTime.of(work(10, 640_000, 2, 0, 0), GPU);
        assertThat(time.localSeconds()).isCloseTo(40_000 * NANO, within(NANO / 1e3));
        assertThat(time.computeSeconds()).isEqualTo(time.localSeconds());
        assertThat(time.bound()).isEqualTo(LaunchTime.Part.LOCAL_MEMORY);
    }

    @Test
    void bytesTakeWhatTheMemoryTakes() {
        LaunchTime time = LaunchTime.of(work(1000, 1, 0, 0, 1_000_000), GPU);
        assertThat(time.memorySeconds()).isCloseTo(10_000 * NANO, within(NANO / 1e3));
        assertThat(time.seconds()).isCloseTo(15_000 * NANO, within(NANO / 1e3));
        assertThat(time.bound()).isEqualTo(LaunchTime.Part.MEMORY);
    }
}
