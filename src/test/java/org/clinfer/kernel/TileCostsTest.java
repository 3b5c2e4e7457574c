package org.clinfer.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.clinfer.costs.MachineCosts;
import org.clinfer.device.GpuFigures;
import org.junit.jupiter.api.Test;

/** What tiles cost on a GPU whose figures are known. */
class TileCostsTest {

    private static final MachineCosts.Tiles ANY = new MachineCosts.Tiles(
            List.of(128L, 32L),
            List.of(16L, 24L),
            List.of(20L, 24L),
            List.of(4L, 8L),
            List.of(132L, 94L),
            12,
            2_000_000,
            800_000,
            64);

    @Test
    void workIsWhatTakesLongerOfInstructionsAndLocalMemory() {
        // 128 products in a cycle; 16 products read 16 and 32 bytes
        GpuFigures fast = new GpuFigures(10, 1e9, 128, 1024, 65536, 65536, 255, 256, 1e12, 0, 1e-6);
        assertThat(TileCosts.of(ANY, fast).convolutionWork()).containsExactly(16L, 24L);
        GpuFigures slow = new GpuFigures(10, 1e9, 128, 1024, 65536, 65536, 255, 64, 1e12, 0, 1e-6);
        assertThat(TileCosts.of(ANY, slow).convolutionWork()).containsExactly(32L, 64L);
        assertThat(TileCosts.of(ANY, slow).productWork()).containsExactly(32L, 64L);
    }

    @Test
    void bytesAndLaunchesAreCountedInWhatTheDeviceDoesMeanwhile() {
        GpuFigures gpu = new GpuFigures(10, 1e9, 100, 1024, 65536, 65536, 255, 400, 5e10, 0, 2e-6);
        MachineCosts.Tiles costs = TileCosts.of(ANY, gpu);
        assertThat(costs.byteOperations()).isEqualTo(40);
        assertThat(costs.splitElementMultiplyAdds()).isEqualTo(160);
        assertThat(costs.splitMultiplyAdds()).isEqualTo(200_000);
        assertThat(costs.launchOperations()).isEqualTo(400_000);
        assertThat(costs.sizes()).isEqualTo(ANY.sizes());
    }

    @Test
    void aTileForWhichRegistersDoNotSufficeTakesFourTimesAsLong() {
        GpuFigures few = new GpuFigures(10, 1e9, 128, 1024, 65536, 65536, 128, 256, 1e12, 0, 1e-6);
        assertThat(TileCosts.of(ANY, few).convolutionWork()).containsExactly(64L, 24L);
        assertThat(TileCosts.of(ANY, few).productWork()).containsExactly(80L, 24L);
    }
}
