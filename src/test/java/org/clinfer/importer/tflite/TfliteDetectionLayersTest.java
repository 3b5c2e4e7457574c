package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.GraphException;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Detectors: boxes by anchors, without those that overlap a better one. */
class TfliteDetectionLayersTest {

    @TempDir
    Path folder;

    private List<Tensor> run(byte[] options) throws IOException {
        Tensor boxes = Tensor.of(new float[] {0, 0, 0, 0, 0, 0, 0, 0, 1, -1, 0.5f, 0}, 1, 3, 4);
        Tensor scores = Tensor.of(new float[] {0.9f, 0.3f, 0.6f, 0.9f, 0.8f, 0.2f, 0.9f, 0.05f, 0.4f}, 1, 3, 3);
        return List.copyOf(TfliteDetector.network(options)
                .run(folder, Map.of("boxes", boxes, "scores", scores))
                .values());
    }

    private static void same(Tensor tensor, double... wanted) {
        assertThat(tensor.toDoubleArray()).hasSize(wanted.length);
        for (int i = 0; i < wanted.length; i++) {
            assertThat(tensor.getDouble(i)).as("element %s", i).isCloseTo(wanted[i], within(1e-5));
        }
    }

    @Test
    void theBestBoxesThatDoNotOverlap() throws IOException {
        List<Tensor> results = run(TfliteDetector.options(false, 4, 0.5f));
        double half = 0.1 * Math.exp(0.1);
        assertThat(results.get(0).shape()).isEqualTo(Shape.of(1, 4, 4));
        same(results.get(0), 0.3, 0.32, 0.7, 0.72, 0.22 - half, 0.08, 0.22 + half, 0.28, 0, 0, 0, 0, 0, 0, 0, 0);
        same(results.get(1), 0, 1, 0, 0);
        same(results.get(2), 0.8, 0.4, 0, 0);
        same(results.get(3), 2);
    }

    @Test
    void boxesMayOverlap() throws IOException {
        List<Tensor> results = run(TfliteDetector.options(false, 4, 0.99f));
        same(results.get(1), 0, 1, 1, 0);
        same(results.get(2), 0.8, 0.6, 0.4, 0);
        same(results.get(3), 3);
    }

    @Test
    void optionsThatAreNotRead() {
        assertThatThrownBy(() -> run(TfliteDetector.options(true, 4, 0.5f)))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("with use_regular_nms is not supported");
        assertThatThrownBy(() -> run(TfliteDetector.options(false, 0, 0.5f)))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("its options are");
        assertThatThrownBy(() -> run(new byte[] {1, 2, 3}))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("TFLite_Detection_PostProcess");
    }
}
