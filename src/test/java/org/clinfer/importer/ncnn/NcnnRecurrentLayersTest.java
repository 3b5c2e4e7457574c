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

/** Recurrent layers, one step after another. */
class NcnnRecurrentLayersTest {

    @TempDir
    Path folder;

    /** One step of each cell, forwards and backwards. */
    @Test
    void recurrentLayers() throws IOException {
        float[] x = {0.5f, -1};
        NcnnNet rnn = NcnnNet.of(1, 2)
                .layer("RNN", "0=1 1=2 2=2")
                .tagged(2, 3)
                .tagged(0.1f, 0.2f)
                .tagged(0.5f, -0.5f);
        Tensor y = rnn.run(folder, x, 1, 2, 1);
        assertThat(y.shape()).isEqualTo(Shape.of(1, 2, 2));
        double first = Math.tanh(2 * 0.5 + 0.1);
        double last = Math.tanh(-3 + 0.2);
        same(y, first, Math.tanh(1.5 + 0.2 - 0.5 * last), Math.tanh(-2 + 0.1 + 0.5 * first), last);

        NcnnNet lstm = NcnnNet.of(1, 2).layer("LSTM", "0=1 1=4").tagged(1, 2, 3, 4);
        lstm.tagged(0.1f, 0.2f, 0.3f, 0.4f).tagged(-1, -2, -3, -4);
        double hidden = 0;
        double cell = 0;
        double[] states = new double[2];
        for (int i = 0; i < 2; i++) {
            double in = sigmoid(x[i] + 0.1 - hidden);
            double forget = sigmoid(2 * x[i] + 0.2 - 2 * hidden);
            double out = sigmoid(3 * x[i] + 0.3 - 3 * hidden);
            cell = forget * cell + in * Math.tanh(4 * x[i] + 0.4 - 4 * hidden);
            hidden = out * Math.tanh(cell);
            states[i] = hidden;
        }
        same(lstm.run(folder, x, 1, 2, 1), states);

        NcnnNet gru = NcnnNet.of(1, 2).layer("GRU", "0=1 1=3 2=1").tagged(1, 2, 3);
        gru.tagged(0.1f, 0.2f, 0.3f, 0.4f).tagged(-1, -2, -3);
        hidden = 0;
        for (int i = 1; i >= 0; i--) {
            double reset = sigmoid(x[i] + 0.1 - hidden);
            double update = sigmoid(2 * x[i] + 0.2 - 2 * hidden);
            double fresh = Math.tanh(3 * x[i] + 0.3 + reset * (-3 * hidden + 0.4));
            hidden = (1 - update) * fresh + update * hidden;
            states[i] = hidden;
        }
        same(gru.run(folder, x, 1, 2, 1), states);
        NcnnNet.unsupported(
                folder,
                NcnnNet.of(1, 2).line("LSTM l 1 3 x y h c 0=1 1=4"),
                "states as blobs, or other blobs than (h, w)");
    }
}
