package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prior boxes, and what a detector makes of them. */
class OpenVinoPriorBoxLayersTest {

    private static final Offset<Double> NEAR = Offset.offset(1e-6);

    @TempDir
    Path folder;

    /** Boxes of a map of 2 x 3 of a picture of 8 x 9, whose centres are so far apart. */
    private static void checkBoxes(Tensor y, double[] start, double[] step, boolean clip, double[]... boxes) {
        int at = 0;
        for (int row = 0; row < 2; row++) {
            for (int column = 0; column < 3; column++) {
                double x = start[0] + column * step[0];
                double middle = start[1] + row * step[1];
                for (double[] box : boxes) {
                    double[] corners = {
                        (x - box[0] / 2) / 9, (middle - box[1] / 2) / 8, (x + box[0] / 2) / 9, (middle + box[1] / 2) / 8
                    };
                    for (double corner : corners) {
                        double wanted = clip ? Math.max(0, Math.min(1, corner)) : corner;
                        assertThat(y.getDouble(at++)).isCloseTo(wanted, NEAR);
                    }
                }
            }
        }
        assertThat(y.elements()).isEqualTo(2L * at);
    }

    private static void checkVariances(Tensor y, double... variances) {
        for (long i = y.elements() / 2; i < y.elements(); i++) {
            assertThat(y.getDouble(i)).isCloseTo(variances[(int) i % variances.length], NEAR);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"step=0 offset=0.25", "step=2 offset=0.25"})
    void boxesOfRatios(String steps) throws IOException {
        IrNet net = new IrNet();
        Out y = net.add(
                "PriorBox",
                "min_size=2,3 max_size=4,5 aspect_ratio=2,1,2 flip=true clip=true variance=0.1,0.2,0.3,0.4 " + steps,
                "f32:2,192",
                net.longs(2, 3),
                net.longs(8, 9));
        Tensor boxes = net.results(y).run(folder);
        boolean stepped = steps.startsWith("step=2");
        double root = Math.sqrt(2);
        checkBoxes(
                boxes,
                stepped ? new double[] {0.5, 0.5} : new double[] {1.5, 2},
                stepped ? new double[] {2, 2} : new double[] {3, 4},
                true,
                new double[] {2, 2},
                new double[] {Math.sqrt(8), Math.sqrt(8)},
                new double[] {2 * root, 2 / root},
                new double[] {2 / root, 2 * root},
                new double[] {3, 3},
                new double[] {Math.sqrt(15), Math.sqrt(15)},
                new double[] {3 * root, 3 / root},
                new double[] {3 / root, 3 * root});
        checkVariances(boxes, 0.1, 0.2, 0.3, 0.4);
    }

    /** The sizes are those of a map and a picture, as exporters write it. */
    @Test
    void boxesOfPairsOfAMapsSize() throws IOException {
        IrNet net = new IrNet();
        Out picture = net.parameter("f32", "1,1,8,9");
        Out map = net.add(
                "AvgPool",
                "kernel=4,3 strides=4,3 pads_begin=0,0 pads_end=0,0 exclude-pad=true",
                "f32:1,1,2,3",
                picture);
        Out[] sizes = new Out[2];
        for (int i = 0; i < 2; i++) {
            Out shape = net.add("ShapeOf:opset3", "output_type=i64", "i64:4", i == 0 ? map : picture);
            sizes[i] = net.add(
                    "StridedSlice",
                    "begin_mask=0 end_mask=1 new_axis_mask=0 shrink_axis_mask=0 ellipsis_mask=0",
                    "i64:2",
                    shape,
                    net.longs(2),
                    net.longs(4),
                    net.longs(1));
        }
        Out y = net.add(
                "PriorBoxClustered", "width=2,4 height=3,1 offset=0.5 step_h=1 step_w=2 clip=false", "f32:2,48", sizes);
        Tensor boxes = net.results(y).run(folder, IrNet.random(1, 1, 1, 8, 9));
        checkBoxes(boxes, new double[] {1, 0.5}, new double[] {2, 1}, false, new double[] {2, 3}, new double[] {4, 1});
        checkVariances(boxes, 0.1);
    }

