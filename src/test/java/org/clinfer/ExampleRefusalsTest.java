package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Examples that are given what they do not take: each ends with one sentence. */
class ExampleRefusalsTest {

    private static final String OTHER = "test-data/models/two_branches/model.json";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "decoder/GreedyDecoder | " + OTHER + " 3 1 | GreedyDecoder: the model is no such decoder: it takes [",
                "decoder/GreedyDecoder | none.onnx 3 1     | GreedyDecoder: none.onnx: no such file",
                "decoder/GreedyDecoder | none.onnx many 1  | GreedyDecoder: not a whole number: ",
                "embedding/TextEmbedding | " + OTHER + " 1,2 | TextEmbedding: the model is no such encoder: it takes [",
                "embedding/TextEmbedding | none.onnx 1,2     | TextEmbedding: none.onnx: no such file",
                "embedding/TextEmbedding | none.onnx one,2   | TextEmbedding: not a whole number: ",
            })
    void isOneSentence(String example, String arguments, String sentence) throws IOException, InterruptedException {
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-Dclinfer.opencl.library=/nonexistent",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "examples/" + example + ".java"),
                        Stream.of(arguments.split(" ", -1)))
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isEqualTo(2);
        assertThat(text.lines()).last().asString().startsWith(sentence);
        assertThat(text).doesNotContain("Exception", "\tat ");
    }
}
