package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.clinfer.DeviceChoice;
import org.clinfer.errors.BadInputException;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.tensorflow.Nhwc.Walk;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators of TensorFlow with windows, and those that resize. */
abstract class WindowOperatorContract extends OperatorContract {

    WindowOperatorContract(DeviceChoice device) {
        super(device);
    }

    @ParameterizedTest
    @CsvSource({"SAME, 1, 1", "SAME, 2, 1", "SAME, 1, 2", "VALID, 1, 1", "VALID, 2, 1", "VALID, 1, 2"})
    void convolution(String padding, int stride, int dilation) throws IOException {
        Nhwc x = Nhwc.random(1, 2, 9, 12, 3);
        Nhwc w = Nhwc.random(2, 3, 2, 3, 5);
        boolean same = padding.equals("SAME");
        Walk down = same ? Walk.same(9, 3, stride, dilation) : Walk.valid(9, 3, stride, dilation);
        Walk across = same ? Walk.same(12, 2, stride, dilation) : Walk.valid(12, 2, stride, dilation);
        String[] attributes = {
            "padding=" + padding,
            "strides=[1," + stride + "," + stride + ",1]",
            "dilations=[1," + dilation + "," + dilation + ",1]"
        };
        check(with(x, w).node("Conv2D", "y", "x w", attributes), x, x.convolved(w, down, across));
        Nhwc each = Nhwc.random(3, 3, 2, 3, 2);
        check(
                with(x, each).node("DepthwiseConv2dNative", "y", "x w", attributes),
                x,
                x.convolvedByChannel(each, down, across));
    }

    @Test
    void paddingThatIsGiven() throws IOException {
        Nhwc x = Nhwc.random(1, 1, 6, 7, 2);
        Nhwc w = Nhwc.random(2, 3, 3, 2, 4);
        check(
                with(x, w)
                        .node(
                                "Conv2D",
                                "y",
                                "x w",
                                "padding=EXPLICIT",
                                "explicit_paddings=[0,0,2,1,0,3,0,0]",
                                "strides=[1,2,1,1]"),
                x,
                x.convolved(w, Walk.padded(6, 3, 2, 1, 2, 1), Walk.padded(7, 3, 1, 1, 0, 3)));
    }

    /** The same network with the channels second in the file gives the same numbers in the other order. */
    @Test
    void channelsSecond() throws IOException {
        Nhwc x = Nhwc.random(1, 1, 6, 7, 2);
        Nhwc w = Nhwc.random(2, 3, 3, 2, 4);
        TfGraph graph = with(x, w)
                .ints("there", 0, 3, 1, 2)
                .ints("back", 0, 2, 3, 1)
                .floats("b", new long[] {4}, 1, 2, 3, 4)
                .node("Transpose", "t", "x there")
                .node("Conv2D", "c", "t w", "padding=SAME", "strides=[1,1,2,2]", "data_format=NCHW")
                .node("BiasAdd", "a", "c b", "data_format=NCHW")
                .node("MaxPool", "p", "a", "padding=VALID", "ksize=[1,1,2,2]", "strides=[1,1,1,1]", "data_format=NCHW")
                .node("Transpose", "y", "p back");
        Nhwc sum = x.convolved(w, Walk.same(6, 3, 2, 1), Walk.same(7, 3, 2, 1));
        for (int i = 0; i < sum.data.length; i++) {
            sum.data[i] += 1 + i % 4;
        }
        check(graph, x, sum.pooled(Walk.valid(3, 2, 1, 1), Walk.valid(4, 2, 1, 1), false));
    }

    @ParameterizedTest
    @CsvSource({
        "SAME, 1, 5, 5",
        "SAME, 2, 10, 9",
        "SAME, 3, 14, 13",
        "VALID, 1, 7, 6",
        "VALID, 2, 11, 10",
        "VALID, 2, 12, 11"
    })
    void transposedConvolution(String padding, int stride, int height, int width) throws IOException {
        Nhwc x = Nhwc.random(1, 2, 5, 5, 3);
        Nhwc w = Nhwc.random(2, 3, 2, 4, 3);
        boolean same = padding.equals("SAME");
        Walk down = same ? Walk.same(height, 3, stride, 1) : Walk.valid(height, 3, stride, 1);
        Walk across = same ? Walk.same(width, 2, stride, 1) : Walk.valid(width, 2, stride, 1);
        TfGraph graph = with(x, w)
                .ints("sizes", 2, height, width, 4)
                .node(
                        "Conv2DBackpropInput",
                        "y",
                        "sizes w x",
                        "padding=" + padding,
                        "strides=[1," + stride + "," + stride + ",1]");
        check(graph, x, x.convolvedBack(w, down, across));
    }

