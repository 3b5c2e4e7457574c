package org.clinfer.importer.openvino;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.importer.openvino.IrNet.random;
import static org.clinfer.importer.openvino.IrNet.same;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.openvino.IrNet.Out;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Convolutions, transposed ones and pools, against plain loops. */
class OpenVinoConvolutionLayersTest {

    @TempDir
    Path folder;

    /** Sides, strides, dilations and pads that all differ; weights are [group, out, in, rows, columns]. */
    @ParameterizedTest
    @CsvSource({"1, 4, 6", "2, 4, 6", "4, 4, 8"})
    void convolutions(int group, int inputs, int outputs) throws IOException {
        int height = 9;
        int width = 11;
        int rows = height + 5 - 2 + 1;
        int columns = (width + 1 - 5) / 2 + 1;
        int perGroup = inputs / group;
        Tensor x = random(3, 1, inputs, height, width);
        float[] kernel = random(4, 6L * outputs * perGroup).toFloatArray();
        IrNet net = new IrNet();
        String sizes = (group == 1 ? "" : group + ",") + outputs / group + "," + perGroup + ",2,3";
        Out y = net.add(
                group == 1 ? "Convolution" : "GroupConvolution",
                "strides=1,2 dilations=1,2 pads_begin=2,1 pads_end=3,0 auto_pad=explicit",
                "f32:1," + outputs + "," + rows + "," + columns,
                net.parameter("f32", "1," + inputs + "," + height + "," + width),
                net.floats(sizes, kernel));
        double[] expected = new double[outputs * rows * columns];
        for (int at = 0; at < expected.length; at++) {
            int out = at / (rows * columns);
            for (int tap = 0; tap < perGroup * 6; tap++) {
                int row = at / columns % rows + tap / 3 % 2 - 2;
                int column = at % columns * 2 + tap % 3 * 2 - 1;
                int in = out / (outputs / group) * perGroup + tap / 6;
                if (row >= 0 && row < height && column >= 0 && column < width) {
                    expected[at] +=
                            kernel[out * perGroup * 6 + tap] * x.getDouble(((long) in * height + row) * width + column);
                }
            }
        }
        same(net.results(y).run(folder, x), expected);
    }

    /** Weights are [group, in, out, rows, columns]. */
    @ParameterizedTest
    @CsvSource({"1, 3, 2, false", "2, 4, 6, false", "3, 3, 3, true"})
    void transposedConvolutions(int group, int inputs, int outputs, boolean sized) throws IOException {
        int height = 3;
        int width = 4;
        int rows = (height - 1) * 3 + 2 + 2;
        int columns = (width - 1) * 2 + 3 - 2;
        int perGroup = outputs / group;
        Tensor x = random(6, 1, inputs, height, width);
        float[] kernel = random(7, 6L * inputs * perGroup).toFloatArray();
        IrNet net = new IrNet();
        String sizes = (group == 1 ? "" : group + ",") + inputs / group + "," + perGroup + ",2,3";
        Out in = net.parameter("f32", "1," + inputs + "," + height + "," + width);
        Out weights = net.floats(sizes, kernel);
        String type = group == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData";
        String gives = "f32:1," + outputs + "," + rows + "," + columns;
        String common = "strides=3,2 dilations=1,1 output_padding=2,0 pads_begin=0,1 pads_end=0,1 auto_pad=";
        Out y = sized
                ? net.add(type, common + "same_upper", gives, in, weights, net.longs(rows, columns))
                : net.add(type, common + "explicit", gives, in, weights);
        double[] expected = new double[outputs * rows * columns];
        for (int at = 0; at < x.elements(); at++) {
            int from = at / (height * width);
            for (int own = 0; own < perGroup; own++) {
                int out = from / (inputs / group) * perGroup + own;
                for (int tap = 0; tap < 6; tap++) {
                    int row = at / width % height * 3 + tap / 3;
                    int column = at % width * 2 + tap % 3 - 1;
                    if (column >= 0 && column < columns) {
                        expected[(out * rows + row) * columns + column] +=
                                kernel[(from * perGroup + own) * 6 + tap] * x.getDouble(at);
                    }
                }
            }
        }
        same(net.results(y).run(folder, x), expected);
    }

