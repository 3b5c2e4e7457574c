package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers that choose elements, and sums over labels. */
class OpenVinoSelectionLayersTest {

    private static final Offset<Double> NEAR = Offset.offset(1e-5);

    @TempDir
    Path folder;

    /** Two places along the middle axis, the later of which counts where they are the same. */
    @Test
    void updatesAlongAnAxis() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,3,2");
        Out updates = net.floats("2,1,2,2", 20, 21, 22, 23, 24, 25, 26, 27);
        Out y = net.add("ScatterUpdate:opset3", "", "f32:2,3,2", x, net.longs("1,2", 2, 0), updates, net.whole(1));
        Tensor changed = net.results(y).run(folder, Tensor.of(new float[12], 2, 3, 2));
        assertThat(changed.toFloatArray()).containsExactly(22, 23, 0, 0, 20, 21, 26, 27, 0, 0, 24, 25);
    }

    /** Each batch has indices of its own, counted from the end where they are negative. */
    @Test
    void elementsOfBatches() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,3,2");
        Out y = net.add("Gather:opset8", "batch_dims=1", "f32:2,2,2", x, net.longs("2,2", 2, 0, 1, -1), net.whole(1));
        Tensor chosen =
                net.results(y).run(folder, Tensor.of(new float[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 2, 3, 2));
        assertThat(chosen.toFloatArray()).containsExactly(4, 5, 0, 1, 8, 9, 10, 11);
    }

    /** The axis is not the first one behind the batches: what is between stays in front of the indices' axes. */
    @Test
    void elementsOfBatchesAlongALaterAxis() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,2,3");
        Out y = net.add("Gather:opset8", "batch_dims=1", "f32:2,2,2", x, net.longs("2,2", 2, 0, 1, -1), net.whole(2));
        Tensor chosen =
                net.results(y).run(folder, Tensor.of(new float[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 2, 2, 3));
        assertThat(chosen.toFloatArray()).containsExactly(2, 0, 5, 3, 7, 8, 10, 11);
    }

    @Test
    void placesOfWhatIsNotZero() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,3");
        Out y = net.add("NonZero:opset3", "output_type=i32", "i32:2,?", x);
        Tensor places = net.results(y).run(folder, Tensor.of(new float[] {0, 1, 0, -2, 0, 3}, 2, 3));
        assertThat(places.dtype()).isEqualTo(DType.INT32);
        assertThat(places.shape()).isEqualTo(Shape.of(2, 3));
        assertThat(places.toLongArray()).containsExactly(0, 1, 1, 1, 0, 2);
    }

    @Test
    void sumsOverLabels() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,3,4");
        Out w = net.parameter("f32", "4,3");
        Out y = net.add("Einsum:opset7", "equation=bij,ji->bj", "f32:2,4", x, w);
        Tensor left = IrNet.random(1, 2, 3, 4);
        Tensor right = IrNet.random(2, 4, 3);
        Tensor sums = net.results(y).run(folder, left, right);
        for (int b = 0; b < 2; b++) {
            for (int j = 0; j < 4; j++) {
                double sum = 0;
                for (int i = 0; i < 3; i++) {
                    sum += left.getDouble((b * 3 + i) * 4L + j) * right.getDouble(j * 3L + i);
                }
                assertThat(sums.getDouble(b * 4L + j)).isCloseTo(sum, NEAR);
            }
        }
    }

    /** One point in each of two regions of a map whose elements are their places. */
    @Test
    void pointsOfRegions() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,1,4,4");
        Out y = net.add(
                "ROIAlign:opset9",
                "pooled_h=1 pooled_w=1 sampling_ratio=1 spatial_scale=0.5 mode=avg aligned_mode=half_pixel_for_nn",
                "f32:2,1,1,1",
                x,
                net.floats("2,4", 1, 1, 5, 5, 3, 1, 5, 3),
                net.longs(0, 0));
        float[] map = new float[16];
        for (int i = 0; i < 16; i++) {
            map[i] = i;
        }
        Tensor points = net.results(y).run(folder, Tensor.of(map, 1, 1, 4, 4));
        assertThat(points.getDouble(0)).isCloseTo(4 * 1 + 1, NEAR);
        assertThat(points.getDouble(1)).isCloseTo(4 * 0.5 + 1.5, NEAR);
    }
}
