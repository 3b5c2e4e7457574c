package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.ncnn.NcnnNet.random;
import static org.clinfer.importer.ncnn.NcnnNet.same;
import static org.clinfer.importer.ncnn.NcnnNet.sigmoid;

import java.io.IOException;
import java.nio.file.Path;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Convolutions and transposed ones, against plain loops, at sizes that no vector divides. */
class NcnnConvolutionLayersTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "1, 9=1",
        "2, 9=2 -23310=1:0.1",
        "3, 9=3 -23310=2:-1.0:1.5",
        "4, 9=4",
        "5, 9=5",
        "6, 9=6 -23310=2:0.2:0.5"
    })
    void convolutionsEndInAFunction(int type, String params) throws IOException {
        float[] x = random(2, 12);
        NcnnNet net = NcnnNet.of(4, 3, 1).layer("Convolution", "0=1 1=1 5=1 6=1 " + params.replace(':', ','));
        double[] expected = new double[12];
        for (int i = 0; i < 12; i++) {
            double sum = 3 * x[i] + 0.5;
            expected[i] = switch (type) {
                case 1 -> Math.max(0, sum);
                case 2 -> sum < 0 ? 0.1 * sum : sum;
                case 3 -> Math.min(1.5, Math.max(-1, sum));
                case 4 -> sigmoid(sum);
                case 5 -> sum * Math.tanh(Math.log1p(Math.exp(sum)));
                default -> sum * Math.min(1, Math.max(0, 0.2 * sum + 0.5));
            };
        }
        same(net.tagged(3).raw(0.5f).run(folder, x, 1, 1, 3, 4), expected);
    }

    /** Sides, strides, dilations and pads that all differ; weights are [group, out, in, rows, columns]. */
    @ParameterizedTest
    @CsvSource({"1, 4, 6", "2, 4, 6", "4, 4, 8"})
    void convolutionsInGroups(int group, int inputs, int outputs) throws IOException {
        int height = 9;
        int width = 11;
        float[] x = random(3, inputs * height * width);
        float[] kernel = random(4, outputs * inputs / group * 6);
        float[] bias = random(5, outputs);
        String type = group == 1 ? "Convolution" : "ConvolutionDepthWise";
        NcnnNet net = NcnnNet.of(width, height, inputs)
                .layer(
                        type,
                        "0=" + outputs + " 1=3 11=2 2=2 12=1 3=2 13=1 4=1 14=2 15=0 16=3 5=1 6=" + kernel.length
                                + (group == 1 ? "" : " 7=" + group));
        Tensor y = net.tagged(kernel).raw(bias).run(folder, x, 1, inputs, height, width);
        int rows = height + 5 - 2 + 1;
        int columns = (width + 1 - 5) / 2 + 1;
        assertThat(y.shape()).isEqualTo(Shape.of(1, outputs, rows, columns));
        double[] expected = new double[outputs * rows * columns];
        int perGroup = inputs / group;
        for (int at = 0; at < expected.length; at++) {
            int out = at / (rows * columns);
            double sum = bias[out];
            for (int tap = 0; tap < perGroup * 6; tap++) {
                int row = at / columns % rows + tap / 3 % 2 - 2;
                int column = at % columns * 2 + tap % 3 * 2 - 1;
                int in = out / (outputs / group) * perGroup + tap / 6;
                if (row >= 0 && row < height && column >= 0 && column < width) {
                    sum += (double) kernel[out * perGroup * 6 + tap] * x[(in * height + row) * width + column];
                }
            }
            expected[at] = sum;
        }
        same(y, expected);
    }

    /** Weights are [group, out, in, rows, columns] here, too. */
    @ParameterizedTest
    @CsvSource({"1, 3, 2", "2, 4, 6", "3, 3, 3"})
    void deconvolutionsInGroups(int group, int inputs, int outputs) throws IOException {
        int height = 3;
        int width = 4;
        float[] x = random(6, inputs * height * width);
        float[] kernel = random(7, outputs * inputs / group * 6);
        String type = group == 1 ? "Deconvolution" : "DeconvolutionDepthWise";
        NcnnNet net = NcnnNet.of(width, height, inputs)
                .layer(
                        type,
                        "0=" + outputs + " 1=3 11=2 3=2 13=3 4=1 14=0 18=1 19=2 6=" + kernel.length
                                + (group == 1 ? "" : " 7=" + group));
        Tensor y = net.tagged(kernel).run(folder, x, 1, inputs, height, width);
        int rows = (height - 1) * 3 + 2 + 2;
        int columns = (width - 1) * 2 + 3 + 1 - 2;
        assertThat(y.shape()).isEqualTo(Shape.of(1, outputs, rows, columns));
        double[] expected = new double[outputs * rows * columns];
        int perGroup = inputs / group;
        for (int at = 0; at < x.length; at++) {
            int in = at / (height * width);
            for (int own = 0; own < outputs / group; own++) {
                int out = in / perGroup * (outputs / group) + own;
                for (int tap = 0; tap < 6; tap++) {
                    int row = at / width % height * 3 + tap / 3;
                    int column = at % width * 2 + tap % 3 - 1;
                    if (column >= 0 && column < columns) {
                        expected[(out * rows + row) * columns + column] +=
                                (double) kernel[(out * perGroup + in % perGroup) * 6 + tap] * x[at];
                    }
                }
            }
        }
        same(y, expected);
    }

    @Test
    void convolutionsOfOneAxisAndOfVectors() throws IOException {
        NcnnNet line =
                NcnnNet.of(4, 2).layer("Convolution1D", "0=1 1=2 4=1 15=0 6=4").tagged(1, 10, 100, 1000);
        Tensor y = line.run(folder, new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 1, 2, 4);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 1, 4));
        same(y, 5010, 6521, 7632, 8743);
        NcnnNet vector = NcnnNet.of(2)
                .layer("Convolution", "0=2 1=1 5=1 6=4 9=1")
                .tagged(1, 10, -1, -10)
                .raw(5, 5);
        Tensor row = vector.run(folder, new float[] {1, 2}, 1, 2);
        assertThat(row.shape()).isEqualTo(Shape.of(1, 2));
        same(row, 26, 0);
    }

    @Test
    void paddingThatKeepsTheSizeAndOtherNumbersAround() throws IOException {
        NcnnNet upper = NcnnNet.of(4, 1, 1)
                .layer("Convolution", "0=1 1=2 11=1 4=-233 6=2")
                .tagged(1, 10);
        same(upper.run(folder, new float[] {1, 2, 3, 4}, 1, 1, 1, 4), 21, 32, 43, 4);
        NcnnNet lower = NcnnNet.of(4, 1, 1)
                .layer("Convolution", "0=1 1=2 11=1 4=-234 6=2")
                .tagged(1, 10);
        same(lower.run(folder, new float[] {1, 2, 3, 4}, 1, 1, 1, 4), 10, 21, 32, 43);
        NcnnNet around = NcnnNet.of(2, 1, 1)
                .layer("Convolution", "0=1 1=2 11=1 4=1 14=0 18=7.0 6=2")
                .tagged(1, 10);
        same(around.run(folder, new float[] {1, 2}, 1, 1, 1, 2), 17, 21, 72);
        NcnnNet.unsupported(
                folder, NcnnNet.of(2, 1, 1).layer("Convolution", "0=1 1=2 4=-5 6=4"), "padding [-5, -5, -5, -5]");
    }
}
