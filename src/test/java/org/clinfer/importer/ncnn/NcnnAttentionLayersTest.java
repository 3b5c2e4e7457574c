package org.clinfer.importer.ncnn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.ncnn.NcnnNet.same;
import static org.clinfer.importer.ncnn.NcnnNet.unsupported;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attention with and without masks, of one blob or of several, against sums as they are defined. */
class NcnnAttentionLayersTest {

    @TempDir
    Path folder;

    private static double[][] matrix(float[] values, int rows) {
        int columns = values.length / rows;
        double[][] matrix = new double[rows][columns];
        for (int i = 0; i < values.length; i++) {
            matrix[i / columns][i % columns] = values[i];
        }
        return matrix;
    }

    /** Rows times the rows of weights, with a bias for each of these. */
    private static double[][] projected(double[][] x, float[] weights, float[] bias) {
        double[][] rows = matrix(weights, bias.length);
        double[][] y = new double[x.length][bias.length];
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < bias.length; j++) {
                y[i][j] = bias[j];
                for (int k = 0; k < x[i].length; k++) {
                    y[i][j] += x[i][k] * rows[j][k];
                }
            }
        }
        return y;
    }

    /** Adds to the features of one head, which begin at one of them. */
    private static void head(
            double[][] q, double[][] k, double[][] v, double[][] mask, double scale, int size, int from, double[][] y) {
        for (int i = 0; i < q.length; i++) {
            double[] shares = new double[k.length];
            double sum = 0;
            for (int j = 0; j < k.length; j++) {
                double score = 0;
                for (int l = from; l < from + size; l++) {
                    score += q[i][l] * scale * k[j][l];
                }
                shares[j] = Math.exp(score + (mask.length == 0 ? 0 : mask[i][j]));
                sum += shares[j];
            }
            for (int j = 0; j < k.length; j++) {
                for (int l = from; l < from + size; l++) {
                    y[i][l] += shares[j] / sum * v[j][l];
                }
            }
        }
    }

    private static double[] flat(double[][] rows) {
        return Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
    }

    /** The number of blobs without a mask. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "3", "1 mask", "2 mask", "3 mask"})
    void headsOfProjectedRows(String form) throws IOException {
        int blobs = form.charAt(0) - '0';
        boolean masked = form.endsWith("mask");
        int keys = blobs == 1 ? 3 : 5;
        int keyFeatures = blobs == 1 ? 4 : 2;
        int valueFeatures = blobs == 3 ? 7 : keyFeatures;
        float[] x = NcnnNet.random(1, 3 * 4);
        float[] key = NcnnNet.random(2, keys * keyFeatures);
        float[] value = NcnnNet.random(3, keys * valueFeatures);
        float[] mask = NcnnNet.random(4, 3 * keys);
        float[][] weights = {
            NcnnNet.random(5, 6 * 4),
            NcnnNet.random(6, 6 * keyFeatures),
            NcnnNet.random(7, 6 * valueFeatures),
            NcnnNet.random(8, 4 * 6)
        };
        float[][] biases = {NcnnNet.random(9, 6), NcnnNet.random(10, 6), NcnnNet.random(11, 6), NcnnNet.random(12, 4)};
        String names = " x" + (blobs > 1 ? " k" : "") + (blobs > 2 ? " v" : "") + (masked ? " m" : "");
        NcnnNet net = NcnnNet.of(4, 3)
                .line("Input i 0 1 k 0=" + keyFeatures + " 1=" + keys)
                .line("Input j 0 1 v 0=" + valueFeatures + " 1=" + keys)
                .line("Input n 0 1 m 0=" + keys + " 1=3")
                .line("MultiHeadAttention l " + (blobs + (masked ? 1 : 0)) + " 1" + names + " y 0=6 1=2 2=24 3="
                        + keyFeatures + " 4=" + valueFeatures + (masked ? " 5=1" : " 6=0.25"));
        for (int i = 0; i < 4; i++) {
            net.tagged(weights[i]).raw(biases[i]);
        }
        double[][] q = projected(matrix(x, 3), weights[0], biases[0]);
        double[][] k = projected(blobs == 1 ? matrix(x, 3) : matrix(key, keys), weights[1], biases[1]);
        float[] valuesOf = blobs == 1 ? x : blobs == 2 ? key : value;
        double[][] v = projected(matrix(valuesOf, keys), weights[2], biases[2]);
        double[][] heard = new double[3][6];
        for (int head = 0; head < 2; head++) {
            double scale = masked ? 1 / Math.sqrt(3) : 0.25;
            head(q, k, v, masked ? matrix(mask, 3) : new double[0][], scale, 3, 3 * head, heard);
        }
        Tensor y = net.output(
                folder,
                Map.of(
                        "x", Tensor.of(x, 1, 3, 4),
                        "k", Tensor.of(key, 1, keys, keyFeatures),
                        "v", Tensor.of(value, 1, keys, valueFeatures),
                        "m", Tensor.of(mask, 1, 3, keys)));
        assertThat(y.shape()).isEqualTo(Shape.of(1, 3, 4));
        same(y, flat(projected(heard, weights[3], biases[3])));
    }

    /** Four heads of queries, of which two share keys and values; the mask is the same for all, or one for each. */
    @ParameterizedTest
    @ValueSource(strings = {"", "same", "each"})
    void headsThatShareKeys(String masks) throws IOException {
        float[] query = NcnnNet.random(1, 4 * 3 * 2);
        float[] key = NcnnNet.random(2, 2 * 5 * 2);
        float[] value = NcnnNet.random(3, 2 * 5 * 2);
        int count = masks.equals("each") ? 4 : 1;
        float[] mask = NcnnNet.random(4, count * 3 * 5);
        boolean masked = !masks.isEmpty();
        NcnnNet net = NcnnNet.of(2, 3, 4)
                .line("Input i 0 1 k 0=2 1=5 2=2")
                .line("Input j 0 1 v 0=2 1=5 2=2")
                .line("Input n 0 1 m 0=5 1=3" + (count > 1 ? " 2=4" : ""))
                .line(masked ? "SDPA l 4 1 x k v m y 5=1 6=0.5" : "SDPA l 3 1 x k v y");
        double[] wanted = new double[4 * 3 * 2];
        for (int head = 0; head < 4; head++) {
            double[][] heard = new double[3][2];
            int group = head / 2;
            head(
                    part(query, head, 6, 3),
                    part(key, group, 10, 5),
                    part(value, group, 10, 5),
                    masked ? part(mask, count > 1 ? head : 0, 15, 3) : new double[0][],
                    masked ? 0.5 : 1 / Math.sqrt(2),
                    2,
                    0,
                    heard);
            System.arraycopy(flat(heard), 0, wanted, head * 6, 6);
        }
        Tensor maskOf = count > 1 ? Tensor.of(mask, 1, 4, 3, 5) : Tensor.of(mask, 1, 3, 5);
        Tensor y = net.output(
                folder,
                Map.of(
                        "x", Tensor.of(query, 1, 4, 3, 2),
                        "k", Tensor.of(key, 1, 2, 5, 2),
                        "v", Tensor.of(value, 1, 2, 5, 2),
                        "m", maskOf));
        assertThat(y.shape()).isEqualTo(Shape.of(1, 4, 3, 2));
        same(y, wanted);
    }

    private static double[][] part(float[] values, int number, int size, int rows) {
        return matrix(Arrays.copyOfRange(values, number * size, (number + 1) * size), rows);
    }

    @Test
    void earlierPositionsAndCodesAreRefused() throws IOException {
        NcnnNet cached = NcnnNet.of(4, 3).layer("MultiHeadAttention", "0=4 1=2 2=16 7=1");
        unsupported(folder, cached, "with keys and values of earlier positions");
        NcnnNet codes = NcnnNet.of(4, 3).layer("MultiHeadAttention", "0=4 1=2 2=16 18=2");
        unsupported(folder, codes, "with weights as codes");
    }
}
