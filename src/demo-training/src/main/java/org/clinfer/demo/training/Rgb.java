package org.clinfer.demo.training;

import java.awt.Color;
import java.util.SplittableRandom;

/** A colour with real components, nominally 0 to 255. */
record Rgb(double red, double green, double blue) {

    static Rgb random(SplittableRandom random) {
        return new Rgb(random.nextInt(256), random.nextInt(256), random.nextInt(256));
    }

    /** A colour whose components differ from these by at most the given amount. */
    Rgb near(SplittableRandom random, double amount) {
        return new Rgb(
                red + random.nextDouble(-amount, amount),
                green + random.nextDouble(-amount, amount),
                blue + random.nextDouble(-amount, amount));
    }

    Rgb mix(Rgb other, double share) {
        return new Rgb(
                red + share * (other.red - red),
                green + share * (other.green - green),
                blue + share * (other.blue - blue));
    }

    double distance(Rgb other) {
        double r = red - other.red;
        double g = green - other.green;
        double b = blue - other.blue;
        return Math.sqrt(r * r + g * g + b * b);
    }

    /** Packed 0xRRGGBB, clamped to what 8 bits hold. */
    int packed() {
        return clamp(red) << 16 | clamp(green) << 8 | clamp(blue);
    }

    Color color() {
        return new Color(packed());
    }

    private static int clamp(double component) {
        return (int) Math.max(0, Math.min(255, Math.round(component)));
    }
}