    /** Two pictures; boxes by classes, falling scores; the rows that are left begin with image -1. */
    @ParameterizedTest
    @ValueSource(strings = {"opset1", "opset8"})
    void detections(String opset) throws IOException {
        IrNet net = new IrNet();
        Out loc = net.parameter("f32", "2,12");
        Out conf = net.parameter("f32", "2,9");
        Out priors = net.floats(
                "1,2,12", 0, 0, 0.4f, 0.2f, 0, 0, 0.4f, 0.22f, 0.5f, 0.5f, 0.9f, 0.9f, 0.1f, 0.1f, 0.2f, 0.2f, 0.1f,
                0.1f, 0.2f, 0.2f, 0.1f, 0.1f, 0.2f, 0.2f);
        Out y = net.add(
                "DetectionOutput:" + opset,
                (opset.equals("opset1") ? "num_classes=3 " : "")
                        + "top_k=2 keep_top_k=4 nms_threshold=0.45 confidence_threshold=0.25 normalized=true "
                        + "code_type=caffe.PriorBoxParameter.CENTER_SIZE clip_after_nms=true",
                "f32:1,1,8,7",
                loc,
                conf,
                priors);
        float[] moved = new float[24];
        moved[8] = 3;
        float[] scores = {
            0.1f, 0.6f, 0.3f, 0.4f, 0.5f, 0.1f, 0.1f, 0.0f, 0.9f, 0.9f, 0.2f, 0, 0.9f, 0.3f, 0, 0.9f, 0.1f, 0.1f
        };
        Tensor found = net.results(y).run(folder, Tensor.of(moved, 2, 12), Tensor.of(scores, 2, 9));
        assertThat(found.shape()).isEqualTo(Shape.of(1, 1, 8, 7));
        double x = 0.7 + 3 * 0.1 * 0.4;
        double[][] rows = {
            {0, 1, 0.6, 0, 0, 0.4, 0.2},
            {0, 2, 0.9, x - 0.2, 0.5, 1, 0.9},
            {0, 2, 0.3, 0, 0, 0.4, 0.2},
            {1, 1, 0.3, 0, 0, 0.4, 0.22},
            {-1, 0, 0, 0, 0, 0, 0},
            {0, 0, 0, 0, 0, 0, 0},
            {0, 0, 0, 0, 0, 0, 0},
            {0, 0, 0, 0, 0, 0, 0}
        };
        for (int i = 0; i < 56; i++) {
            assertThat(found.getDouble(i)).as("row %s, column %s", i / 7, i % 7).isCloseTo(rows[i / 7][i % 7], NEAR);
        }
    }

    /** Without a limit there are as many rows as boxes and classes, the background's among them. */
    @Test
    void allDetections() throws IOException {
        IrNet net = new IrNet();
        Out loc = net.parameter("f32", "1,4");
        Out conf = net.parameter("f32", "1,2");
        Out y = net.add(
                "DetectionOutput",
                "num_classes=2 nms_threshold=0.5 normalized=1 variance_encoded_in_target=1",
                "f32:1,1,2,7",
                loc,
                conf,
                net.floats("1,1,4", 0.1f, 0.2f, 0.3f, 0.4f));
        Tensor found = net.results(y)
                .run(folder, Tensor.of(new float[] {0.5f, 0, 0, 0.1f}, 1, 4), Tensor.of(new float[] {0, 1}, 1, 2));
        List<Double> wanted = List.of(0.0, 1.0, 1.0, 0.6, 0.2, 0.3, 0.5, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        for (int i = 0; i < 14; i++) {
            assertThat(found.getDouble(i)).as("element %s", i).isCloseTo(wanted.get(i), NEAR);
        }
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /** Two boxes of two classes in each of two cells, whose classes share their probability, or do not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cells(boolean shared) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,14,1,2");
        Out y = net.add(
                "RegionYolo",
                "anchors=1,2,3,4,5,6 axis=1 end_axis=3 coords=4 classes=2 num=" + (shared ? 2 : 3)
                        + " mask=0,1 do_softmax=" + shared,
                shared ? "f32:2,28" : "f32:2,14,1,2",
                x);
        Tensor given = IrNet.random(1, 2, 14, 1, 2);
        Tensor cells = net.results(y).run(folder, given);
        assertThat(cells.shape()).isEqualTo(shared ? Shape.of(2, 28) : Shape.of(2, 14, 1, 2));
        for (int i = 0; i < 56; i++) {
            int part = i / 2 % 7;
            double value = given.getDouble(i);
            double other = part < 5 ? 0 : given.getDouble(i + (part == 5 ? 2 : -2));
            double wanted =
                    part == 2 || part == 3 ? value : shared && part > 4 ? sigmoid(value - other) : sigmoid(value);
            assertThat(cells.getDouble(i)).as("element %s", i).isCloseTo(wanted, NEAR);
        }
    }
}
