package org.clinfer.report.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The nodes in layers, and a bend for every layer that an edge passes. The edges of one node share their bends: an
 * edge runs with the longest one as far as it can.
 *
 * <p>Vertices are the nodes, by their indices, and behind them the bends.
 */
final class Layers {

    /** Gap between two nodes; a bend takes the smaller one on its sides. */
    private static final double NODE_GAP = 28;

    private static final double BEND_GAP = 14;

    /** With more bends than this the edges that would need further ones are not drawn. */
    private static final int MOST_BENDS = 200_000;

    /** The vertices of an edge, or of its last part. */
    record Path(int from, int to, List<Integer> vertices) {}

    private final int nodes;
    private final List<Integer> widths;
    private final List<Integer> layerOf = new ArrayList<>();
    private final List<List<Integer>> above = new ArrayList<>();
    private final List<List<Integer>> below = new ArrayList<>();
    private final List<Path> paths = new ArrayList<>();
    private int[][] order = {};

    private Layers(List<Integer> widths) {
        this.nodes = widths.size();
        this.widths = widths;
    }

    static Layers of(List<Integer> widths, List<LayeredLayout.Edge> edges) {
        Layers layers = new Layers(widths);
        List<SortedSet<Integer>> targets = new ArrayList<>();
        for (int node = 0; node < layers.nodes; node++) {
            targets.add(new TreeSet<>());
        }
        for (LayeredLayout.Edge edge : edges) {
            if (edge.from() < edge.to()) {
                targets.get(edge.from()).add(edge.to());
            }
        }
        layers.assign(targets);
        for (int node = 0; node < layers.nodes; node++) {
            layers.connect(node, targets.get(node));
        }
        layers.fill();
        return layers;
    }

    /** Every node as far up as its inputs allow; one with more outputs than inputs as far down as these allow. */
    private void assign(List<SortedSet<Integer>> targets) {
        int[] layer = new int[nodes];
        int[] inputs = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            for (int target : targets.get(node)) {
                layer[target] = Math.max(layer[target], layer[node] + 1);
                inputs[target]++;
            }
        }
        for (int node = nodes - 1; node >= 0; node--) {
            SortedSet<Integer> outputs = targets.get(node);
            if (outputs.size() > inputs[node]) {
                layer[node] =
                        outputs.stream().mapToInt(target -> layer[target]).min().orElse(1) - 1;
            }
        }
        int first = Arrays.stream(layer).min().orElse(0);
        for (int node = 0; node < nodes; node++) {
            add(layer[node] - first);
        }
    }

    private int add(int layer) {
        layerOf.add(layer);
        above.add(new ArrayList<>());
        below.add(new ArrayList<>());
        return layerOf.size() - 1;
    }

    private void join(int upper, int lower) {
        below.get(upper).add(lower);
        above.get(lower).add(upper);
    }

    private void connect(int node, SortedSet<Integer> targets) {
        if (targets.isEmpty()) {
            return;
        }
        int deepest = node;
        for (int target : targets) {
            deepest = layerOf.get(target) > layerOf.get(deepest) ? target : deepest;
        }
        int first = layerOf.get(node);
        List<Integer> trunk = new ArrayList<>(List.of(node));
        for (int layer = first + 1; layer < layerOf.get(deepest); layer++) {
            if (layerOf.size() - nodes >= MOST_BENDS) {
                return;
            }
            int bend = add(layer);
            join(trunk.get(trunk.size() - 1), bend);
            trunk.add(bend);
        }
        for (int target : targets) {
            int last = layerOf.get(target) - 1 - first;
            join(trunk.get(last), target);
            List<Integer> vertices = new ArrayList<>(trunk.subList(target == deepest ? 0 : last, last + 1));
            vertices.add(target);
            paths.add(new Path(node, target, vertices));
        }
    }

    private void fill() {
        int count = layerOf.stream().mapToInt(layer -> layer + 1).max().orElse(0);
        List<List<Integer>> filled = new ArrayList<>();
        for (int layer = 0; layer < count; layer++) {
            filled.add(new ArrayList<>());
        }
        for (int vertex = 0; vertex < layerOf.size(); vertex++) {
            filled.get(layerOf.get(vertex)).add(vertex);
        }
        order = filled.stream()
                .map(layer -> layer.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    int nodes() {
        return nodes;
    }

    int vertices() {
        return layerOf.size();
    }

    int count() {
        return order.length;
    }

    /** The vertices of a layer from left to right; writing into it changes their order. */
    int[] layer(int layer) {
        return order[layer];
    }

    int layerOf(int vertex) {
        return layerOf.get(vertex);
    }

    List<Integer> above(int vertex) {
        return above.get(vertex);
    }

    List<Integer> below(int vertex) {
        return below.get(vertex);
    }

    List<Path> paths() {
        return paths;
    }

    boolean isBend(int vertex) {
        return vertex >= nodes;
    }

    int width(int vertex) {
        return isBend(vertex) ? 0 : widths.get(vertex);
    }

    /** The least distance of the centres of two neighbours in a layer. */
    double distance(int left, int right) {
        double gap = (isBend(left) ? BEND_GAP : NODE_GAP) + (isBend(right) ? BEND_GAP : NODE_GAP);
        return (width(left) + width(right) + gap) / 2;
    }
}
