package org.clinfer.cli.image;

import java.awt.image.BufferedImage;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.clinfer.image.Picture;
import org.clinfer.image.Resampling;
import org.clinfer.image.Segmentation;

/** A picture with each class in its colour on top, enlarged to be seen, and a legend below. */
public final class Overlay {

    private static final int WANTED_SIDE = 640;
    private static final int MARGIN = 8;
    private static final int FONT_SCALE = 2;
    private static final float OPACITY = 0.55f;
    private static final int BACKGROUND = 0x202020;

    /** One per class, repeated if there are more; the first, the background, is left clear. */
    private static final int[] COLOURS = {
        0x808080, 0xe6194b, 0x3cb44b, 0x4363d8, 0xf58231, 0x911eb4, 0x42d4f4, 0xf032e6, 0xbfef45, 0xffe119
    };

    private Overlay() {}

    /**
     * Paints the picture.
     *
     * @param picture of any size; brought to that of the segmentation
     * @param labels one per class
     */
    public static BufferedImage paint(Picture picture, Segmentation segmentation, List<String> labels) {
        Picture ground = picture.toRgb().resized(segmentation.width(), segmentation.height(), Resampling.ANTIALIASED);
        int zoom = Math.max(1, WANTED_SIDE / Math.max(ground.width(), ground.height()));
        double[] shares = segmentation.shares();
        int line = TinyFont.height(FONT_SCALE) + MARGIN;
        int rows = (int) Arrays.stream(shares).filter(share -> share > 0).count();
        int width = ground.width() * zoom;
        int height = ground.height() * zoom + rows * line + MARGIN;
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                boolean inPicture = y < ground.height() * zoom;
                image.setRGB(x, y, inPicture ? blend(ground, segmentation, x / zoom, y / zoom) : BACKGROUND);
            }
        }
        int top = ground.height() * zoom + MARGIN;
        for (int each = 0; each < shares.length; each++) {
            if (shares[each] > 0) {
                TinyFont.fill(image, MARGIN, top, TinyFont.height(FONT_SCALE), colour(each));
                String text = label(labels, each) + " " + percent(shares[each]);
                TinyFont.draw(image, text, MARGIN * 3 + FONT_SCALE, top, FONT_SCALE);
                top += line;
            }
        }
        return image;
    }

    /** The name of a class; its number if the list is too short. */
    public static String label(List<String> labels, int number) {
        return number < labels.size() ? labels.get(number) : "class " + number;
    }

    /** A share of 1 as {@code 12.5%}. */
    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", share * 100);
    }

    private static int colour(int number) {
        return COLOURS[number == 0 ? 0 : 1 + (number - 1) % (COLOURS.length - 1)];
    }

    /** The picture itself where there is background; elsewhere its brightness under the colour of the class. */
    private static int blend(Picture ground, Segmentation segmentation, int x, int y) {
        int number = segmentation.classOf()[y * segmentation.width() + x];
        int colour = colour(number);
        float brightness = (ground.value(x, y, 0) + ground.value(x, y, 1) + ground.value(x, y, 2)) / 3;
        int blended = 0;
        for (int channel = 0; channel < 3; channel++) {
            int tint = colour >> (16 - 8 * channel) & 0xff;
            float shown = number == 0 ? ground.value(x, y, channel) : brightness * (1 - OPACITY) + tint * OPACITY;
            int value = Math.round(shown);
            blended = blended << 8 | Math.max(0, Math.min(255, value));
        }
        return blended;
    }
}
