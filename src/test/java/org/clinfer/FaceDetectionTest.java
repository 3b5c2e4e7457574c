package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example of three networks in a row, with the networks and photographs that stand beside the checkout. */
class FaceDetectionTest {

    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));

    @TempDir
    Path folder;

    /** The photograph of a group has about 50 people, some of them half hidden. */
    @ParameterizedTest
    @CsvSource({"face.jpg, 1, 1", "faces.jpg, 45, 56"})
    void findsFaces(String picture, int least, int most) throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.exists(SETS), () -> SETS + " is not there");
        Path printed = folder.resolve("printed.txt");
        Path marked = folder.resolve("marked.png");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.awt.headless=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "examples/face-detection/FaceDetection.java",
                        SETS.resolve("models").toString(),
                        SETS.resolve("images").resolve(picture).toString(),
                        marked.toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        String text = process.waitFor() + "\n" + Files.readString(printed, StandardCharsets.UTF_8);
        assertThat(text).startsWith("0\n");
        assertThat(text.lines().filter(line -> line.startsWith("face ")).count())
                .isBetween((long) least, (long) most);
        assertThat(marked).isNotEmptyFile();
    }
}
