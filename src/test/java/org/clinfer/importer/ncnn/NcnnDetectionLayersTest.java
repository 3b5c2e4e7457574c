package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.ncnn.NcnnNet.same;
import static org.clinfer.importer.ncnn.NcnnNet.sigmoid;

import java.io.IOException;
import java.nio.file.Path;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Boxes of heads. */
class NcnnDetectionLayersTest {

    @TempDir
    Path folder;

    /** Two cells with two anchors: one box, one that overlaps it with a lower score, one elsewhere, and one below the least score. */
    @Test
    void boxesOfAHead() throws IOException {
        int parts = 7;
        float[] x = new float[2 * parts * 2];
        float[] scores = {3, 2, 1, -5};
        for (int box = 0; box < 2; box++) {
            for (int cell = 0; cell < 2; cell++) {
                int at = box * parts * 2 + cell;
                x[at + 4 * 2] = scores[box == 0 ? cell * 2 : cell * 2 + 1];
                x[at + 5 * 2] = -4;
                x[at + 6 * 2] = 2;
            }
        }
        NcnnNet net = NcnnNet.of(2, 1, 14)
                .layer(
                        "Yolov3DetectionOutput",
                        "0=2 1=2 2=0.2 3=0.4 -23304=6,9.0,9.0,8.0,6.0,8.0,5.0 -23305=2,1065353216,2.0 -23306=1,16.0");
        Tensor y = net.run(folder, x, 1, 14, 1, 2);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 6));
        double half = 8.0 / 32 / 2;
        double tall = 6.0 / 16 / 2;
        double[] confidence = new double[2];
        for (int i = 0; i < 2; i++) {
            confidence[i] = 1 / (1 + Math.exp(-scores[2 * i]) * (1 + Math.exp(-2)));
        }
        same(
                y,
                2,
                confidence[0],
                0.25 - half,
                0.5 - tall,
                0.25 + half,
                0.5 + tall,
                2,
                confidence[1],
                0.75 - half,
                0.5 - tall,
                0.75 + half,
                0.5 + tall);
    }

    /** Two heads with the same anchor, a size in cells; the classes of a box share its probability. */
    @Test
    void boxesOfHeadsWithSharedAnchors() throws IOException {
        float[] x = {0, 0, 0, 0, 1, 0, 0.5f, -1, 0.5f, 2, 1, 3, 2, -1};
        NcnnNet net = NcnnNet.of(1, 1, 14)
                .line("Slice parts 1 2 x a b -23300=2,7,-233")
                .line("YoloDetectionOutput l 2 1 a b y 0=2 1=1 2=0.2 3=0.7 -23304=2,0.5,0.25");
        Tensor y = net.run(folder, x, 1, 14, 1, 1);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 6));
        double wide = Math.exp(2) * 0.5 / 2;
        double tall = Math.exp(1) * 0.25 / 2;
        same(
                y,
                1,
                sigmoid(3) * sigmoid(3),
                sigmoid(-1) - wide,
                sigmoid(0.5) - tall,
                sigmoid(-1) + wide,
                sigmoid(0.5) + tall,
                2,
                sigmoid(1) * sigmoid(0.5),
                0.25,
                0.375,
                0.75,
                0.625);
    }
}
