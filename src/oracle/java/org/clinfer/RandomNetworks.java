package org.clinfer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Draws networks: of pictures, of channels that lie last, of one and of three dimensions, of sequences, and tiny ones; with
 * control flow that data decide in some; quantized ones as exporters write them, in pairs, with operators on codes and
 * dynamically; float16 ones; and detection heads.
 */
final class RandomNetworks {

    static final int FAMILIES = 14;

    private static final int FEWEST_NODES = 3;
    private static final int MOST_NODES = 25;

    /** So many steps may come to nothing, for each node that is wanted. */
    private static final int STEPS_A_NODE = 6;

    private static final List<Consumer<RandomNetwork>> PICTURES_WITHOUT_FLOW = steps(
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
            times(2, RandomProducts::reduction));

    private static final List<Consumer<RandomNetwork>> PICTURES = steps(
            PICTURES_WITHOUT_FLOW,
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

    private static final List<Consumer<RandomNetwork>> SEQUENCES_WITHOUT_FLOW = steps(
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
            times(3, RandomFlow::attentionOverPast));

    private static final List<Consumer<RandomNetwork>> SEQUENCES = steps(
            SEQUENCES_WITHOUT_FLOW,
            times(3, RandomFlow::branch),
            times(2, RandomFlow::loop),
            times(2, RandomFlow::scan));

    private RandomNetworks() {}

    /**
     * The network of a seed.
     *
     * @param reduced whether int8 weights have 7 bits, for a runtime whose products of bytes saturate
     */
    static RandomNetwork of(long seed, boolean reduced) {
        Random random = new Random(seed);
        long batch = 1L + random.nextInt(3);
        RandomExporter plain = new RandomExporter.Plain();
        return switch (family(seed)) {
            case 0 -> filled(random, plain, CHANNELS_LAST, batch, size(random, 24), size(random, 24), channels(random));
            case 1 -> filled(random, plain, PICTURES, batch, channels(random), size(random, 60));
            case 2 -> {
                long channels = size(random, 8);
                yield filled(
                        random, plain, PICTURES, batch, channels, size(random, 7), size(random, 9), size(random, 9));
            }
            case 3, 4 -> filled(random, plain, SEQUENCES, batch, size(random, 40), 4L * size(random, 16));
            case 5 -> {
                long channels = 1L + random.nextInt(256);
                yield filled(random, plain, PICTURES, batch, channels, size(random, 4), size(random, 4));
            }
            case 6, 7 -> picture(random, plain, PICTURES, batch);
            case 8 -> picture(random, new RandomPairs(reduced), PICTURES_WITHOUT_FLOW, batch);
            case 9 -> exported(random, new RandomPairs(reduced), batch);
            case 10 -> exported(random, new RandomIntegers(reduced), batch);
            case 11 -> exported(random, new RandomDynamic(reduced), batch);
            case 12 -> exported(random, new RandomHalves(), batch);
            default -> detection(random, batch);
        };
    }

    /**
     * What kind of network a seed gives: of float32 channels that lie last (0), one dimension (1), three (2), sequences (3,
     * 4), many channels (5) and pictures (6, 7); quantized in pairs (8, 9), with operators on codes (10) and dynamically
     * (11); of float16 (12); detection heads (13).
     */
    static int family(long seed) {
        return (int) Math.floorMod(seed, (long) FAMILIES);
    }

    /** A picture or a sequence. */
    private static RandomNetwork exported(Random random, RandomExporter exporter, long batch) {
        return random.nextInt(5) < 3
                ? picture(random, exporter, PICTURES_WITHOUT_FLOW, batch)
                : filled(random, exporter, SEQUENCES_WITHOUT_FLOW, batch, size(random, 40), 4L * size(random, 16));
    }

    private static RandomNetwork picture(
            Random random, RandomExporter exporter, List<Consumer<RandomNetwork>> steps, long batch) {
        return filled(random, exporter, steps, batch, channels(random), size(random, 28), size(random, 28));
    }

    private static RandomNetwork detection(Random random, long batch) {
        RandomNetwork network = new RandomNetwork(random, batch, channels(random), size(random, 24), size(random, 24));
        RandomDetections.fill(network);
        return network;
    }

    private static long channels(Random random) {
        return List.of(1, 3, 3, 4, 16, 32, 48).get(random.nextInt(7));
    }

    private static long size(Random random, int most) {
        return 1L + random.nextInt(most);
    }

    private static RandomNetwork filled(
            Random random, RandomExporter exporter, List<Consumer<RandomNetwork>> steps, long... sizes) {
        RandomNetwork network = new RandomNetwork(random, exporter, sizes);
        int nodes = exporter.nodesOfAStep() * network.between(FEWEST_NODES, MOST_NODES);
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
