package org.clinfer.report.layout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Horizontal places: vertices are put into upright blocks with the middle ones of their neighbours, from the top and
 * from the bottom, from the left and from the right, and each vertex gets the mean of the middle two of its four
 * places. Long edges become upright.
 *
 * @see <a href="https://doi.org/10.1007/3-540-45848-4_3">Brandes, Köpf: Fast and Simple Horizontal Coordinate
 *     Assignment, 2001</a>
 */
final class Coordinates {

    private final Layers layers;
    private final Set<Long> conflicts = new HashSet<>();

    private Coordinates(Layers layers) {
        this.layers = layers;
        findConflicts();
    }

    /** The centre of every vertex; the left side of the leftmost is at 0. */
    static double[] of(Layers layers) {
        return new Coordinates(layers).balanced();
    }

    private double[] balanced() {
        List<double[]> four = new ArrayList<>();
        for (boolean down : new boolean[] {true, false}) {
            for (boolean left : new boolean[] {true, false}) {
                four.add(placed(down, left));
            }
        }
        double[] narrowest = four.stream()
                .min(Comparator.comparingDouble(places -> right(places) - left(places)))
                .orElseThrow();
        for (int i = 0; i < four.size(); i++) {
            double[] places = four.get(i);
            boolean fromLeft = i % 2 == 0;
            double shift = fromLeft ? left(narrowest) - left(places) : right(narrowest) - right(places);
            Arrays.setAll(places, vertex -> places[vertex] + shift);
        }
        double[] centres = new double[layers.vertices()];
        double[] single = new double[four.size()];
        for (int vertex = 0; vertex < centres.length; vertex++) {
            for (int i = 0; i < single.length; i++) {
                single[i] = four.get(i)[vertex];
            }
            Arrays.sort(single);
            centres[vertex] = (single[1] + single[2]) / 2;
        }
        double first = left(centres);
        Arrays.setAll(centres, vertex -> centres[vertex] - first);
        return centres;
    }

    private double left(double[] centres) {
        double left = Double.POSITIVE_INFINITY;
        for (int vertex = 0; vertex < centres.length; vertex++) {
            left = Math.min(left, centres[vertex] - layers.width(vertex) / 2.0);
        }
        return centres.length == 0 ? 0 : left;
    }

    private double right(double[] centres) {
        double right = Double.NEGATIVE_INFINITY;
        for (int vertex = 0; vertex < centres.length; vertex++) {
            right = Math.max(right, centres[vertex] + layers.width(vertex) / 2.0);
        }
        return centres.length == 0 ? 0 : right;
    }

    /** One of the four: blocks with the neighbours above or below, pushed to the left or to the right. */
    private double[] placed(boolean down, boolean left) {
        int[][] order = new int[layers.count()][];
        for (int i = 0; i < order.length; i++) {
            int[] layer = layers.layer(down ? i : order.length - 1 - i).clone();
            order[i] = left ? layer : reversed(layer);
        }
        int[] roots = roots(order, down);
        double[] places = compacted(order, roots);
        if (!left) {
            Arrays.setAll(places, vertex -> -places[vertex]);
        }
        return places;
    }

    private static int[] reversed(int[] layer) {
        int[] reversed = new int[layer.length];
        Arrays.setAll(reversed, i -> layer[layer.length - 1 - i]);
        return reversed;
    }

    /** The block of every vertex, by the first vertex of the block. */
    private int[] roots(int[][] order, boolean down) {
        int[] root = new int[layers.vertices()];
        int[] place = new int[layers.vertices()];
        boolean[] isContinued = new boolean[layers.vertices()];
        for (int[] layer : order) {
            for (int i = 0; i < layer.length; i++) {
                root[layer[i]] = layer[i];
                place[layer[i]] = i;
            }
        }
        for (int[] layer : order) {
            int taken = -1;
            for (int vertex : layer) {
                List<Integer> neighbours = new ArrayList<>(down ? layers.above(vertex) : layers.below(vertex));
                neighbours.sort(Comparator.comparingInt(neighbour -> place[neighbour]));
                int size = neighbours.size();
                for (int i = (size - 1) / 2; size > 0 && i <= size / 2; i++) {
                    int middle = neighbours.get(i);
                    boolean isFree = root[vertex] == vertex && !isContinued[middle] && place[middle] > taken;
                    if (isFree && !conflicts.contains(key(vertex, middle))) {
                        isContinued[middle] = true;
                        root[vertex] = root[middle];
                        taken = place[middle];
                    }
                }
            }
        }
        return root;
    }

