package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.ncnn.NcnnNet.same;
import static org.clinfer.importer.ncnn.NcnnNet.unsupported;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prior boxes, and what a detector makes of them. */
class NcnnPriorBoxLayersTest {

    private static final Offset<Double> NEAR = Offset.offset(1e-6);

    private static final String SIZES =
            "-23300=2,2.0,3.5 -23301=2,4.0,5.0 -23302=2,2.0,3.0 3=0.1 4=0.2 5=0.3 6=0.4 7=1 8=1 13=0.5 ";

    @TempDir
    Path folder;

    /** A map of 3 x 4 of a picture of 6 x 8, whose sizes are known or open, given by blobs or by numbers. */
    @ParameterizedTest
    @ValueSource(strings = {"0=8 1=6 2=1|9=-233 10=-233 11=-233.0 12=-233.0", "|9=8 10=6 11=2.0 12=2.0"})
    void boxesOfSeveralSizes(String inputAndPicture) throws IOException {
        String[] parts = inputAndPicture.split("\\|", -1);
        NcnnNet net = new NcnnNet()
                .line("Input in 0 1 x " + parts[0])
                .line("Split s 1 2 x a b")
                .line("Pooling p 1 1 a map 0=0 1=2 2=2")
                .line("PriorBox l 2 1 map b y " + SIZES + parts[1]);
        Tensor y = net.run(folder, NcnnNet.random(1, 48), 1, 1, 6, 8);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 4 * 3 * 4 * 12));
        double[][] boxes = new double[12][];
        for (int i = 0; i < 2; i++) {
            double least = i == 0 ? 2 : 3.5;
            double middle = Math.sqrt(least * (i == 0 ? 4 : 5));
            boxes[6 * i] = new double[] {least, least};
            boxes[6 * i + 1] = new double[] {middle, middle};
            for (int ratio = 2; ratio < 4; ratio++) {
                double root = Math.sqrt(ratio);
                boxes[6 * i + 2 * ratio - 2] = new double[] {least * root, least / root};
                boxes[6 * i + 2 * ratio - 1] = new double[] {least / root, least * root};
            }
        }
        int at = 0;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 4; column++) {
                for (double[] box : boxes) {
                    double x = 2 * (column + 0.5);
                    double middle = 2 * (row + 0.5);
                    double[] corners = {
                        (x - box[0] / 2) / 8, (middle - box[1] / 2) / 6, (x + box[0] / 2) / 8, (middle + box[1] / 2) / 6
                    };
                    for (double corner : corners) {
                        assertThat(y.getDouble(at++)).isCloseTo(Math.max(0, Math.min(1, corner)), NEAR);
                    }
                }
            }
        }
        for (int i = 0; at < y.elements(); i++) {
            assertThat(y.getDouble(at++)).isCloseTo(0.1 * (i % 4 + 1), NEAR);
        }
    }

    /** Boxes as they are written, one of which overlaps a better one of its class, and one with too low a score. */
    @Test
    void detectionsByFallingScores() throws IOException {
        NcnnNet net = new NcnnNet()
                .line("Input a 0 1 loc 0=16")
                .line("Input b 0 1 conf 0=3 1=4")
                .line("Input c 0 1 priors 0=16 1=2")
                .line("DetectionOutput l 3 1 loc conf priors y 0=3 1=0.45 2=10 3=4 4=0.25");
        float[] priors = {
            0.0f, 0.0f, 0.4f, 0.2f, 0.0f, 0.0f, 0.4f, 0.22f, 0.5f, 0.5f, 0.9f, 0.9f, 0.1f, 0.6f, 0.2f, 0.8f,
            0.1f, 0.1f, 0.2f, 0.2f, 0.1f, 0.1f, 0.2f, 0.2f, 0.1f, 0.1f, 0.2f, 0.2f, 0.1f, 0.1f, 0.2f, 0.2f
        };
        float[] loc = new float[16];
        loc[8] = 1;
        loc[9] = -2;
        loc[10] = 0.5f;
        float[] conf = {
            0.1f, 0.6f, 0.3f, 0.4f, 0.5f, 0.1f, 0.1f, 0.0f, 0.9f, 0.5f, 0.2f, 0.24f,
        };
        Tensor y = net.output(
                folder,
                Map.of(
                        "loc", Tensor.of(loc, 1, 16),
                        "conf", Tensor.of(conf, 1, 4, 3),
                        "priors", Tensor.of(priors, 1, 2, 16)));
        assertThat(y.shape()).isEqualTo(Shape.of(1, 3, 6));
        double middleX = 0.7 + 0.1 * 0.4;
        double middleY = 0.7 - 2 * 0.1 * 0.4;
        double halfX = Math.exp(0.5 * 0.2) * 0.4 / 2;
        List<Double> best = List.of(middleX - halfX, middleY - 0.2, middleX + halfX, middleY + 0.2);
        same(
                y,
                2,
                0.9,
                best.get(0),
                best.get(1),
                best.get(2),
                best.get(3),
                1,
                0.6,
                0,
                0,
                0.4,
                0.2,
                2,
                0.3,
                0,
                0,
                0.4,
                0.2);
    }

    @Test
    void nothingFound() throws IOException {
        NcnnNet net = new NcnnNet()
                .line("Input a 0 1 loc 0=4")
                .line("Input b 0 1 conf 0=2")
                .line("Input c 0 1 priors 0=4 1=2")
                .line("DetectionOutput l 3 1 loc conf priors y 0=2");
        Tensor y = net.output(
                folder,
                Map.of(
                        "loc", Tensor.of(new float[4], 1, 4),
                        "conf", Tensor.of(new float[] {0.6f, 0.4f}, 1, 2),
                        "priors", Tensor.of(new float[8], 1, 2, 4)));
        assertThat(y.shape()).isEqualTo(Shape.of(1, 0, 6));
    }

    @Test
    void otherFrameworksFormsAreRefused() throws IOException {
        unsupported(
                folder,
                NcnnNet.of(8, 6, 1).layer("PriorBox", "-23300=1,2.0 9=-233 10=-233"),
                "PriorBox with no picture, as MXNet has it");
        unsupported(
                folder,
                new NcnnNet()
                        .line("Input a 0 1 loc 0=4")
                        .line("Input b 0 1 conf 0=2")
                        .line("Input c 0 1 priors 0=4 1=2")
                        .line("DetectionOutput l 3 1 loc conf priors y 0=-233"),
                "scores as MXNet has them");
        unsupported(
                folder,
                NcnnNet.of(8, 6, 1).layer("PriorBox", "-23300=1,2.0 9=8 10=-233"),
                "parameter 9: it and parameter 10 are not given together");
        unsupported(
                folder,
                NcnnNet.of(2_000_000_000, 2_000_000_000, 1)
                        .layer("PriorBox", "-23300=1,2.0 9=8 10=8 11=-233.0 12=-233.0"),
                "a map of 2000000000x2000000000 has too many boxes");
    }
}
