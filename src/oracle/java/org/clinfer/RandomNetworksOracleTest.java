package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Networks drawn at random give what ONNX Runtime computes, wherever they run. {@code -Dnetworks=1000 -Dseed=5000} looks at
 * other ones, {@code -Dfamilies=8,9} at some families alone, and {@code -Dplaces=cpu} at many in little time. What may
 * differ, and by which rule, is in docs/semantics.md, "Disagreements with ONNX Runtime".
 */
@RequiresOpenCl
class RandomNetworksOracleTest {

    private static final long SEED = Long.getLong("seed", 1);
    private static final int NETWORKS = Integer.getInteger("networks", RandomNetworks.FAMILIES);

    private static final Set<Integer> FAMILIES = Stream.of(
                    System.getProperty("families", "0,1,2,3,4,5,6,7,8,9,10,11,12,13")
                            .split(","))
            .map(Integer::valueOf)
            .collect(Collectors.toUnmodifiableSet());

    /** Of the codes, so many lie so near to a tie that they may be other ones. */
    private static final double MOST_OTHER_CODES = 1e-3;

    @TempDir
    private Path folder;

    @Test
    void agree() throws OrtException, IOException {
        List<String> differences = new ArrayList<>();
        try (NetworkPeers peers = new NetworkPeers(folder)) {
            for (long seed = SEED; seed < SEED + NETWORKS; seed++) {
                if (!FAMILIES.contains(RandomNetworks.family(seed))) {
                    continue;
                }
                for (String difference : differences(peers, seed)) {
                    differences.add("seed " + seed + ", " + difference);
                }
            }
            System.out.println(peers.codes());
            assertThat(differences).isEmpty();
            assertThat(peers.shareOfOtherCodes()).isLessThan(MOST_OTHER_CODES);
        }
    }

    private static List<String> differences(NetworkPeers peers, long seed) throws IOException {
        try {
            return peers.differences(RandomNetworks.of(seed, peers.saturates()));
        } catch (OrtException e) {
            return List.of("ONNX Runtime refuses: " + e.getMessage());
        }
    }
}