    /** Sizes that are computed from those of an input of unknown size. */
    @ParameterizedTest
    @CsvSource({"SAME, 10, 12", "VALID, 11, 12", "EXPLICIT, 9, 11"})
    void transposedConvolutionToComputedSizes(String padding, int height, int width) throws IOException {
        Nhwc x = Nhwc.random(1, 1, 5, 6, 3);
        Nhwc w = Nhwc.random(2, 3, 2, 4, 3);
        Walk down = switch (padding) {
            case "SAME" -> Walk.same(height, 3, 2, 1);
            case "VALID" -> Walk.valid(height, 3, 2, 1);
            default -> Walk.padded(height, 3, 2, 1, 1, 1);
        };
        Walk across = switch (padding) {
            case "SAME" -> Walk.same(width, 2, 2, 1);
            case "VALID" -> Walk.valid(width, 2, 2, 1);
            default -> Walk.padded(width, 2, 2, 1, 0, 1);
        };
        TfGraph graph = new TfGraph()
                .input("x", 1, -1, -1, 3)
                .floats("w", w.sizes(), w.data)
                .node("Shape", "shape", "x", "out_type=int32")
                .ints("more", 0, height - 5, width - 6, 1)
                .node("AddV2", "sizes", "shape more", "T=int32")
                .node(
                        "Conv2DBackpropInput",
                        "y",
                        "sizes w x",
                        "padding=" + padding,
                        padding.equals("EXPLICIT") ? "explicit_paddings=[0,0,1,1,0,1,0,0]" : "use_cudnn_on_gpu=true",
                        "strides=[1,2,2,1]");
        check(graph, x, x.convolvedBack(w, down, across));
    }

    @ParameterizedTest
    @CsvSource({"SAME, 2", "SAME, 3", "VALID, 1", "VALID, 2"})
    void pools(String padding, int stride) throws IOException {
        Nhwc x = Nhwc.random(1, 2, 8, 9, 3);
        boolean same = padding.equals("SAME");
        Walk down = same ? Walk.same(8, 3, stride, 1) : Walk.valid(8, 3, stride, 1);
        Walk across = same ? Walk.same(9, 2, stride, 1) : Walk.valid(9, 2, stride, 1);
        String[] attributes = {"padding=" + padding, "ksize=[1,3,2,1]", "strides=[1," + stride + "," + stride + ",1]"};
        check(with(x).node("MaxPool", "y", "x", attributes), x, x.pooled(down, across, false));
        check(with(x).node("AvgPool", "y", "x", attributes), x, x.pooled(down, across, true));
    }

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true"})
    void resampling(boolean align, boolean half) throws IOException {
        Nhwc x = Nhwc.random(1, 2, 5, 6, 3);
        String[] attributes = {"align_corners=" + align, "half_pixel_centers=" + half};
        int[][] sizes = {{9, 4}, {3, 11}, {5, 6}, {10, 12}};
        for (int[] size : sizes) {
            TfGraph linear = with(x).ints("s", size).node("ResizeBilinear", "y", "x s", attributes);
            check(linear, x, x.resampled(size[0], size[1], align, half, false));
            TfGraph nearest = with(x).ints("s", size).node("ResizeNearestNeighbor", "y", "x s", attributes);
            check(nearest, x, x.resampled(size[0], size[1], align, half, true));
        }
    }

    @ParameterizedTest
    @CsvSource({"bilinear", "nearest"})
    void boxes(String method) throws IOException {
        Nhwc x = Nhwc.random(1, 2, 5, 6, 3);
        float[] boxes = {0.25f, 0, 0.75f, 0.5f, 0.9f, 0.66f, 0.1f, 1.25f};
        int[] pictures = {1, 0};
        Nhwc expected = new Nhwc(2, 4, 3, 3);
        for (int i = 0; i < expected.data.length; i++) {
            int box = i / 36;
            double down = boxes[4 * box] * 4.0 + i / 9 % 4 * (boxes[4 * box + 2] - boxes[4 * box]) * 4.0 / 3;
            double across = boxes[4 * box + 1] * 5.0 + i / 3 % 3 * (boxes[4 * box + 3] - boxes[4 * box + 1]) * 5.0 / 2;
            boolean outside = down < 0 || down > 4 || across < 0 || across > 5;
            expected.data[i] = outside
                    ? -3
                    : method.equals("nearest")
                            ? x.get(pictures[box], (int) Math.round(down), (int) Math.round(across), i % 3)
                            : x.between(pictures[box], down, across, i % 3);
        }
        TfGraph graph = with(x).floats("boxes", new long[] {2, 4}, boxes)
                .ints("pictures", pictures)
                .ints("size", 4, 3)
                .node("CropAndResize", "y", "x boxes pictures size", "method=" + method, "extrapolation_value=-3.0");
        check(graph, x, expected);
    }

