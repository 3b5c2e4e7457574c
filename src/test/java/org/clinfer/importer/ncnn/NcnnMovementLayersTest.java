package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.ncnn.NcnnNet.count;
import static org.clinfer.importer.ncnn.NcnnNet.random;
import static org.clinfer.importer.ncnn.NcnnNet.same;
import static org.clinfer.importer.ncnn.NcnnNet.unsupported;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Elements in another order, tables, sums of products, angles and spectra, against ncnn's loops written out here. */
class NcnnMovementLayersTest {

    @TempDir
    Path folder;

    @Test
    void blobsAreTurned() throws IOException {
        same(NcnnNet.of(3).layer("Flip", "-23300=1,0").run(folder, count(3), 1, 3), 2, 1, 0);
        same(NcnnNet.of(2, 2).layer("Flip", "-23300=1,-2").run(folder, count(4), 1, 2, 2), 2, 3, 0, 1);
        same(NcnnNet.of(2, 2).layer("Flip", "-23300=1,1").run(folder, count(4), 1, 2, 2), 1, 0, 3, 2);
        Tensor y = NcnnNet.of(2, 2, 2).layer("Flip", "-23300=2,0,-1").run(folder, count(8), 1, 2, 2, 2);
        same(y, 5, 4, 7, 6, 1, 0, 3, 2);
        unsupported(folder, NcnnNet.of(2, 2).layer("Flip", "-23300=2,1,-1"), "an axis is given twice in [1, -1]");
        unsupported(folder, NcnnNet.of(2, 2).layer("Flip", "-23300=1,2"), "there is no axis 2 where there are 2");
    }

    private Tensor copied(int[] part, String params) throws IOException {
        int elements = part[0] * part[1] * part[2];
        float[] small = new float[elements];
        Arrays.fill(small, -1);
        return NcnnNet.of(4, 3, 2)
                .line("Input s 0 1 s 0=" + part[0] + " 1=" + part[1] + " 2=" + part[2])
                .line("CopyTo l 2 1 x s y " + params)
                .output(
                        folder,
                        Map.of(
                                "x", Tensor.of(count(24), 1, 2, 3, 4),
                                "s", Tensor.of(small, 1, part[2], part[1], part[0])));
    }

    @ParameterizedTest
    @CsvSource({
        "2,2,1,0=1 1=1 2=1,1,1,1",
        "4,1,2,1=2,0,2,0",
        "4,3,1,2=1,0,0,1",
        "4,3,2,0=3,0,0,0",
        "1,2,2,-23309=2;-2;3 -23311=2;1;-1,3,1,0",
        "1,1,1,-23309=3;1;-233;2,2,0,1"
    })
    void oneBlobLiesInAnother(int w, int h, int c, String params, int left, int top, int first) throws IOException {
        Tensor y = copied(new int[] {w, h, c}, params.replace(';', ','));
        double[] wanted = new double[24];
        for (int i = 0; i < 24; i++) {
            int column = i % 4 - left;
            int row = i / 4 % 3 - top;
            int channel = i / 12 - first;
            boolean inside = column >= 0 && column < w && row >= 0 && row < h && channel >= 0 && channel < c;
            wanted[i] = inside || w * h * c == 24 ? -1 : i;
        }
        same(y, wanted);
    }

    @Test
    void blobsThatDoNotFit() throws IOException {
        NcnnNet outside = NcnnNet.of(4, 3).line("Input s 0 1 s 0=2 1=1").line("CopyTo l 2 1 x s y 0=3");
        unsupported(folder, outside, "a blob 1x1x2 does not fit into 1x3x4 at 3 of axis 1");
        NcnnNet before =
                NcnnNet.of(4, 3).line("Input s 0 1 s 0=2 1=1").line("CopyTo l 2 1 x s y -23309=1,-4 -23311=1,0");
        unsupported(folder, before, "does not fit into 1x3x4 at -1 of axis 0");
        NcnnNet few = NcnnNet.of(4, 3).line("Input s 0 1 s 0=2 1=1").line("CopyTo l 2 1 x s y -23309=1,0");
        unsupported(folder, few, "it has 1 numbers for 2 axes");
    }

