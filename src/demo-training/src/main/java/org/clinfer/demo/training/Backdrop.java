package org.clinfer.demo.training;

import java.awt.image.BufferedImage;
import java.util.SplittableRandom;

/**
 * A background of two related colours, blended by a pattern.
 *
 * @param first colour where the pattern is 0
 * @param second colour where the pattern is 1
 * @param pattern value between 0 and 1 per pixel
 */
record Backdrop(Rgb first, Rgb second, Pattern pattern) {

    private static final double COLOUR_SPREAD = 80;
    private static final int KINDS = 5;

    /** A value between 0 and 1 for each pixel. */
    interface Pattern {
        double at(int x, int y);
    }

    static Backdrop random(SplittableRandom random, int size) {
        Rgb first = Rgb.random(random);
        return new Backdrop(first, first.near(random, COLOUR_SPREAD), pattern(random, size));
    }

    void paint(BufferedImage picture) {
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                picture.setRGB(x, y, first.mix(second, pattern.at(x, y)).packed());
            }
        }
    }

    /** Smallest distance of a colour to any colour of this background's two ends and middle. */
    double distance(Rgb colour) {
        double ends = Math.min(colour.distance(first), colour.distance(second));
        return Math.min(ends, colour.distance(first.mix(second, 0.5)));
    }

    private static Pattern pattern(SplittableRandom random, int size) {
        return switch (random.nextInt(KINDS)) {
            case 0 -> linear(random, size);
            case 1 -> radial(random, size);
            case 2 -> stripes(random);
            case 3 -> checks(random);
            default -> clouds(random, size);
        };
    }

    private static Pattern linear(SplittableRandom random, int size) {
        double angle = random.nextDouble(2 * Math.PI);
        double cos = Math.cos(angle) / size;
        double sin = Math.sin(angle) / size;
        double half = size / 2.0;
        return (x, y) -> Math.max(0, Math.min(1, 0.5 + (x - half) * cos + (y - half) * sin));
    }

    private static Pattern radial(SplittableRandom random, int size) {
        double centreX = random.nextDouble(size);
        double centreY = random.nextDouble(size);
        return (x, y) -> Math.min(1, Math.hypot(x - centreX, y - centreY) / size);
    }

    private static Pattern stripes(SplittableRandom random) {
        double angle = random.nextDouble(2 * Math.PI);
        double wave = 2 * Math.PI / random.nextDouble(6, 40);
        double cos = wave * Math.cos(angle);
        double sin = wave * Math.sin(angle);
        return (x, y) -> 0.5 + 0.5 * Math.sin(x * cos + y * sin);
    }

    private static Pattern checks(SplittableRandom random) {
        int cell = random.nextInt(6, 32);
        double contrast = random.nextDouble(0.2, 0.7);
        return (x, y) -> (x / cell + y / cell) % 2 * contrast;
    }

    /** Smooth noise: random values on a coarse grid, blended between its points. */
    private static Pattern clouds(SplittableRandom random, int size) {
        int cell = random.nextInt(5, 40);
        int points = size / cell + 2;
        double[][] grid = new double[points][points];
        for (double[] row : grid) {
            for (int column = 0; column < points; column++) {
                row[column] = random.nextDouble();
            }
        }
        return (x, y) -> {
            int column = x / cell;
            int row = y / cell;
            double right = smooth((double) (x % cell) / cell);
            double down = smooth((double) (y % cell) / cell);
            double above = grid[row][column] * (1 - right) + grid[row][column + 1] * right;
            double below = grid[row + 1][column] * (1 - right) + grid[row + 1][column + 1] * right;
            return above * (1 - down) + below * down;
        };
    }

    private static double smooth(double t) {
        return t * t * (3 - 2 * t);
    }
}
