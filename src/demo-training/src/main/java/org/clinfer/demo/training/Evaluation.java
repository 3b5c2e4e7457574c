package org.clinfer.demo.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.Locale;

/** How often each true class was taken for which, counted in pixels. */
final class Evaluation {

    private final ShapeClass[] classes = ShapeClass.values();
    private final long[][] pixels = new long[classes.length][classes.length];

    /** Runs the network on scenes painted from consecutive seeds. */
    static Evaluation of(Network network, int size, long firstSeed, int scenes) {
        Evaluation evaluation = new Evaluation();
        for (long seed = firstSeed; seed < firstSeed + scenes; seed++) {
            Scene scene = ScenePainter.paint(size, seed);
            try (NDManager manager = network.newManager()) {
                NDArray images = Batch.of(manager, List.of(scene)).images();
                evaluation.count(
                        scene.classes(), network.scores(images).argMax(1).toLongArray());
            }
        }
        return evaluation;
    }

    void count(byte[] truth, long[] predicted) {
        for (int pixel = 0; pixel < truth.length; pixel++) {
            pixels[truth[pixel]][(int) predicted[pixel]]++;
        }
    }

    double pixelAccuracy() {
        long right = 0;
        long total = 0;
        for (int row = 0; row < pixels.length; row++) {
            right += pixels[row][row];
            for (long count : pixels[row]) {
                total += count;
            }
        }
        return (double) right / total;
    }

    /** Pixels rightly given a class over pixels that have it or were given it. */
    double intersectionOverUnion(int classNumber) {
        long union = -pixels[classNumber][classNumber];
        for (int other = 0; other < pixels.length; other++) {
            union += pixels[classNumber][other] + pixels[other][classNumber];
        }
        return (double) pixels[classNumber][classNumber] / union;
    }

    double meanIntersectionOverUnion() {
        double sum = 0;
        for (int classNumber = 0; classNumber < pixels.length; classNumber++) {
            sum += intersectionOverUnion(classNumber);
        }
        return sum / pixels.length;
    }

    String report() {
        StringBuilder report = new StringBuilder(String.format(
                Locale.ROOT, "pixel accuracy %.4f, mean IoU %.4f (", pixelAccuracy(), meanIntersectionOverUnion()));
        for (ShapeClass shapeClass : classes) {
            report.append(shapeClass.ordinal() == 0 ? "" : ", ")
                    .append(String.format(
                            Locale.ROOT, "%s %.3f", shapeClass.label(), intersectionOverUnion(shapeClass.ordinal())));
        }
        return report.append(')').toString();
    }
}
