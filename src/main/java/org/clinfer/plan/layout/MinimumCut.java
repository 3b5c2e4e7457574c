package org.clinfer.plan.layout;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The cheapest way to divide the nodes of a network between two sides, found as a maximum flow by Dinic's algorithm
 * (Dinic, "Algorithm for solution of a problem of maximum flow in networks with power estimation", 1970).
 */
final class MinimumCut {

    /** A cost that is never paid: such an edge is not cut. */
    static final long NEVER = Long.MAX_VALUE / 4;

    static final int SOURCE = 0;
    static final int SINK = 1;

    private int nodes = 2;
    private int edges;
    private int[] targets = new int[64];
    private int[] next = new int[64];
    private long[] capacities = new long[64];
    private int[] heads = {-1, -1};

    /** Adds a node; its number. */
    int node() {
        if (nodes == heads.length) {
            heads = Arrays.copyOf(heads, 2 * nodes);
        }
        heads[nodes] = -1;
        return nodes++;
    }

    /** Lets it cost {@code price} if {@code from} is on the side of the source and {@code to} on that of the sink. */
    void edge(int from, int to, long price) {
        half(from, to, price);
        half(to, from, 0);
    }

    private void half(int from, int to, long capacity) {
        if (edges == targets.length) {
            targets = Arrays.copyOf(targets, 2 * edges);
            next = Arrays.copyOf(next, 2 * edges);
            capacities = Arrays.copyOf(capacities, 2 * edges);
        }
        targets[edges] = to;
        capacities[edges] = capacity;
        next[edges] = heads[from];
        heads[from] = edges++;
    }

    /** For each node whether it is on the source's side of a cheapest cut. */
    boolean[] sourceSide() {
        int[] levels = levels();
        while (levels[SINK] >= 0) {
            int[] at = Arrays.copyOf(heads, nodes);
            while (augment(levels, at)) {
                // until no path of this length is left
            }
            levels = levels();
        }
        boolean[] side = new boolean[nodes];
        for (int node = 0; node < nodes; node++) {
            side[node] = levels[node] >= 0;
        }
        return side;
    }

    /** Distances from the source along edges with capacity left; -1 where there is no way. */
    private int[] levels() {
        int[] levels = new int[nodes];
        Arrays.fill(levels, -1);
        levels[SOURCE] = 0;
        ArrayDeque<Integer> reached = new ArrayDeque<>();
        reached.add(SOURCE);
        while (!reached.isEmpty()) {
            int node = reached.remove();
            for (int edge = heads[node]; edge >= 0; edge = next[edge]) {
                if (capacities[edge] > 0 && levels[targets[edge]] < 0) {
                    levels[targets[edge]] = levels[node] + 1;
                    reached.add(targets[edge]);
                }
            }
        }
        return levels;
    }

    /** Sends flow along one path to the sink, each step one level further; whether there was one. Without recursion. */
    private boolean augment(int[] levels, int[] at) {
        int[] path = new int[nodes];
        int length = 0;
        int node = SOURCE;
        while (node != SINK) {
            int edge = at[node];
            if (edge < 0) {
                if (length == 0) {
                    return false;
                }
                levels[node] = -1;
                int back = path[--length];
                node = targets[back ^ 1];
                at[node] = next[at[node]];
            } else if (capacities[edge] > 0 && levels[targets[edge]] == levels[node] + 1) {
                path[length++] = edge;
                node = targets[edge];
            } else {
                at[node] = next[edge];
            }
        }
        long flow = Long.MAX_VALUE;
        for (int i = 0; i < length; i++) {
            flow = Math.min(flow, capacities[path[i]]);
        }
        for (int i = 0; i < length; i++) {
            capacities[path[i]] -= flow;
            capacities[path[i] ^ 1] += flow;
        }
        return true;
    }
}