    /** The blocks as far to the left as their neighbours allow, and then back towards what is right of them. */
    private double[] compacted(int[][] order, int[] root) {
        int count = layers.vertices();
        List<List<Gap>> rightOf = new ArrayList<>();
        List<List<Gap>> leftOf = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rightOf.add(new ArrayList<>());
            leftOf.add(new ArrayList<>());
        }
        for (int[] layer : order) {
            for (int i = 1; i < layer.length; i++) {
                double distance = layers.distance(layer[i - 1], layer[i]);
                int left = root[layer[i - 1]];
                int right = root[layer[i]];
                rightOf.get(left).add(new Gap(right, distance));
                leftOf.get(right).add(new Gap(left, distance));
            }
        }
        double[] places = new double[count];
        int[] blocks = fromLeftToRight(root, leftOf, rightOf);
        for (int block : blocks) {
            for (Gap gap : leftOf.get(block)) {
                places[block] = Math.max(places[block], places[gap.block()] + gap.distance());
            }
        }
        for (int i = blocks.length - 1; i >= 0; i--) {
            int block = blocks[i];
            double most = Double.POSITIVE_INFINITY;
            for (Gap gap : rightOf.get(block)) {
                most = Math.min(most, places[gap.block()] - gap.distance());
            }
            places[block] = Double.isInfinite(most) ? places[block] : Math.max(places[block], most);
        }
        for (int vertex = 0; vertex < count; vertex++) {
            places[vertex] = places[root[vertex]];
        }
        return places;
    }

    /** A block beside another one, and how far from it. */
    private record Gap(int block, double distance) {}

    private static int[] fromLeftToRight(int[] root, List<List<Gap>> leftOf, List<List<Gap>> rightOf) {
        int[] waiting = new int[root.length];
        Deque<Integer> ready = new ArrayDeque<>();
        int count = 0;
        for (int vertex = 0; vertex < root.length; vertex++) {
            if (root[vertex] == vertex) {
                count++;
                waiting[vertex] = leftOf.get(vertex).size();
                if (waiting[vertex] == 0) {
                    ready.add(vertex);
                }
            }
        }
        int[] blocks = new int[count];
        int found = 0;
        while (!ready.isEmpty()) {
            int block = ready.remove();
            blocks[found++] = block;
            for (Gap gap : rightOf.get(block)) {
                if (--waiting[gap.block()] == 0) {
                    ready.add(gap.block());
                }
            }
        }
        if (found != count) {
            throw new IllegalStateException("blocks cross each other");
        }
        return blocks;
    }

    /** A long edge stays upright where a short one crosses it between two of its bends. */
    private void findConflicts() {
        int[] place = new int[layers.vertices()];
        for (int index = 0; index < layers.count(); index++) {
            int[] layer = layers.layer(index);
            for (int i = 0; i < layer.length; i++) {
                place[layer[i]] = i;
            }
        }
        for (int index = 1; index < layers.count(); index++) {
            int[] layer = layers.layer(index);
            int first = 0;
            int scanned = 0;
            for (int i = 0; i < layer.length; i++) {
                int bend = bendAbove(layer[i]);
                if (bend < 0 && i + 1 < layer.length) {
                    continue;
                }
                int last = bend < 0 ? layers.layer(index - 1).length : place[bend];
                for (; scanned <= i; scanned++) {
                    int vertex = layer[scanned];
                    for (int above : layers.above(vertex)) {
                        boolean crosses = place[above] < first || place[above] > last;
                        if (crosses && !(layers.isBend(above) && layers.isBend(vertex))) {
                            conflicts.add(key(above, vertex));
                        }
                    }
                }
                first = last;
            }
        }
    }

    private int bendAbove(int vertex) {
        if (layers.isBend(vertex)) {
            for (int above : layers.above(vertex)) {
                if (layers.isBend(above)) {
                    return above;
                }
            }
        }
        return -1;
    }

    private static long key(int one, int other) {
        return ((long) Math.min(one, other) << 32) | Math.max(one, other);
    }
}