    @ParameterizedTest
    @CsvSource({"8,0,2,8,0,1,2,0,1", "8,1,3,6,1,1,0,0,0", "7,2,2,5,2,1,1,1,1", "6,0,1,6,1,0,2,2,0", "8,2,4,8,1,1,2,2,1"
    })
    void spectrogram(int length, int power, int hop, int inner, int type, int centred, int border, int norm, int one)
            throws IOException {
        int samples = 20;
        float[] x = random(1, samples);
        String center = centred == 1 ? " 5=1 6=" + border : " 5=0";
        Tensor y = NcnnNet.of(samples)
                .layer(
                        "Spectrogram",
                        "0=" + length + " 1=" + power + " 2=" + hop + " 3=" + inner + " 4=" + type + center + " 7="
                                + norm + " 8=" + one)
                .run(folder, x, 1, samples);
        double[] window = new double[length];
        double squares = 0;
        for (int i = 0; i < inner; i++) {
            double turn = Math.cos(2 * Math.PI * i / inner);
            double factor = type == 0 ? 1 : type == 1 ? 0.5 * (1 - turn) : 0.54 - 0.46 * turn;
            window[(length - inner) / 2 + i] = factor;
            squares += factor * factor;
        }
        int side = centred == 1 ? length / 2 : 0;
        int frames = (samples + 2 * side - length) / hop + 1;
        int frequencies = one == 1 ? length / 2 + 1 : length;
        double scale = norm == 0 ? 1 : norm == 1 ? 1 / Math.sqrt(length) : 1 / Math.sqrt(squares);
        int numbers = power == 0 ? 2 : 1;
        double[] wanted = new double[frequencies * frames * numbers];
        for (int f = 0; f < frequencies; f++) {
            for (int frame = 0; frame < frames; frame++) {
                double real = 0;
                double imaginary = 0;
                for (int i = 0; i < length; i++) {
                    int at = frame * hop + i - side;
                    double value = at >= 0 && at < samples
                            ? x[at]
                            : border == 0
                                    ? 0
                                    : border == 1
                                            ? x[at < 0 ? 0 : samples - 1]
                                            : x[at < 0 ? -at : 2 * (samples - 1) - at];
                    real += value * window[i] * Math.cos(2 * Math.PI * f * i / length) * scale;
                    imaginary -= value * window[i] * Math.sin(2 * Math.PI * f * i / length) * scale;
                }
                double square = real * real + imaginary * imaginary;
                int place = (f * frames + frame) * numbers;
                wanted[place] = power == 0 ? real : power == 1 ? Math.sqrt(square) : square;
                if (power == 0) {
                    wanted[place + 1] = imaginary;
                }
            }
        }
        assertThat(y.shape().size(1)).isEqualTo(frequencies);
        assertThat(y.shape().size(2)).isEqualTo(frames);
        same(y, wanted);
    }

    @Test
    void framesAreBounded() throws IOException {
        unsupported(folder, NcnnNet.of(9).layer("Spectrogram", "0=2000000000"), "frames of 2000000000 elements");
        unsupported(folder, NcnnNet.of(9).layer("Spectrogram", "0=4 3=5"), "a window of 5 is longer than a frame of 4");
        unsupported(folder, NcnnNet.of(9).layer("Spectrogram", "0=4 4=3"), "expected 0, 1 or 2, found 3");
    }

    @Test
    void embeddingsAreRowsOfATable() throws IOException {
        NcnnNet net = NcnnNet.of(4)
                .layer("Embed", "0=2 1=3 2=1 3=6")
                .tagged(1, 2, 3, 4, 5, 6)
                .raw(10, 20);
        Tensor y = net.run(folder, new float[] {2, 0, -1, 7}, 1, 4);
        assertThat(y.shape()).hasToString("1x4x2");
        same(y, 15, 26, 11, 22, 11, 22, 15, 26);
        unsupported(folder, NcnnNet.of(4).layer("Embed", "0=2 1=3 3=7"), "7 weights are not 3 rows of 2");
        unsupported(folder, NcnnNet.of(4).layer("Embed", "0=2 1=3 3=6 18=1"), "int8 codes");
        unsupported(folder, NcnnNet.of(4, 4).layer("Embed", "0=2 1=3 3=6"), "a blob of 2 axes instead of one");
    }

