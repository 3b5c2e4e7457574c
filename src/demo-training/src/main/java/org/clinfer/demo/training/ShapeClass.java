package org.clinfer.demo.training;

import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.Locale;

/** What a pixel can show; the ordinal is the class number, and each shape has an outline about the unit circle. */
enum ShapeClass {
    BACKGROUND,
    CIRCLE,
    SQUARE,
    TRIANGLE,
    STAR,
    HEART;

    private static final int STAR_POINTS = 5;
    private static final double STAR_INNER_RADIUS = 0.45;

    /** Name as written in the label file. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Outline of radius about 1 around the origin. */
    Shape outline() {
        return switch (this) {
            case BACKGROUND -> throw new IllegalStateException("the background has no outline");
            case CIRCLE -> new Ellipse2D.Double(-0.9, -0.9, 1.8, 1.8);
            case SQUARE -> new Rectangle2D.Double(-0.8, -0.8, 1.6, 1.6);
            case TRIANGLE -> polygon(3, 1.1, 1.1);
            case STAR -> polygon(2 * STAR_POINTS, 1.1, STAR_INNER_RADIUS);
            case HEART -> heart();
        };
    }

    /** Closed polygon whose corners alternate between two radii. */
    private static Shape polygon(int corners, double evenRadius, double oddRadius) {
        Path2D path = new Path2D.Double();
        for (int corner = 0; corner < corners; corner++) {
            double angle = 2 * Math.PI * corner / corners - Math.PI / 2;
            double radius = corner % 2 == 0 ? evenRadius : oddRadius;
            double x = radius * Math.cos(angle);
            double y = radius * Math.sin(angle);
            if (corner == 0) {
                path.moveTo(x, y);
            } else {
                path.lineTo(x, y);
            }
        }
        path.closePath();
        return path;
    }

    private static Shape heart() {
        Path2D path = new Path2D.Double();
        path.moveTo(0, -0.5);
        path.curveTo(-0.25, -1.15, -1.15, -1.05, -1.05, -0.3);
        path.curveTo(-1.0, 0.25, -0.35, 0.65, 0, 1.05);
        path.curveTo(0.35, 0.65, 1.0, 0.25, 1.05, -0.3);
        path.curveTo(1.15, -1.05, 0.25, -1.15, 0, -0.5);
        path.closePath();
        return path;
    }
}
