package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.openvino.IrNet.same;
import static org.clinfer.importer.openvino.OpenVinoArithmeticLayersTest.numbers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What moves and chooses elements. */
class OpenVinoShapeLayersTest {

    @TempDir
    Path folder;

    /** 0, 1, … */
    private static Tensor count(long... dims) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, dims);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, (double) i);
        }
        return tensor;
    }

    private static long[] longs(String list) {
        return list.isEmpty()
                ? new long[0]
                : Stream.of(list.split(":", -1)).mapToLong(Long::parseLong).toArray();
    }

    @ParameterizedTest
    @CsvSource({
        "Reshape, special_zero=true, 0:-1, '2,6'",
        "Reshape, special_zero=false, 3:4, '3,4'",
        "Unsqueeze, , 0:-1, '1,2,2,3,1'",
        "Squeeze, , , '2,2,3'"
    })
    void shapes(String type, String attributes, String values, String dims) throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,2,3");
        Out y = values == null
                ? net.add(type, "", "f32:" + dims, x)
                : net.add(type, attributes == null ? "" : attributes, "f32:" + dims, x, net.longs(longs(values)));
        Tensor found = net.results(y).run(folder, count(2, 2, 3));
        assertThat(found.shape().toString()).isEqualTo(dims.replace(',', 'x'));
        assertThat(found.toFloatArray()).isEqualTo(count(12).toFloatArray());
    }

    @Test
    void shapesThatAreComputed() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "?,2,1..8");
        Out shape = net.add("ShapeOf:opset3", "output_type=i32", "i32:3", x);
        Out first = net.add("Gather", "", "i32:1", shape, net.longs(0), net.whole(0));
        Out minus = net.add("Convert", "destination_type=i32", "i32:1", net.longs(-1));
        Out target = net.add("Concat", "axis=0", "i32:2", first, minus);
        net.results(net.add("Reshape", "special_zero=true", "f32:-1,-1", x, target));
        Tensor found = net.run(folder, count(3, 2, 2));
        assertThat(found.shape().toString()).isEqualTo("3x4");
    }

    @Test
    void orders() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,2,3");
        Out turned = net.add("Transpose", "", "f32:3,1,2", x, net.longs(2, 0, 1));
        net.results(turned, net.add("Transpose", "", "f32:2,1,3", turned, net.longs()));
        same(net.runAll(folder, count(1, 2, 3)).get(0), 0, 3, 1, 4, 2, 5);
        same(net.runAll(folder, count(1, 2, 3)).get(1), 0, 1, 2, 3, 4, 5);
    }

    @Test
    void partsAndWholes() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,6");
        List<Out> halves = net.layer("Split", "num_splits=2", List.of(x, net.whole(1)), "f32:1,3", "f32:1,3");
        List<Out> parts = net.layer(
                "VariadicSplit", "", List.of(x, net.whole(-1), net.longs(1, -1, 2)), "f32:1,1", "f32:1,3", "f32:1,2");
        net.results(net.add("Concat", "axis=1", "f32:1,6", halves.get(1), parts.get(2), parts.get(0)));
        same(net.run(folder, count(1, 6)), 3, 4, 5, 4, 5, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "1:0, 2:2, 1:1, 'begin_mask=0,1 end_mask=0,0', '1,2', 3:4",
        "0:0, 2:3, 1:2, 'begin_mask=1,1 end_mask=1,1', '2,2', 0:2:3:5",
        "1:1, 2:3, 1:1, 'begin_mask=0,0 end_mask=0,0 shrink_axis_mask=1', '2', 4:5",
        "0:-1, 0:0, 1:1, 'begin_mask=1 end_mask=1 shrink_axis_mask=0,1', '2', 2:5",
        "0:0:1, 0:0:2, 1:1:1, 'begin_mask=0,1,0 end_mask=0,1,0 new_axis_mask=1 ellipsis_mask=0,1', '1,2,1', 1:4",
        "0:0, 0:0, 1:-1, 'begin_mask=1,1 end_mask=1,1', '2,3', 2:1:0:5:4:3",
        "0:-5, 0:0, 1:-1, 'begin_mask=1,0 end_mask=1,1', '2,1', 0:3"
    })
    void slicesWithMasks(String begin, String end, String stride, String masks, String dims, String wanted)
            throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,3");
        Out[] places = {net.longs(longs(begin)), net.longs(longs(end)), net.longs(longs(stride))};
        net.results(net.add("StridedSlice", masks, "f32:" + dims, x, places[0], places[1], places[2]));
        same(net.run(folder, count(2, 3)), numbers(wanted));
    }

    @Test
    void slicesBackwardsToTheLargestEnd() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,3");
        String masks = "begin_mask=1,0 end_mask=1,0";
        Out[] places = {net.longs(0, -1), net.longs(0, Integer.MAX_VALUE), net.longs(1, -1)};
        Out strided = net.add("StridedSlice", masks, "f32:2,0", x, places[0], places[1], places[2]);
        Out whole = net.add(
                "Slice:opset8",
                "",
                "f32:0,3",
                x,
                net.longs(-1),
                net.longs(Long.MAX_VALUE),
                net.longs(-1),
                net.longs(0));
        net.results(net.add("Concat", "axis=0", "f32:1", flat(net, strided), flat(net, whole), net.floats("1", 7)));
        same(net.run(folder, count(2, 3)), 7);
    }

    private static Out flat(IrNet net, Out x) {
        return net.add("Reshape", "special_zero=false", "f32:0", x, net.longs(-1));
    }

    @Test
    void slices() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,3");
        net.results(net.add("Slice:opset8", "", "f32:2,2", x, net.longs(0), net.longs(3), net.longs(2), net.longs(1)));
        same(net.run(folder, count(2, 3)), 0, 2, 3, 5);
    }

    @Test
    void choices() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "2,3");
        Out columns = net.add("Gather:opset8", "batch_dims=0", "f32:2,2", x, net.longs(2, 0), net.whole(1));
        Out cells = net.add(
                "GatherND:opset8",
                "batch_dims=0",
                "f32:2",
                x,
                net.add("Reshape", "special_zero=true", "i64:2,2", net.longs(0, 1, 1, 2), net.longs(2, 2)));
        Out rows = net.add(
                "ScatterUpdate:opset3", "", "f32:2,3", x, net.longs(1), net.floats("1,3", 7, 8, 9), net.whole(0));
        net.results(columns, cells, rows);
        List<Tensor> found = net.runAll(folder, count(2, 3));
        same(found.get(0), 2, 0, 5, 3);
        same(found.get(1), 1, 5);
        same(found.get(2), 0, 1, 2, 7, 8, 9);
    }

    @Test
    void largestElementsAndClasses() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,4");
        List<Out> top = net.layer(
                "TopK:opset3",
                "axis=1 mode=max sort=value index_element_type=i32",
                List.of(x, net.whole(2)),
                "f32:1,2",
                "i32:1,2");
        Out hot = net.add(
                "OneHot", "axis=-1", "f32:1,2,4", top.get(1), net.whole(4), net.floats("", 5), net.floats("", 1));
        net.results(top.get(0), top.get(1), hot);
        List<Tensor> found = net.runAll(folder, IrNet.of(new float[] {3, 9, 1, 7}, 1, 4));
        same(found.get(0), 9, 7);
        same(found.get(1), 1, 3);
        same(found.get(2), 1, 5, 1, 1, 1, 1, 1, 5);
    }

    @Test
    void sequences() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,3");
        Out sums = net.add("CumSum:opset3", "exclusive=false reverse=true", "f32:1,3", x, net.whole(1));
        Out range = net.add("Range:opset4", "output_type=f32", "f32:3", net.whole(1), net.whole(7), net.whole(2));
        net.results(net.add("Add", "", "f32:1,3", sums, range));
        same(net.run(folder, count(1, 3)), 4, 6, 7);
    }

    @Test
    void bordersAndRepeats() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,3");
        Out constant =
                net.add("Pad", "pad_mode=constant", "f32:1,6", x, net.longs(0, 1), net.longs(0, 2), net.floats("", 9));
        Out mirror = net.add("Pad", "pad_mode=reflect", "f32:1,5", x, net.longs(0, 1), net.longs(0, 1));
        Out tiled = net.add("Tile", "", "f32:2,3", x, net.longs(2, 1));
        Out wide = net.add("Broadcast:opset3", "mode=bidirectional", "f32:2,3", x, net.longs(2, 1));
        net.results(constant, mirror, tiled, wide);
        List<Tensor> found = net.runAll(folder, count(1, 3));
        same(found.get(0), 9, 0, 1, 2, 9, 9);
        same(found.get(1), 1, 0, 1, 2, 1);
        same(found.get(2), 0, 1, 2, 0, 1, 2);
        same(found.get(3), 0, 1, 2, 0, 1, 2);
    }

    @ParameterizedTest
    @CsvSource({
        "DepthToSpace, block_size=2 mode=blocks_first, '1,8,1,1', '1,2,2,2', 0:2:4:6:1:3:5:7",
        "DepthToSpace, block_size=2 mode=depth_first, '1,8,1,1', '1,2,2,2', 0:1:2:3:4:5:6:7",
        "SpaceToDepth, block_size=2 mode=blocks_first, '1,2,2,2', '1,8,1,1', 0:4:1:5:2:6:3:7",
        "SpaceToDepth, block_size=2 mode=depth_first, '1,2,2,2', '1,8,1,1', 0:1:2:3:4:5:6:7",
        "ShuffleChannels, axis=1 group=2, '1,6,1,1', '1,6,1,1', 0:3:1:4:2:5",
        "ReorgYolo:opset2, stride=2, '1,4,2,2', '1,16,1,1', 0:2:8:10:1:3:9:11:4:6:12:14:5:7:13:15"
    })
    void blocksAndChannels(String type, String attributes, String from, String to, String wanted) throws IOException {
        IrNet net = new IrNet();
        net.results(net.add(type, attributes, "f32:" + to, net.parameter("f32", from)));
        long[] dims = longs(from.replace(',', ':'));
        double[] found = net.run(folder, count(dims)).toDoubleArray();
        assertThat(found).isEqualTo(type.startsWith("ReorgYolo") ? reorganized() : numbers(wanted));
    }

    /** OpenVINO's reference, of four channels of 2x2 and a stride of 2: one channel of 4x4 is read. */
    private static double[] reorganized() {
        double[] y = new double[16];
        for (int c = 0; c < 4; c++) {
            for (int h = 0; h < 2; h++) {
                for (int w = 0; w < 2; w++) {
                    y[(c * 2 + h) * 2 + w] = (h * 2 + c / 2) * 4 + w * 2 + c % 2;
                }
            }
        }
        return y;
    }

    @Test
    void resizing() throws IOException {
        Tensor x = IrNet.of(new float[] {0, 4, 8}, 1, 1, 3);
        String nearest = "mode=nearest shape_calculation_mode=scales nearest_mode=floor "
                + "coordinate_transformation_mode=asymmetric antialias=false pads_begin=0 pads_end=0";
        IrNet scaled = new IrNet();
        Out a = scaled.parameter("f32", "1,1,3");
        scaled.results(scaled.add(
                "Interpolate:opset4",
                nearest,
                "f32:1,1,6",
                a,
                scaled.longs(6),
                scaled.floats("1", 2),
                scaled.longs(2)));
        same(scaled.run(folder, x), 0, 0, 4, 4, 8, 8);
        IrNet sized = new IrNet();
        Out b = sized.parameter("f32", "1,1,3");
        String linear = "mode=linear_onnx shape_calculation_mode=sizes coordinate_transformation_mode=half_pixel";
        sized.results(sized.add("Interpolate:opset11", linear, "f32:1,1,6", b, sized.longs(6), sized.longs(2)));
        same(sized.run(folder, x), 0, 1, 3, 5, 7, 8);
        IrNet first = new IrNet();
        Out c = first.parameter("f32", "1,1,3");
        first.results(
                first.add("Interpolate", "axes=2 mode=linear align_corners=true", "f32:1,1,5", c, first.longs(5)));
        same(first.run(folder, x), 0, 2, 4, 6, 8);
        IrNet smoothed = new IrNet();
        Out d = smoothed.parameter("f32", "1,1,3");
        smoothed.results(
                smoothed.add("Interpolate:opset11", linear + " antialias=true", "f32:1,1,2", d, smoothed.longs(2)));
        smoothed.refused(folder, "Interpolate with antialias='true'");
    }

    @Test
    void boxesThatOverlap() throws IOException {
        IrNet net = new IrNet();
        Out boxes = net.parameter("f32", "1,3,4");
        Out scores = net.parameter("f32", "1,1,3");
        List<Out> found = net.layer(
                "NonMaxSuppression:opset9",
                "box_encoding=corner sort_result_descending=false output_type=i32",
                List.of(boxes, scores, net.whole(3), net.floats("", 0.5f), net.floats("", 0)),
                "i32:-1,3",
                "f32:-1,3",
                "i32:1");
        net.results(found.get(0), found.get(2));
        Tensor given = IrNet.of(new float[] {0, 0, 1, 1, 0, 0, 1, 0.9f, 0, 2, 1, 3}, 1, 3, 4);
        List<Tensor> chosen = net.runAll(folder, given, IrNet.of(new float[] {0.8f, 0.7f, 0.9f}, 1, 1, 3));
        same(chosen.get(0), 0, 0, 2, 0, 0, 0);
        same(chosen.get(1), 2);
    }

    @Test
    void maximaOfRegions() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,1,2,4");
        net.results(net.add(
                "ROIPooling:opset2",
                "pooled_h=1 pooled_w=2 spatial_scale=1 method=max",
                "f32:1,1,1,2",
                x,
                net.floats("1,5", 0, 0, 0, 3, 1)));
        same(net.run(folder, count(1, 1, 2, 4)), 5, 7);
    }
}
