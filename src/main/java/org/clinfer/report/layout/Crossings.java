package org.clinfer.report.layout;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Orders the vertices of each layer so that few edges cross: each goes to the mean place of its neighbours in the layer
 * before, layers from top to bottom and back, and then neighbours change places where that helps.
 */
final class Crossings {

    private static final int SWEEPS = 16;
    private static final int SWEEPS_WITHOUT_GAIN = 4;
    private static final int SWAP_ROUNDS = 6;

    private final Layers layers;
    private final int[] place;

    private Crossings(Layers layers) {
        this.layers = layers;
        this.place = new int[layers.vertices()];
        for (int layer = 0; layer < layers.count(); layer++) {
            number(layers.layer(layer));
        }
    }

    static void reduce(Layers layers) {
        new Crossings(layers).reduce();
    }

    /** The number of pairs of edges that cross in the order as it is. */
    static long count(Layers layers) {
        return new Crossings(layers).count();
    }

    private void number(int[] layer) {
        for (int i = 0; i < layer.length; i++) {
            place[layer[i]] = i;
        }
    }

    private void reduce() {
        int[][] best = copy();
        long fewest = count();
        int withoutGain = 0;
        for (int sweep = 0; sweep < SWEEPS && fewest > 0 && withoutGain < SWEEPS_WITHOUT_GAIN; sweep++) {
            boolean down = sweep % 2 == 0;
            for (int i = 1; i < layers.count(); i++) {
                sort(down ? i : layers.count() - 1 - i, down);
            }
            swapNeighbours();
            long now = count();
            withoutGain++;
            if (now < fewest) {
                fewest = now;
                best = copy();
                withoutGain = 0;
            }
        }
        for (int layer = 0; layer < best.length; layer++) {
            System.arraycopy(best[layer], 0, layers.layer(layer), 0, best[layer].length);
        }
    }

    private int[][] copy() {
        return IntStream.range(0, layers.count())
                .mapToObj(layer -> layers.layer(layer).clone())
                .toArray(int[][]::new);
    }

    private void sort(int index, boolean down) {
        int[] layer = layers.layer(index);
        double[] wanted = new double[layer.length];
        for (int i = 0; i < layer.length; i++) {
            List<Integer> fixed = down ? layers.above(layer[i]) : layers.below(layer[i]);
            wanted[i] =
                    fixed.stream().mapToInt(vertex -> place[vertex]).average().orElse(Double.NaN);
        }
        // What has no neighbours there stays beside what it was beside.
        double last = -1;
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = Double.isNaN(wanted[i]) ? last : wanted[i];
            last = wanted[i];
        }
        int[] sorted = IntStream.range(0, layer.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> wanted[i]))
                .mapToInt(i -> layer[i])
                .toArray();
        System.arraycopy(sorted, 0, layer, 0, layer.length);
        number(layer);
    }

    private void swapNeighbours() {
        boolean changed = true;
        for (int round = 0; changed && round < SWAP_ROUNDS; round++) {
            changed = false;
            for (int index = 0; index < layers.count(); index++) {
                int[] layer = layers.layer(index);
                for (int i = 0; i + 1 < layer.length; i++) {
                    int left = layer[i];
                    int right = layer[i + 1];
                    if (crossings(left, right) > crossings(right, left)) {
                        layer[i] = right;
                        layer[i + 1] = left;
                        place[right] = i;
                        place[left] = i + 1;
                        changed = true;
                    }
                }
            }
        }
    }

    /** Crossings of the edges of two vertices if one is left of the other. */
    private long crossings(int left, int right) {
        return crossings(layers.above(left), layers.above(right)) + crossings(layers.below(left), layers.below(right));
    }

    private long crossings(List<Integer> ofLeft, List<Integer> ofRight) {
        int[] left = ofLeft.stream().mapToInt(vertex -> place[vertex]).sorted().toArray();
        int[] right =
                ofRight.stream().mapToInt(vertex -> place[vertex]).sorted().toArray();
        long crossings = 0;
        int before = 0;
        for (int each : left) {
            while (before < right.length && right[before] < each) {
                before++;
            }
            crossings += before;
        }
        return crossings;
    }

    private long count() {
        long crossings = 0;
        for (int index = 0; index + 1 < layers.count(); index++) {
            // Counts, for each edge from left to right, those before it that end further right.
            int width = layers.layer(index + 1).length;
            long[] tree = new long[width + 1];
            long seen = 0;
            for (int upper : layers.layer(index)) {
                int[] ends = layers.below(upper).stream()
                        .mapToInt(vertex -> place[vertex])
                        .toArray();
                Arrays.sort(ends);
                for (int end : ends) {
                    crossings += seen - sum(tree, end + 1);
                }
                for (int end : ends) {
                    add(tree, end + 1);
                    seen++;
                }
            }
        }
        return crossings;
    }

    private static void add(long[] tree, int index) {
        for (int i = index; i < tree.length; i += i & -i) {
            tree[i]++;
        }
    }

    private static long sum(long[] tree, int index) {
        long sum = 0;
        for (int i = index; i > 0; i -= i & -i) {
            sum += tree[i];
        }
        return sum;
    }
}
