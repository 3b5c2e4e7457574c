package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers of detectors, with boxes worked out by hand. */
class CaffeDetectionLayersTest {

    private static final Offset<Float> TOLERANCE = Offset.offset(1e-5f);

    @TempDir
    Path folder;

    private static String detector(String params) {
        return """
                input: 'loc' input_shape { dim: 1 dim: 12 }
                input: 'conf' input_shape { dim: 1 dim: 6 }
                input: 'priors' input_shape { dim: 1 dim: 2 dim: 12 }
                layer { name: 'd' type: 'DetectionOutput' bottom: 'loc' bottom: 'conf' bottom: 'priors' top: 'd'
                        detection_output_param { num_classes: 2 %s } }
                """.formatted(params);
    }

    private float[] detect(String params, float[] loc, float[] conf, float[] priors) throws IOException {
        Map<String, Tensor> outputs = CaffeNet.run(
                CaffeNet.of(detector(params)).write(folder, "net"),
                Map.of(
                        "loc",
                        Tensor.of(loc, 1, 12),
                        "conf",
                        Tensor.of(conf, 1, 6),
                        "priors",
                        Tensor.of(priors, 1, 2, 12)));
        return Objects.requireNonNull(outputs.get("d")).toFloatArray();
    }

    private static final float[] PRIORS = {
        0.1f, 0.1f, 0.3f, 0.3f, 0.12f, 0.1f, 0.32f, 0.3f, 0.6f, 0.6f, 0.8f, 0.9f,
        0.1f, 0.1f, 0.2f, 0.2f, 0.1f, 0.1f, 0.2f, 0.2f, 0.1f, 0.1f, 0.2f, 0.2f,
    };

    @Test
    void overlappingBoxesAreLeftOutAndRowsLeftOverAreMarked() throws IOException {
        float[] rows = detect(
                "keep_top_k: 3 confidence_threshold: 0.2 nms_param { nms_threshold: 0.45 top_k: 10 } code_type: CENTER_SIZE",
                new float[12],
                new float[] {0.1f, 0.9f, 0.4f, 0.6f, 0.3f, 0.7f},
                PRIORS);

        assertThat(rows)
                .containsExactly(
                        new float[] {
                            0, 1, 0.9f, 0.1f, 0.1f, 0.3f, 0.3f, 0, 1, 0.7f, 0.6f, 0.6f, 0.8f, 0.9f, -1, -1, -1, -1, -1,
                            -1, -1
                        },
                        TOLERANCE);
    }

    @Test
    void variancesScaleWhatIsAddedToThePrior() throws IOException {
        float[] loc = {1, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};
        float[] conf = {0.1f, 0.9f, 0.9f, 0.1f, 0.9f, 0.1f};
        String one = "keep_top_k: 1 nms_param { nms_threshold: 0.3 } ";

        assertThat(detect(one, loc, conf, PRIORS))
                .containsExactly(new float[] {0, 1, 0.9f, 0.2f, 0.3f, 0.5f, 0.5f}, TOLERANCE);
        assertThat(detect(one + "code_type: CORNER_SIZE", loc, conf, PRIORS))
                .containsExactly(new float[] {0, 1, 0.9f, 0.12f, 0.14f, 0.34f, 0.34f}, TOLERANCE);
        assertThat(detect(one + "variance_encoded_in_target: true clip: true", loc, conf, PRIORS))
                .containsExactly(new float[] {0, 1, 0.9f, 1, 1, 1, 1}, TOLERANCE);
        float half = (float) (0.1 * Math.exp(0.2));
        assertThat(detect(one + "code_type: 2", loc, conf, PRIORS))
                .containsExactly(
                        new float[] {0, 1, 0.9f, 0.22f - half, 0.24f - half, 0.22f + half, 0.24f + half}, TOLERANCE);
    }

    @Test
    void everyRowThatThereMayBeWhereNothingBoundsThem() throws IOException {
        float[] rows = detect(
                "background_label_id: -1 nms_param { nms_threshold: 1 top_k: 2 }",
                new float[12],
                new float[] {0.6f, 0.4f, 0.5f, 0.5f, 0.1f, 0.9f},
                PRIORS);

        assertThat(rows).hasSize(4 * 7);
        assertThat(new float[] {rows[1], rows[2], rows[8], rows[9], rows[15], rows[16], rows[22], rows[23]})
                .containsExactly(0, 0.6f, 0, 0.5f, 1, 0.9f, 1, 0.5f);
    }

