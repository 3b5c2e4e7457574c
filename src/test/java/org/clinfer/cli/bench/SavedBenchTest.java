package org.clinfer.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.clinfer.cli.io.BadFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Files of earlier measurements, sound and damaged. */
class SavedBenchTest {

    private static final String SOUND = "{'model': 'a.onnx', 'device': 'cpu', 'median_ms': 2.5, 'runs': 3";

    @TempDir
    private Path folder;

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("saved"), content.replace('\'', '"'));
    }

    @Test
    void jsonHasThePeaksOfItsDeviceInEachModel() throws IOException {
        List<JsonNode> models = SavedBench.read(
                file("{'peak_gflops': 90.5, 'copy_gb_per_s': 9.5, 'models': [" + SOUND + "}, " + SOUND + "}]}"));
        assertThat(models).hasSize(2).allSatisfy(model -> {
            assertThat(model.get("peak_gflops").asDouble()).isEqualTo(90.5);
            assertThat(model.get("copy_gb_per_s").asDouble()).isEqualTo(9.5);
            assertThat(model.get("saved_in").asString()).endsWith("saved");
        });
    }

    @Test
    void aPeakWithoutTheOtherIsNone() throws IOException {
        JsonNode model = SavedBench.read(
                        file("{'peak_gflops': 90.5, 'copy_gb_per_s': null, 'models': [" + SOUND + "}]}"))
                .get(0);
        assertThat(model.get("peak_gflops").isNull()).isTrue();
        assertThat(model.get("copy_gb_per_s").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "# text                                        | not valid JSON",
                "<html></html>                                 | not valid JSON",
                "<script type='application/json' id='data'>{   | not valid JSON",
                "[1, 2]                                        | it has no models",
                "{'models': []}                                | it has no models",
                "{'models': [7]}                               | models[0] is no object",
                "{'models': [{'model': 'a', 'device': 'cpu', 'runs': 1}]}         | models[0] has no number 'median_ms'",
                "{'models': [{'device': 'cpu', 'median_ms': 1, 'runs': 1}]}       | models[0] has no text 'model'",
                "{'models': [MODEL, 'operators': 7}]}          | models[0].operators is no list",
                "{'models': [MODEL, 'timeline': [{'track': 'host', 'name': 'x', 'us': '0', 'dur': 1}]}]}"
                        + " | models[0].timeline[0] has no number 'us'",
                "{'models': [MODEL, 'nodes': [null]}]}         | models[0].nodes[0] is no object",
            })
    void anythingElseIsRefusedInOneLine(String content, String why) throws IOException {
        Path file = file(content.replace("MODEL", SOUND));
        assertThatThrownBy(() -> SavedBench.read(file))
                .isInstanceOf(BadFileException.class)
                .hasMessageContaining(why)
                .hasMessageContaining("saved");
    }
}
