package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.opencl.RequiresOpenCl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Networks drawn at random give what ONNX Runtime computes, wherever they run. {@code -Dnetworks=1000 -Dseed=5000} looks at
 * other ones.
 */
@RequiresOpenCl
class RandomNetworksOracleTest {

    private static final long SEED = Long.getLong("seed", 1);
    private static final int NETWORKS = Integer.getInteger("networks", 16);

    @TempDir
    private Path folder;

    @Test
    void agree() throws OrtException, IOException {
        List<String> differences = new ArrayList<>();
        try (NetworkPeers peers = new NetworkPeers(folder)) {
            for (long seed = SEED; seed < SEED + NETWORKS; seed++) {
                for (String difference : peers.differences(RandomNetworks.of(seed))) {
                    differences.add("seed " + seed + ", " + difference);
                }
            }
        }
        assertThat(differences).isEmpty();
    }
}