    private static String equation(String text) {
        StringBuilder list = new StringBuilder("-23300=" + text.length());
        text.chars().forEach(letter -> list.append(',').append(letter));
        return list.toString();
    }

    @Test
    void sumsOfProducts() throws IOException {
        float[] x = random(1, 6);
        float[] z = random(2, 12);
        NcnnNet net =
                NcnnNet.of(3, 2).line("Input z 0 1 z 0=3 1=4").line("Einsum l 2 1 x z y " + equation("ik,jk->ij"));
        Tensor y = net.output(folder, Map.of("x", Tensor.of(x, 1, 2, 3), "z", Tensor.of(z, 1, 4, 3)));
        assertThat(y.shape()).hasToString("1x2x4");
        double[] wanted = new double[8];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 4; j++) {
                for (int k = 0; k < 3; k++) {
                    wanted[i * 4 + j] += x[i * 3 + k] * z[j * 3 + k];
                }
            }
        }
        same(y, wanted);
        NcnnNet wrong = NcnnNet.of(3, 2).layer("Einsum", equation("ij->ji"));
        unsupported(folder, wrong, "'ij->ji' is no equation of the axes i to l");
    }

    @ParameterizedTest
    @CsvSource({"1,3,4", "0,3,4", "0,6,4", "0,3,5"})
    void featuresAreTurned(int interleaved, int angles, int rows) throws IOException {
        int heads = 2;
        int positions = 4;
        int width = 6;
        float[] x = random(1, heads * positions * width);
        float[] cosines = random(2, rows * angles);
        float[] sines = random(3, rows * angles);
        NcnnNet net = NcnnNet.of(width, positions, heads)
                .line("Input c 0 1 c 0=" + angles + " 1=" + rows)
                .line("Input s 0 1 s 0=" + angles + " 1=" + rows)
                .line("RotaryEmbed l 3 1 x c s y 0=" + interleaved);
        Tensor y = net.output(
                folder,
                Map.of(
                        "x", Tensor.of(x, 1, heads, positions, width),
                        "c", Tensor.of(cosines, 1, rows, angles),
                        "s", Tensor.of(sines, 1, rows, angles)));
        double[] wanted = new double[x.length];
        for (int i = 0; i < heads * positions; i++) {
            for (int j = 0; j < 3; j++) {
                int one = i * width + (interleaved == 1 ? 2 * j : j);
                int other = i * width + (interleaved == 1 ? 2 * j + 1 : j + 3);
                int angle = i % positions * angles + j;
                int second = angles == width ? angle + 3 : angle;
                wanted[one] = x[one] * cosines[angle] - x[other] * sines[angle];
                wanted[other] = x[one] * sines[second] + x[other] * cosines[second];
            }
        }
        same(y, wanted);
        NcnnNet few = NcnnNet.of(width, positions, heads)
                .line("Input c 0 1 c 0=3 1=3")
                .line("RotaryEmbed l 3 1 x c c y");
        unsupported(folder, few, "a table of angles 1x3x3 for 4 positions of 6 features");
    }

    @Test
    void statistics() throws IOException {
        float[] x = {1, 2, 3, 4, 5, 5, 5, 9};
        Tensor y = NcnnNet.of(2, 2, 2).layer("StatisticsPooling", "0=1").run(folder, x, 1, 2, 2, 2);
        assertThat(y.shape()).hasToString("1x4");
        same(y, 2.5, 6, Math.sqrt(1.25), Math.sqrt(3));
        same(NcnnNet.of(2, 2, 2).layer("StatisticsPooling", "").run(folder, x, 1, 2, 2, 2), 2.5, 6);
    }
}
