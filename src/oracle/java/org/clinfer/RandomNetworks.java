package org.clinfer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Draws networks: of pictures, of channels that lie last, of one and of three dimensions, of sequences, and tiny ones; with
 * control flow that data decide in some.
 */
final class RandomNetworks {

    private static final int FEWEST_NODES = 3;
    private static final int MOST_NODES = 25;

    /** So many steps may come to nothing, for each node that is wanted. */
    private static final int STEPS_A_NODE = 6;

    private static final List<Consumer<RandomNetwork>> PICTURES = steps(
            times(16, RandomWindows::convolution),
            times(4, RandomWindows::transposed),
            times(5, RandomWindows::pool),
            times(10, RandomElements::activation),
            times(6, RandomElements::channelwise),
            times(8, RandomElements::sum),
            times(3, RandomElements::broadcast),
            times(3, RandomElements::squeezeAndExcite),
            times(6, RandomMovements::concat),
            times(4, RandomMovements::split),
            times(3, RandomMovements::slice),
            times(4, RandomMovements::pad),
            times(2, RandomMovements::transpose),
            times(2, RandomMovements::reshape),
            times(2, RandomMovements::shuffle),
            times(3, RandomMovements::resize),
            times(2, RandomMovements::depthToSpace),
            times(1, RandomMovements::gather),
            times(4, RandomProducts::normalization),
            times(2, RandomProducts::linear),
            times(1, RandomProducts::product),
            times(2, RandomProducts::reduction),
            times(2, RandomFlow::branch),
            times(1, RandomFlow::loop),
            times(1, RandomFlow::scan));

    private static final List<Consumer<RandomNetwork>> CHANNELS_LAST = steps(
            times(20, RandomWindows::channelsLast),
            times(8, RandomElements::activation),
            times(8, RandomElements::sum),
            times(4, RandomElements::broadcast),
            times(4, RandomMovements::concat),
            times(3, RandomMovements::slice),
            times(3, RandomProducts::linear),
            times(3, RandomProducts::normalization),
            times(2, RandomProducts::reduction));

    private static final List<Consumer<RandomNetwork>> SEQUENCES = steps(
            times(10, RandomProducts::linear),
            times(6, RandomProducts::attention),
            times(8, RandomProducts::normalization),
            times(4, RandomProducts::reduction),
            times(2, RandomProducts::product),
            times(8, RandomElements::activation),
            times(8, RandomElements::sum),
            times(3, RandomElements::broadcast),
            times(3, RandomMovements::concat),
            times(2, RandomMovements::split),
            times(3, RandomMovements::slice),
            times(3, RandomMovements::transpose),
            times(3, RandomMovements::reshape),
            times(2, RandomMovements::gather),
            times(2, RandomWindows::convolution),
            times(3, RandomFlow::recurrent),
            times(3, RandomFlow::attentionOverPast),
            times(3, RandomFlow::branch),
            times(2, RandomFlow::loop),
            times(2, RandomFlow::scan));

    private RandomNetworks() {}

    /** The network of a seed. */
    static RandomNetwork of(long seed) {
        Random random = new Random(seed);
        long batch = 1L + random.nextInt(3);
        return switch (Math.floorMod(seed, 8)) {
            case 0 -> filled(random, CHANNELS_LAST, batch, size(random, 24), size(random, 24), channels(random));
            case 1 -> filled(random, PICTURES, batch, channels(random), size(random, 60));
            case 2 ->
                filled(random, PICTURES, batch, size(random, 8), size(random, 7), size(random, 9), size(random, 9));
            case 3, 4 -> filled(random, SEQUENCES, batch, size(random, 40), 4L * size(random, 16));
            case 5 -> filled(random, PICTURES, batch, 1 + random.nextInt(256), size(random, 4), size(random, 4));
            default -> filled(random, PICTURES, batch, channels(random), size(random, 28), size(random, 28));
        };
    }

    private static long channels(Random random) {
        return List.of(1, 3, 3, 4, 16, 32, 48).get(random.nextInt(7));
    }

    private static long size(Random random, int most) {
        return 1L + random.nextInt(most);
    }

    private static RandomNetwork filled(Random random, List<Consumer<RandomNetwork>> steps, long... sizes) {
        RandomNetwork network = new RandomNetwork(random, sizes);
        int nodes = network.between(FEWEST_NODES, MOST_NODES);
        for (int i = 0; i < STEPS_A_NODE * nodes && network.nodes() < nodes; i++) {
            network.one(steps).accept(network);
        }
        if (network.nodes() == 0) {
            RandomElements.activation(network);
        }
        return network;
    }

    private static List<Consumer<RandomNetwork>> times(int count, Consumer<RandomNetwork> step) {
        return Collections.nCopies(count, step);
    }

    @SafeVarargs
    private static List<Consumer<RandomNetwork>> steps(List<Consumer<RandomNetwork>>... shares) {
        List<Consumer<RandomNetwork>> all = new ArrayList<>();
        for (List<Consumer<RandomNetwork>> share : shares) {
            all.addAll(share);
        }
        return List.copyOf(all);
    }
}
