package org.clinfer.networks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.clinfer.predict.NodePrediction;
import org.clinfer.predict.PredictedLaunch;
import org.clinfer.profile.DeviceProfile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The predictions of {@code docs/benchmarks/gpu-model.md} are those of the code; {@code src/dev/gpu-model.sh} writes it. */
class GpuModelPageTest {

    private static final Path PAGE = Path.of("docs/benchmarks/gpu-model.md");

    @TempDir
    Path folder;

    /** The launches and milliseconds that the page has for a network, as {@code profile: 97 launches, 0.759 ms}. */
    private static List<String> written(String network) throws IOException {
        List<String> found = new ArrayList<>();
        Pattern heading = Pattern.compile("## .* \\(`(.*)`\\)");
        Pattern row = Pattern.compile("\\| " + Pattern.quote(network) + " \\| (\\d+) \\| ([0-9.]+) \\|.*");
        String profile = "";
        for (String line : Files.readAllLines(PAGE)) {
            Matcher title = heading.matcher(line);
            profile = title.matches() ? title.group(1) : profile;
            Matcher cells = row.matcher(line);
            if (cells.matches()) {
                found.add(profile + ": " + cells.group(1) + " launches, " + cells.group(2) + " ms");
            }
        }
        return found;
    }

    private static String predicted(DeviceProfile profile, List<PredictedLaunch> launches) {
        double millis = 1e3 * new NodePrediction(launches).seconds();
        return String.format(Locale.ROOT, "%s: %d launches, %.3f ms", profile.name(), launches.size(), millis);
    }

    @ParameterizedTest
    @EnumSource
    void thePageHasWhatIsPredicted(BenchmarkNetwork network) throws IOException {
        try (GpuPredictions predictions = new GpuPredictions(network, folder)) {
            assertThat(written(network.fileName()))
                    .as("src/dev/gpu-model.sh predictions writes them again")
                    .containsExactlyInAnyOrderElementsOf(GpuPredictions.gpus()
                            .map(profile -> predicted(profile, predictions.on(profile)))
                            .toList());
        }
    }
}
