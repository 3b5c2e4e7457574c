package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.image.Box;
import org.clinfer.image.BoxFormat;
import org.clinfer.image.Detection;
import org.clinfer.image.Detections;
import org.clinfer.image.Labels;
import org.clinfer.image.Picture;
import org.clinfer.image.PreparedPicture;
import org.clinfer.image.Preprocessing;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples for photographs, with the networks and photographs that stand beside the checkout. */
class PictureExamplesTest {

    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));

    @TempDir
    Path folder;

    private List<String> run(String program, Object... arguments) throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.exists(SETS), () -> SETS + " is not there");
        Path printed = folder.resolve("printed.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Djava.awt.headless=true",
                "-cp",
                System.getProperty("java.class.path"),
                "examples/pictures/" + program));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        int code = process.waitFor();
        List<String> lines = Files.readAllLines(printed, StandardCharsets.UTF_8);
        assertThat(code).as("%s", lines).isZero();
        return lines;
    }

    @Test
    void theClassifierKnowsASpaceShuttle() throws IOException, InterruptedException {
        List<String> lines = run(
                "Classifier.java",
                SETS.resolve("models/squeezenet_v1.1/squeezenet_v1.1.param"),
                SETS.resolve("images/synset_words.txt"),
                SETS.resolve("images/space_shuttle.jpg"));
        assertThat(lines.stream().filter(line -> line.startsWith("n0")).toList())
                .hasSize(5)
                .first()
                .asString()
                .contains("space shuttle");
    }

    @Test
    void theDetectorFindsTheFace() throws IOException, InterruptedException {
        Path marked = folder.resolve("marked.png");
        List<String> lines = run(
                "Detector.java",
                SETS.resolve("models/ultraface_rfb320/version-RFB-320.onnx"),
                SETS.resolve("images/face.jpg"),
                marked);
        assertThat(lines.stream().filter(line -> line.startsWith("face ")).toList())
                .hasSize(1);
        assertThat(marked).isNotEmptyFile();
    }

    /** The scores of darknet's layer are products with the objectness already, which is as a background then. */
    @Test
    void headsOfSeveralSizesAreJoined() throws IOException {
        Assumptions.assumeTrue(Files.exists(SETS), () -> SETS + " is not there");
        Detections yolo = Detections.yolo()
                .withFormat(BoxFormat.CXCYWH, true)
                .withObjectness(false)
                .withBackground(true)
                .withLabels(Labels.read(SETS.resolve("images/coco.names")));
        Picture picture = Picture.of(SETS.resolve("images/dog.jpg"));
        try (Engine engine = Engine.open(EngineOptions.defaults());
                Model model = engine.load(SETS.resolve("models/yolo_fastest_1.1/yolo-fastest-1.1.cfg"));
                Session session = model.session();
                PreparedPicture input = Preprocessing.defaults()
                        .prepare(picture, model.inputs().get(0).type());
                Result result = session.run(Map.of("data", input.tensor()));
                Tensor boxes = Tensor.joined(
                        TensorType.of(DType.FLOAT32, 1500, 85),
                        List.copyOf(result.outputs().values()))) {
            List<Detection> found = yolo.of(boxes, input);
            assertThat(found).extracting(Detection::name).contains("dog", "bicycle", "car");
            Detection dog = found.stream()
                    .filter(each -> each.name().equals("dog"))
                    .findFirst()
                    .orElseThrow();
            assertThat(dog.box().iou(new Box(131, 220, 310, 540))).isGreaterThan(0.5);
        }
    }
}
