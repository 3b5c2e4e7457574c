package org.clinfer.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.Test;

/** SavedModels that TensorFlow wrote, and what it computed with them; {@code test-data/savedmodel/make.py} makes them. */
class SavedModelRecordedTest {

    private static final Path MODELS = Path.of("test-data/savedmodel");

    private static void check(DeviceChoice device) throws IOException {
        Map<String, String> outcomes = new TreeMap<>();
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(device))) {
            CaseRunner runner =
                    new CaseRunner(engine, new Tolerance(Optional.empty(), Optional.empty()), RecordedLayout.ASIS);
            for (TestCase test : CaseFinder.find(MODELS)) {
                Outcome outcome = runner.run(test);
                outcomes.put(test.name(), outcome instanceof Outcome.Pass ? "passed" : outcome.toString());
            }
        }
        assertThat(outcomes)
                .containsOnlyKeys(
                        "savedmodel/attention/ref",
                        "savedmodel/classifier/ref",
                        "savedmodel/conditions/ref",
                        "savedmodel/convolution-lstm/ref",
                        "savedmodel/first-control/ref",
                        "savedmodel/first-version/ref",
                        "savedmodel/first-version-resources/ref",
                        "savedmodel/gru-masked/ref",
                        "savedmodel/keras/ref",
                        "savedmodel/keras-saved/ref",
                        "savedmodel/lists/ref",
                        "savedmodel/loops/ref",
                        "savedmodel/lstm/ref",
                        "savedmodel/words/ref");
        assertThat(outcomes.values()).containsOnly("passed");
    }

    @Test
    void onTheCpu() throws IOException {
        check(new DeviceChoice.Cpu());
    }

    @Test
    @RequiresOpenCl(ClBinding.LWJGL)
    void onTheDevice() throws IOException {
        check(new DeviceChoice.FirstOpenCl());
    }
}
