package org.clinfer.importer.onnx.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.onnx.export.RoundTrip.MEMORY;
import static org.clinfer.importer.onnx.export.RoundTrip.params;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Operators of which data decide how many results there are, written as ONNX and read again. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CountedExportTest {

    @TempDir
    Path folder;

    private final RoundTrip files = new RoundTrip(() -> folder);

    @AfterAll
    void close() {
        files.close();
    }

    private static GraphBuilder boxes(DType dtype) {
        Params params = params().put("max_output_boxes_per_class", 3)
                .put("iou_threshold", 0.25)
                .put("score_threshold", 0.5);
        return new GraphBuilder("boxes", MEMORY)
                .input("boxes", TensorType.of(dtype, 2, 6, 4))
                .input("scores", TensorType.of(dtype, 2, 3, 6))
                .node("nms", "NonMaxSuppression", List.of("boxes", "scores"), List.of("chosen", "count"), params.map());
    }

    private static GraphBuilder cut(GraphBuilder graph, String value, long axis) {
        Params first = params().put("starts", new long[] {0}).put("axes", new long[] {axis});
        return graph.node("cut", "Slice", List.of(value, "", "count"), List.of("found"), first.map())
                .output("found");
    }

    @Test
    void resultsThatAreCutToTheirNumberAreThoseOfOnnx() throws IOException {
        Graph graph = cut(boxes(DType.FLOAT32), "chosen", 0).build();
        files.same(graph, "boxes");
        assertThat(files.operators(graph)).containsExactly("NonMaxSuppression", "Shape", "Slice");
        GraphBuilder places = new GraphBuilder("places", MEMORY)
                .input("x", TensorType.of(DType.FLOAT32, 3, 4))
                .node("places", "NonZero", List.of("x"), List.of("all", "count"), Map.of());
        files.same(cut(places, "all", 1).build(), "places");
    }

    @Test
    void othersHaveRoomForAll() throws IOException {
        files.same(boxes(DType.FLOAT16).output("chosen").output("count").build(), "boxes");
        files.same(boxes(DType.FLOAT32).output("chosen").build(), "boxes without their number");
        GraphBuilder places = new GraphBuilder("places", MEMORY)
                .input("x", TensorType.of(DType.BOOL, 3, 4))
                .node("places", "NonZero", List.of("x"), List.of("all", "count"), Map.of());
        files.same(cut(places, "all", 1).output("all").build(), "places");
    }

    /** A cut along another axis is none. */
    @Test
    void otherSlicesReadTheRoom() throws IOException {
        Graph graph = cut(boxes(DType.FLOAT32), "chosen", 1).build();
        assertThat(files.operators(graph)).contains("Pad");
    }

    @Test
    void whatOnnxCannotSayIsRefused() {
        Shape open = new Shape(List.of(Dim.named("n")));
        Graph unknown = new GraphBuilder("places", MEMORY)
                .input("x", new TensorType(DType.FLOAT32, open))
                .node("places", "NonZero", List.of("x"), List.of("all"), Map.of())
                .output("all")
                .build();
        assertThat(RoundTrip.refusal(unknown)).contains("room for results whose largest number is not known");
        assertThat(RoundTrip.refusal(boxes(DType.FLOAT64).output("chosen").build()))
                .contains("elements of float64");
    }
}
