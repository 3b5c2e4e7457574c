package org.clinfer.networks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the networks that are measured: {@code mvn -q process-test-classes -Pnetworks}, with
 * {@code -Dnetworks=resnet50,vgg19} some of them, with {@code -Dnetworks.folder=DIR} elsewhere than in
 * {@code target/networks}, with {@code -Dnetworks.normalizations=false} with BatchNormalization in the weights, and with
 * {@code -Dnetworks.batch=8} for that many images at once.
 */
final class WriteNetworks {

    private WriteNetworks() {}

    /** Takes the folder, whether BatchNormalization stays, the names with commas between, or {@code all}, and the batch. */
    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        boolean normalizations = Boolean.parseBoolean(args[1]);
        List<BenchmarkNetwork> networks = args[2].equals("all")
                ? List.of(BenchmarkNetwork.values())
                : Arrays.stream(args[2].split(",", -1))
                        .map(BenchmarkNetwork::of)
                        .toList();
        for (BenchmarkNetwork network : networks) {
            Form form = network.form().withNormalizations(normalizations).withBatch(Integer.parseInt(args[3]));
            System.out.println(network.write(folder, form).file());
        }
    }
}
