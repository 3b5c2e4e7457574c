package org.clinfer.demo.training;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.Paint;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Paints one scene: shapes of random class, size, turn and colour, partly over one another, on a random background. The
 * same size and seed always give the same scene.
 */
final class ScenePainter {

    private static final int PIXELS_PER_SHAPE = 4200;
    private static final int ATTEMPTS = 30;
    private static final double MIN_RADIUS = 11;
    private static final double MAX_RADIUS = 30;
    private static final double MIN_CONTRAST = 85;
    private static final double MIN_VISIBLE_SHARE = 0.65;
    private static final int MAX_NOISE = 14;
    private static final Color SHADOW = new Color(0, 0, 0, 70);

    private final int size;
    private final SplittableRandom random;
    private final Backdrop backdrop;
    private final BufferedImage picture;
    private final byte[] classes;
    private final int[] owners;
    private final List<Placed> placed = new ArrayList<>();

    /** A shape in the picture: its pixels when nothing covers it, and its colour. */
    private record Placed(int area, Rgb colour) {}

    private ScenePainter(int size, long seed) {
        this.size = size;
        this.random = new SplittableRandom(seed);
        this.backdrop = Backdrop.random(random, size);
        this.picture = new BufferedImage(size, size, BufferedImage.TYPE_INT_RGB);
        this.classes = new byte[size * size];
        this.owners = new int[size * size];
    }

    static Scene paint(int size, long seed) {
        return new ScenePainter(size, seed).paint();
    }

    private Scene paint() {
        backdrop.paint(picture);
        int shapes = 1 + random.nextInt(Math.max(1, 2 * size * size / PIXELS_PER_SHAPE));
        for (int attempt = 0; attempt < ATTEMPTS && placed.size() < shapes; attempt++) {
            tryShape();
        }
        addNoise(random.nextInt(MAX_NOISE + 1));
        return new Scene(picture, classes);
    }

    /** Places one more shape unless it would hide too much of an earlier one or blend into its surroundings. */
    private void tryShape() {
        ShapeClass[] all = ShapeClass.values();
        ShapeClass shapeClass = all[1 + random.nextInt(all.length - 1)];
        double radius = random.nextDouble(MIN_RADIUS, MAX_RADIUS);
        Shape shape = place(shapeClass, radius);
        Rgb colour = Rgb.random(random);
        boolean[] mask = mask(shape);
        if (!isDistinct(colour) || hidesTooMuch(mask)) {
            return;
        }
        draw(shape, radius, colour);
        placed.add(new Placed(count(mask), colour));
        for (int pixel = 0; pixel < mask.length; pixel++) {
            if (mask[pixel]) {
                classes[pixel] = (byte) shapeClass.ordinal();
                owners[pixel] = placed.size();
            }
        }
    }

    private Shape place(ShapeClass shapeClass, double radius) {
        double margin = radius * 0.6;
        AffineTransform transform = AffineTransform.getTranslateInstance(
                random.nextDouble(margin, size - margin), random.nextDouble(margin, size - margin));
        transform.rotate(random.nextDouble(2 * Math.PI));
        transform.scale(radius, radius * random.nextDouble(0.9, 1.1));
        return transform.createTransformedShape(shapeClass.outline());
    }

    private boolean isDistinct(Rgb colour) {
        return backdrop.distance(colour) >= MIN_CONTRAST
                && placed.stream().allMatch(other -> other.colour.distance(colour) >= MIN_CONTRAST);
    }

    private boolean hidesTooMuch(boolean[] mask) {
        int[] visible = new int[placed.size() + 1];
        for (int pixel = 0; pixel < mask.length; pixel++) {
            if (!mask[pixel]) {
                visible[owners[pixel]]++;
            }
        }
        for (int owner = 1; owner < visible.length; owner++) {
            if (visible[owner] < MIN_VISIBLE_SHARE * placed.get(owner - 1).area) {
                return true;
            }
        }
        return false;
    }

    private void draw(Shape shape, double radius, Rgb colour) {
        Graphics2D graphics = picture.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        if (random.nextInt(3) == 0) {
            graphics.setPaint(SHADOW);
            graphics.fill(AffineTransform.getTranslateInstance(2.5, 3).createTransformedShape(shape));
        }
        graphics.setPaint(fill(shape, radius, colour));
        graphics.fill(shape);
        if (random.nextInt(4) == 0) {
            graphics.setPaint(colour.mix(new Rgb(0, 0, 0), 0.5).color());
            graphics.clip(shape);
            graphics.setStroke(new BasicStroke(3));
            graphics.draw(shape);
        }
        graphics.dispose();
    }

    /** One colour, or a gradient from it to a related one. */
    private Paint fill(Shape shape, double radius, Rgb colour) {
        if (random.nextInt(3) == 0) {
            return colour.color();
        }
        double angle = random.nextDouble(2 * Math.PI);
        double x = shape.getBounds2D().getCenterX();
        double y = shape.getBounds2D().getCenterY();
        double dx = radius * Math.cos(angle);
        double dy = radius * Math.sin(angle);
        Rgb end = colour.near(random, 60);
        return new GradientPaint(
                (float) (x - dx), (float) (y - dy), colour.color(), (float) (x + dx), (float) (y + dy), end.color());
    }

    /** Pixels whose centre lies inside the shape. */
    private boolean[] mask(Shape shape) {
        boolean[] mask = new boolean[size * size];
        for (int pixel = 0; pixel < mask.length; pixel++) {
            mask[pixel] = shape.contains(pixel % size + 0.5, pixel / size + 0.5);
        }
        return mask;
    }

    private static int count(boolean[] mask) {
        int count = 0;
        for (boolean inside : mask) {
            count += inside ? 1 : 0;
        }
        return count;
    }

    private void addNoise(int amount) {
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                Color colour = new Color(picture.getRGB(x, y));
                Rgb rgb = new Rgb(colour.getRed(), colour.getGreen(), colour.getBlue());
                picture.setRGB(x, y, rgb.near(random, amount + 0.01).packed());
            }
        }
    }
}