    @Test
    void proposalsAreMovedBoxesInsideThePicture() throws IOException {
        String definition = """
                input: 's' input_shape { dim: 1 dim: 2 dim: 1 dim: 2 }
                input: 'd' input_shape { dim: 1 dim: 4 dim: 1 dim: 2 }
                input: 'i' input_shape { dim: 1 dim: 3 }
                layer { name: 'p' type: 'Proposal' bottom: 's' bottom: 'd' bottom: 'i' top: 'r' top: 'q'
                        proposal_param { feat_stride: 16 base_size: 16 min_size: 4 ratio: 1 scale: 1
                                         pre_nms_topn: 10 post_nms_topn: 3 nms_thresh: 0.7 } }
                layer { name: 'pool' type: 'ROIPooling' bottom: 'x' bottom: 'r' top: 'y'
                        roi_pooling_param { pooled_h: 1 pooled_w: 2 spatial_scale: 0.125 } }
                input: 'x' input_shape { dim: 1 dim: 1 dim: 2 dim: 4 }
                """;
        Map<String, Tensor> outputs = CaffeNet.run(
                CaffeNet.of(definition).write(folder, "net"),
                Map.of(
                        "s", Tensor.of(new float[] {0.5f, 0.5f, 0.2f, 0.8f}, 1, 2, 1, 2),
                        "d", Tensor.of(new float[] {0, 0.25f, 0, 0, 0, 0, 0, 0}, 1, 4, 1, 2),
                        "i", Tensor.of(new float[] {16, 32, 1}, 1, 3),
                        "x", Tensor.of(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 1, 1, 2, 4)));

        assertThat(Objects.requireNonNull(outputs.get("q")).toFloatArray())
                .containsExactly(new float[] {0.8f, 0.2f, 0}, TOLERANCE);
        // 20 to 31 is pixels 3 to 4 of which 4 is beyond; 0 to 15 is 0 to 2; the row that is left over is one pixel
        assertThat(Objects.requireNonNull(outputs.get("y")).toFloatArray()).containsExactly(8, 0, 6, 7, 1, 1);
    }

    @Test
    void windowsOfPositionSensitiveRegionsHaveChannelsOfTheirOwn() throws IOException {
        String definition = """
                input: 'x' input_shape { dim: 1 dim: 4 dim: 2 dim: 2 }
                input: 'r' input_shape { dim: 1 dim: 5 }
                layer { name: 'p' type: 'PSROIPooling' bottom: 'x' bottom: 'r' top: 'y'
                        psroi_pooling_param { spatial_scale: 0.5 output_dim: 1 group_size: 2 } }
                """;
        float[] x = new float[16];
        for (int i = 0; i < x.length; i++) {
            x[i] = i;
        }
        Map<String, Tensor> outputs = CaffeNet.run(
                CaffeNet.of(definition).write(folder, "net"),
                Map.of("x", Tensor.of(x, 1, 4, 2, 2), "r", Tensor.of(new float[] {0, 0, 0, 3, 3}, 1, 5)));

        assertThat(Objects.requireNonNull(outputs.get("y")).toFloatArray()).containsExactly(0, 5, 10, 15);
    }

    @Test
    void whatIsNotMeantIsRefused() throws IOException {
        assertThatThrownBy(() -> read(detector("clip: true normalized_bbox: false")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("layer DetectionOutput with 'clip' of boxes in pixels");
        assertThatThrownBy(() -> read(detector("objectness_score: 0.01")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("'objectness_score'");
        assertThatThrownBy(() -> read(detector("nms_param { soft: true }")))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("'nms_param.soft'");
        assertThatThrownBy(() -> read(detector("num_classes: 3")))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("conf must have a number for each prior and class");
        assertThatThrownBy(() -> read(detector("nms_param { nms_threshold: -1 }")))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("nms_threshold");
    }

    private void read(String definition) throws IOException {
        Importers.builtIn().read(CaffeNet.of(definition).write(folder, "net"));
    }
}
