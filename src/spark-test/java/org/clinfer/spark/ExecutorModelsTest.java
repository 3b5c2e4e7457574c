package org.clinfer.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.clinfer.errors.ClinferException;
import org.clinfer.errors.InputException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExecutorModelsTest {

    private static final EngineSettings CPU = new EngineSettings("cpu", "gpu", "float32", "cpu");

    @BeforeEach
    void nothingIsLoaded() {
        ExecutorModels.close();
    }

    @Test
    void aModelIsLoadedOnceForAllWhoShareIt() {
        NetworkFiles files = NetworkFiles.of(SampleNetworks.perceptron(2, 2));
        NetworkChoice network = new NetworkChoice(files.digest(), List.of("y"));
        AtomicInteger loads = new AtomicInteger();

        List<Long> models = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> {
                    try (ExecutorModels.Lease lease = ExecutorModels.lease(CPU, network, () -> {
                        loads.incrementAndGet();
                        return files;
                    })) {
                        return (long) System.identityHashCode(lease.model());
                    }
                })
                .distinct()
                .toList();

        assertThat(loads).hasValue(1);
        assertThat(models).hasSize(1);
    }

    @Test
    void idleModelsGoWhenOthersAreUsed() {
        for (int size = 1; size <= ExecutorModels.IDLE + 3; size++) {
            NetworkFiles files = NetworkFiles.of(SampleNetworks.perceptron(size, 2));
            ExecutorModels.lease(CPU, new NetworkChoice(files.digest(), List.of("y")), () -> files)
                    .close();
        }
        assertThat(ExecutorModels.models()).isEqualTo(ExecutorModels.IDLE);
        assertThat(ExecutorModels.engines()).isEqualTo(1);
    }

    @Test
    void aModelThatCannotBeLoadedIsNotKept() {
        NetworkFiles damaged = NetworkFiles.of(new byte[] {1, 2, 3});
        NetworkChoice network = new NetworkChoice(damaged.digest(), List.of("y"));

        assertThatThrownBy(() -> ExecutorModels.lease(CPU, network, () -> damaged))
                .isInstanceOf(ClinferException.class);

        assertThat(ExecutorModels.models()).isZero();
    }

    @Test
    void aDeviceThatIsNotThereIsASentence() {
        EngineSettings settings = new EngineSettings("977", "gpu", "float32", "cpu");
        NetworkFiles files = NetworkFiles.of(SampleNetworks.perceptron(2, 2));

        assertThatThrownBy(() ->
                        ExecutorModels.lease(settings, new NetworkChoice(files.digest(), List.of("y")), () -> files))
                .isInstanceOf(ClinferException.class)
                .hasMessageContaining("OpenCL");
        assertThatThrownBy(() -> new EngineSettings("cpu", "gpu", "float7", "cpu").options())
                .isInstanceOf(InputException.class)
                .hasMessageContaining("float7");
    }
}
