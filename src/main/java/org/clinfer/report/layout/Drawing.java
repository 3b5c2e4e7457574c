package org.clinfer.report.layout;

import java.util.List;

/**
 * The layout of the drawing of a graph; all numbers are pixels at a scale of 1, from the top left corner.
 *
 * @param width of everything
 * @param height of everything
 * @param boxes one for each node, in the order in which they were given
 * @param routes one for each edge that goes forward
 */
public record Drawing(int width, int height, List<Box> boxes, List<Route> routes) {

    /** A node, by its top left corner. */
    public record Box(int x, int y, int width, int height) {}

    /**
     * The course of an edge. An edge that leaves a node beside a longer one begins where it parts from that.
     *
     * @param from the node it leaves
     * @param to the node it reaches, further down
     * @param points from top to bottom
     */
    public record Route(int from, int to, List<Point> points) {
        public Route {
            points = List.copyOf(points);
        }
    }

    /** A place. */
    public record Point(int x, int y) {}

    public Drawing {
        boxes = List.copyOf(boxes);
        routes = List.copyOf(routes);
    }
}
