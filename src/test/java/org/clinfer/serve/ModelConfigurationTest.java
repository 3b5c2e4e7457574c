package org.clinfer.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.DeviceChoice;
import org.clinfer.EngineOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
}
