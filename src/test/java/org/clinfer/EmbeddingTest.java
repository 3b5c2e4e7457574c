package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.onnx.Encoder;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small encoder of texts of the MiniLM kind. */
class EmbeddingTest {

    private static final int WIDTH = 32;
    private static final long[] FIRST = {1, 17, 4, 9, 2};
    private static final long[] SECOND = {1, 30, 2};
    private static final EngineOptions CPU = EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());

    @TempDir
    Path folder;

    private Path model = Path.of("");

    @BeforeEach
    void write() {
        model = Encoder.write(new Encoder.Sizes(2, WIDTH, 2, 64, 60, 16), folder);
    }

    /** The vectors of the tokens of a text by itself. */
    private static float[] states(Session session, long[] text) {
        Tensor mask = Tensor.allocate(DType.INT64, 1, text.length);
        for (int i = 0; i < text.length; i++) {
            mask.setLong(i, 1);
        }
        try (Result result = session.run(Map.of(
                "input_ids", Tensor.of(text, 1, text.length),
                "attention_mask", mask,
                "token_type_ids", Tensor.allocate(DType.INT64, 1, text.length)))) {
            return result.get("last_hidden_state").toFloatArray();
        }
    }

    private static double[] vector(Session session, long[] text) {
        float[] states = states(session, text);
        double[] vector = new double[WIDTH];
        double squares = 0;
        for (int i = 0; i < WIDTH; i++) {
            for (int token = 0; token < text.length; token++) {
                vector[i] += states[token * WIDTH + i];
            }
            squares += vector[i] * vector[i];
        }
        for (int i = 0; i < WIDTH; i++) {
            vector[i] /= Math.sqrt(squares);
        }
        return vector;
    }

    /** The example has both texts in one run, in which the shorter one is filled up. */
    @Test
    void theExampleGivesTheVectorOfEachText() throws IOException, InterruptedException {
        Path printed = folder.resolve("printed.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dclinfer.opencl.library=/nonexistent",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "examples/embedding/TextEmbedding.java",
                        model.toString(),
                        "1,17,4,9,2",
                        "1,30,2")
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        String text = process.waitFor() + "\n" + Files.readString(printed, StandardCharsets.UTF_8);
        try (Engine engine = Engine.open(CPU);
                Model loaded = engine.load(model);
                Session session = loaded.session()) {
            double[] first = vector(session, FIRST);
            double[] second = vector(session, SECOND);
            double product = 0;
            for (int i = 0; i < WIDTH; i++) {
                product += first[i] * second[i];
            }
            assertThat(text).startsWith("0\n").contains(" tokens/s");
            List<String> lines =
                    text.lines().filter(line -> line.contains("product")).toList();
            assertThat(lines).hasSize(2);
            assertLine(lines.get(0), first, 1);
            assertLine(lines.get(1), second, product);
        }
    }

    private static void assertLine(String line, double[] vector, double product) {
        String[] words = line.split(" ", -1);
        for (int i = 0; i < 3; i++) {
            assertThat(Double.parseDouble(words[i])).isCloseTo(vector[i], within(2e-4));
        }
        assertThat(Double.parseDouble(words[words.length - 1])).isCloseTo(product, within(2e-4));
    }

    /** Ids go to the device, and the vectors of all tokens come from it: nothing is the CPU's between them. */
    @Test
    @RequiresOpenCl
    void aDeviceComputesAllOfIt() {
        EngineOptions device = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withTrust(true)
                .withOnUnsupported(OnUnsupported.FAIL);
        try (Engine engine = Engine.open(device);
                Model loaded = engine.load(model);
                Session session = loaded.session();
                Engine other = Engine.open(CPU);
                Model same = other.load(model);
                Session expected = same.session()) {
            for (long[] text : new long[][] {FIRST, SECOND, FIRST}) {
                assertThat(states(session, text)).containsExactly(states(expected, text), within(1e-4f));
            }
        }
    }
}