    /** TensorFlow refuses a number that no picture has, where others count negative ones from the last picture. */
    @ParameterizedTest
    @CsvSource({"bilinear", "nearest"})
    void boxesOfPicturesThatAreNotThere(String method) throws IOException {
        Nhwc pictures = Nhwc.random(1, 2, 5, 6, 3);
        TfGraph graph = new TfGraph()
                .input("x", 2)
                .floats("boxes", new long[] {2, 4}, 0, 0, 1, 1, 0, 0, 1, 1)
                .floats("pictures", pictures.sizes(), pictures.data)
                .ints("size", 4, 3)
                .node("Cast", "numbers", "x", "SrcT=float", "DstT=int32")
                .node("CropAndResize", "y", "pictures boxes numbers size", "method=" + method);
        assertThat(run(graph, Tensor.of(new float[] {1, 0}, 2)).shape().sizes()).containsExactly(2, 4, 3, 3);
        for (float none : new float[] {-1, -2, 2}) {
            assertThatThrownBy(() -> run(graph, Tensor.of(new float[] {1, none}, 2)))
                    .isInstanceOf(BadInputException.class);
        }
        TfGraph constant = with(pictures)
                .floats("boxes", new long[] {2, 4}, 0, 0, 1, 1, 0, 0, 1, 1)
                .ints("numbers", 0, -1)
                .ints("size", 4, 3)
                .node("CropAndResize", "y", "x boxes numbers size", "method=" + method);
        assertThatThrownBy(() -> run(constant, Tensor.of(pictures.data, pictures.sizes())))
                .isInstanceOf(GraphException.class)
                .hasMessageEndingWith("there is no picture -1");
    }

    /** A convolution of each place of a block, in three nodes, whose middle one may be read by others as well. */
    @ParameterizedTest
    @CsvSource({"2, VALID, false", "3, VALID, false", "2, SAME, false", "2, VALID, true"})
    void convolutionInBlocks(int block, String padding, boolean split) throws IOException {
        Nhwc x = Nhwc.random(1, 2, 7, 8, 3);
        Nhwc w = Nhwc.random(2, 3, 3, 3, 4);
        int down = (block - 7 % block) % block;
        int across = (block - 8 % block) % block;
        int inner = padding.equals("SAME") ? 0 : block;
        TfGraph graph = with(x, w)
                .ints("block", block, block)
                .ints("pads", new long[] {2, 2}, inner, inner + down, inner, inner + across)
                .ints("crops", new long[] {2, 2}, 0, down, 0, across)
                .number("none", 0)
                .node("SpaceToBatchND", "s", "x block pads")
                .node("Conv2D", "c", split ? "z w" : "s w", "padding=" + padding, "strides=[1,1,1,1]")
                .node("BatchToSpaceND", "y", "c block crops");
        if (split) {
            graph.node("Add", "z", "s none");
        }
        Walk rows = Walk.padded(7, 3, 1, block, block, block);
        Walk columns = Walk.padded(8, 3, 1, block, block, block);
        check(graph, x, x.convolved(w, rows, columns));
    }

    /** As it is written where the sizes of the picture are open: the padding up to whole blocks is computed. */
    @ParameterizedTest
    @CsvSource({"2, 7, 8", "3, 7, 8", "2, 4, 4"})
    void convolutionInBlocksOfAnOpenPicture(int block, int rows, int columns) throws IOException {
        Nhwc x = Nhwc.random(1, 2, rows, columns, 3);
        Nhwc w = Nhwc.random(2, 3, 3, 3, 4);
        TfGraph graph = new TfGraph()
                .input("x", -1, -1, -1, 3)
                .floats("w", w.sizes(), w.data)
                .ints("block", block, block)
                .ints("both", 2 * block, 2 * block)
                .ints("first", 1)
                .ints("last", 3)
                .ints("one", 1)
                .node("Shape", "shape", "x")
                .node("StridedSlice", "space", "shape first last one")
                .node("Add", "full", "space both")
                .node("FloorMod", "over", "full block")
                .node("Sub", "lacking", "block over")
                .node("FloorMod", "extra", "lacking block")
                .ints("border", block, block)
                .node("Add", "end", "border extra")
                .ints("zeros", 0, 0)
                .node("Pack", "paddings", "border end", "axis=1")
                .node("Pack", "crops", "zeros extra", "axis=1")
                .node("SpaceToBatchND", "s", "x block paddings")
                .node("Conv2D", "c", "s w", "padding=VALID", "strides=[1,1,1,1]")
                .node("BatchToSpaceND", "y", "c block crops");
        check(
                graph,
                x,
                x.convolved(
                        w,
                        Walk.padded(rows, 3, 1, block, block, block),
                        Walk.padded(columns, 3, 1, block, block, block)));
    }
}