    /** Of the four elements of the full result three are wanted. */
    @ParameterizedTest
    @CsvSource({"same_upper, 12, 203, 1830", "same_lower, 1, 12, 203"})
    void transposedConvolutionsCutAnOddPixel(String mode, double first, double second, double third)
            throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,1,3");
        Out y = net.add(
                "ConvolutionBackpropData",
                "strides=1 dilations=1 pads_begin=0 pads_end=0 auto_pad=" + mode,
                "f32:1,1,3",
                x,
                net.floats("1,1,2", 1, 10),
                net.longs(3));
        same(net.results(y).run(folder, IrNet.of(new float[] {1, 2, 183}, 1, 1, 3)), first, second, third);
    }

    @Test
    void paddingThatKeepsTheSize() throws IOException {
        for (String mode : new String[] {"same_upper", "same_lower", "valid"}) {
            IrNet net = new IrNet();
            Out x = net.parameter("f32", "1,1,4");
            String gives = mode.equals("valid") ? "f32:1,1,3" : "f32:1,1,4";
            Out y = net.add(
                    "Convolution",
                    "strides=1 dilations=1 pads_begin=0 pads_end=0 auto_pad=" + mode,
                    gives,
                    x,
                    net.floats("1,1,2", 1, 10));
            Tensor found = net.results(y).run(folder, IrNet.of(new float[] {1, 2, 3, 4}, 1, 1, 4));
            switch (mode) {
                case "same_upper" -> same(found, 21, 32, 43, 4);
                case "same_lower" -> same(found, 10, 21, 32, 43);
                default -> same(found, 21, 32, 43);
            }
        }
    }

    /** Bits are -1 and 1: equal ones count 1, others -1, and so does the padding. */
    @Test
    void binaryConvolutions() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,1,3,3");
        Out y = net.add(
                "BinaryConvolution",
                "mode=xnor-popcount pad_value=0 strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0 auto_pad=explicit",
                "f32:1,2,2,2",
                x,
                net.bytes("u1", "2,1,2,2", 0b1001_0000));
        Tensor given = IrNet.of(new float[] {1, 0, 1, 0, 1, 0, 1, 0, 1}, 1, 1, 3, 3);
        same(net.results(y).run(folder, given), 4, -4, -4, 4, 0, 0, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"strides", "dilations", "pads_begin", "pads_end", "mode", "pad_value"})
    void binaryConvolutionNeedsItsAttributes(String left) {
        String all = "mode=xnor-popcount pad_value=0 strides=1,1 dilations=1,1 pads_begin=0,0 pads_end=0,0";
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,1,3,3");
        Out y = net.add(
                "BinaryConvolution",
                all.replaceAll("\\b" + left + "=\\S+ ?", "").strip(),
                "f32:1,1,2,2",
                x,
                net.bytes("u1", "1,1,2,2", 0b1001_0000));
        assertThatThrownBy(() -> net.results(y).run(folder, IrNet.of(new float[9], 1, 1, 3, 3)))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("attribute '" + left + "'");
    }

    private Tensor pooled(String type, String attributes, String gives, float... x) throws IOException {
        IrNet net = new IrNet();
        Out in = net.parameter("f32", "1,1," + x.length);
        net.results(net.layer(type, attributes, List.of(in), "f32:1,1," + gives).get(0));
        return net.run(folder, IrNet.of(x, 1, 1, x.length));
    }

    @Test
    void pools() throws IOException {
        String common = "strides=2 pads_begin=0 pads_end=0 kernel=2 auto_pad=explicit rounding_type=";
        float[] x = {1, 2, 3, 4, 5};
        same(pooled("MaxPool", common + "floor", "2", x), 2, 4);
        same(pooled("MaxPool", common + "ceil", "3", x), 2, 4, 5);
        same(pooled("MaxPool:opset8", common + "ceil dilations=1 axis=0 index_element_type=i64", "3", x), 2, 4, 5);
        same(pooled("AvgPool", common + "ceil exclude-pad=true", "3", x), 1.5, 3.5, 5);
        String border = "strides=1 pads_begin=1 pads_end=1 kernel=3 rounding_type=floor exclude-pad=";
        same(pooled("AvgPool", border + "true", "5", x), 1.5, 2, 3, 4, 4.5);
        same(pooled("AvgPool", border + "false", "5", x), 1, 2, 3, 4, 3);
        IrNet places = new IrNet();
        Out in = places.parameter("f32", "1,1,4");
        Out place = places.layer(
                        "MaxPool:opset8",
                        "strides=2 pads_begin=0 pads_end=0 kernel=2 dilations=1",
                        List.of(in),
                        "f32:1,1,2",
                        "i64:1,1,2")
                .get(1);
        places.results(place).refused(folder, "MaxPool with output 1");
    }

    @Test
    void meansThatCountPaddingAreNotRoundedUp() throws IOException {
        IrNet net = new IrNet();
        Out x = net.parameter("f32", "1,1,5");
        net.results(net.add(
                "AvgPool",
                "strides=2 pads_begin=0 pads_end=0 kernel=2 rounding_type=ceil exclude-pad=false",
                "f32:1,1,3",
                x));
        net.refused(folder, "AvgPool with rounding_type='ceil'");
    }
}
