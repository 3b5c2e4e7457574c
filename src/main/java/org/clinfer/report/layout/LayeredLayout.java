package org.clinfer.report.layout;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.report.layout.Drawing.Box;
import org.clinfer.report.layout.Drawing.Point;
import org.clinfer.report.layout.Drawing.Route;

/** Draws a graph from top to bottom: all edges go down, no node lies on another. */
public final class LayeredLayout {

    /** Height of every node. */
    public static final int NODE_HEIGHT = 44;

    private static final int MARGIN = 24;
    private static final int LEAST_GAP = 32;
    private static final int MOST_GAP = 150;
    /** The distance by which two layers are further apart for each pixel that an edge between them goes sideways. */
    private static final double GAP_PER_SLANT = 0.12;

    /** An edge from one node to another, by their indices. */
    public record Edge(int from, int to) {}

    private final Layers layers;
    private final double[] centres;
    private final int[] tops;

    private LayeredLayout(Layers layers) {
        this.layers = layers;
        this.centres = Coordinates.of(layers);
        this.tops = tops();
    }

    /**
     * Draws nodes of these widths.
     *
     * @param widths one for each node; the nodes are in an order in which every edge goes forward
     * @param edges what is not forward is left out; an edge may occur several times, and is drawn once
     */
    public static Drawing of(List<Integer> widths, List<Edge> edges) {
        Layers layers = Layers.of(widths, edges);
        Crossings.reduce(layers);
        return new LayeredLayout(layers).drawing();
    }

    private int[] tops() {
        int[] tops = new int[layers.count()];
        int y = MARGIN;
        for (int layer = 0; layer < tops.length; layer++) {
            tops[layer] = y;
            double slant = 0;
            for (int vertex : layers.layer(layer)) {
                for (int below : layers.below(vertex)) {
                    slant = Math.max(slant, Math.abs(centres[vertex] - centres[below]));
                }
            }
            y += NODE_HEIGHT + (int) Math.min(MOST_GAP, LEAST_GAP + slant * GAP_PER_SLANT);
        }
        return tops;
    }

    private Drawing drawing() {
        List<Box> boxes = new ArrayList<>();
        int right = 0;
        for (int node = 0; node < layers.nodes(); node++) {
            int width = layers.width(node);
            int x = x(node) - width / 2;
            boxes.add(new Box(x, top(node), width, NODE_HEIGHT));
            right = Math.max(right, x + width);
        }
        List<Route> routes = new ArrayList<>();
        for (Layers.Path path : layers.paths()) {
            List<Point> points = new ArrayList<>();
            int last = path.vertices().size() - 1;
            for (int i = 0; i <= last; i++) {
                int vertex = path.vertices().get(i);
                // A long edge crosses a layer upright, so that it touches nothing there.
                if (i == last || (i > 0 && layers.isBend(vertex))) {
                    points.add(new Point(x(vertex), top(vertex)));
                }
                if (i < last) {
                    points.add(new Point(x(vertex), top(vertex) + NODE_HEIGHT));
                }
                right = Math.max(right, x(vertex));
            }
            routes.add(new Route(path.from(), path.to(), points));
        }
        int bottom = tops.length == 0 ? MARGIN : tops[tops.length - 1] + NODE_HEIGHT + MARGIN;
        return new Drawing(right + MARGIN, bottom, boxes, routes);
    }

    private int x(int vertex) {
        return MARGIN + (int) Math.round(centres[vertex]);
    }

    private int top(int vertex) {
        return tops[layers.layerOf(vertex)];
    }
}
