package org.clinfer.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configurations that do not fit the models beside them. */
@Timeout(60)
class ModelConfigurationTest {

    @TempDir
    private Path repository;

    private RepositoryService opened(String config) throws IOException {
        ServedModels.write(repository, "scaled", 2, 2, 2);
        Files.writeString(repository.resolve("scaled/config.pbtxt"), config);
        EngineOptions engine =
                EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(1);
        RepositoryService service = RepositoryService.open(repository, ServiceOptions.of(engine), "1.0");
        service.loadAll();
        return service;
    }

    @Test
    void versionsThatAreNotThereAreSaid() throws IOException {
        try (RepositoryService service = opened("version_policy: { specific: { versions: [7] } }")) {
            assertThat(service.index(false).get(0).reason())
                    .isEqualTo(
                            "scaled: has none of the versions that version_policy in config.pbtxt names; there are [2]");
        }
    }

    @Test
    void aBatchThatIsLargerThanATensorLeavesTheModelWarmForOneRow() throws IOException {
        try (RepositoryService service = opened("max_batch_size: 2147483647")) {
            WarmUp.Outcome warmUp = service.loaded().get(0).warmUp();
            assertThat(warmUp.note()).contains("a batch of 2147483647 rows is larger than a tensor can be");
            assertThat(warmUp.onProcessor()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "input { name: 'xx' dims: 2 }; `[the model has no input 'xx'; there are [x]]`",
                "input { name: 'x' dims: 3 }; [the dims of input 'x' are [3], but it is batchx2:float32]",
                "input { name: 'x' dims: [1, 1, 2] }; [the dims of input 'x' are [1, 1, 2], but it is batchx2:float32]",
                "input { name: 'x' dims: 2 }; []",
                "input { name: 'x' dims: [-1, 2] }; []",
                "input { name: 'x' data_type: TYPE_FP32 }; []"
            })
    void inputsThatAreNotThoseOfTheModelAreTold(String text, String misfits) throws IOException {
        Path file = repository.resolve("model.json");
        ServedModels.write(file, 2, 2);
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(file)) {
            assertThat(WarmUp.misfits(model, ModelConfigFile.parse(text))).hasToString(misfits);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "instance_group [ { kind: KIND_TPU } ]; "
                        + "`line 1, column 26: there is no value KIND_TPU; there are KIND_AUTO, KIND_GPU, KIND_CPU, KIND_MODEL`",
                "max_batch_size: \"8\"; `line 1, column 17: expected a number, found \"8\"`",
                "max_batch_size: eight, platform: 'x'; `line 1, column 17: expected a number, found eight`",
                "dynamic_batching: [ ]; `line 1, column 19: Expected \"{\".`",
                "max_batch_size: -1; max_batch_size is -1",
                "version_policy { latest { num_versions: 0 } }; `num_versions must be from 1 to 2147483647, but is 0`"
            })
    void mistakesAreToldWithTheirPlace(String text, String sentence) {
        assertThatThrownBy(() -> ModelConfigFile.parse(text))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @Test
    void aVersionWithoutTheFileThatIsNamedIsSaid() throws IOException {
        try (RepositoryService service = opened("default_model_filename: \"net.onnx\"")) {
            assertThat(service.index(false).get(0).reason())
                    .isEqualTo("scaled/2: has no model file; looked for net.onnx");
        }
    }
}
