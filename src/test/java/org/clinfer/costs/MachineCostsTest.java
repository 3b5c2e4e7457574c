package org.clinfer.costs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.clinfer.files.JsonTree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineCostsTest {

    private static final Path FILE = Path.of("src/main/resources/org/clinfer/costs/machine.json");

    private static final MachineCosts COSTS = MachineCosts.builtIn();

    private static String text() throws IOException {
        return Files.readString(FILE);
    }

    /** The JSON name of a component. */
    private static String label(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    private static Map<?, ?> group(Object json, String name) {
        return (Map<?, ?>) Objects.requireNonNull(((Map<?, ?>) json).get(name), name);
    }

    /** Each component of a record has the figure of its name. */
    private static void assertFigures(Record figures, Map<?, ?> json) throws ReflectiveOperationException {
        for (RecordComponent component : figures.getClass().getRecordComponents()) {
            Object value = component.getAccessor().invoke(figures);
            Object written = json.get(label(component));
            if (value instanceof List) {
                assertThat(value).as(component.getName()).isEqualTo(written);
            } else if (!(value instanceof Map)) {
                assertThat(((Number) value).doubleValue())
                        .as(component.getName())
                        .isEqualTo(((Number) Objects.requireNonNull(written, label(component))).doubleValue());
            }
        }
    }

    @Test
    void everyFigureIsThatOfItsName() throws IOException, ReflectiveOperationException {
        Object json = JsonTree.read(text().getBytes(UTF_8));
        for (RecordComponent component : MachineCosts.class.getRecordComponents()) {
            if (component.getAccessor().invoke(COSTS) instanceof Record figures) {
                assertFigures(figures, group(json, label(component)));
            }
        }
        Map<?, ?> host = group(json, "host");
        for (CpuLoop loop : CpuLoop.values()) {
            assertFigures(Objects.requireNonNull(COSTS.host().loops().get(loop)), group(host, loop.label() + "_loop"));
        }
        assertThat(COSTS.hostShare()).isEqualTo(group(json, "placement").get("host_share"));
        assertThat(COSTS.lentOutputBytes()).isEqualTo(group(json, "transfers").get("lent_output_bytes"));
    }

    @Test
    void eachSizeOfATileHasItsWork() {
        MachineCosts.Tiles tiles = COSTS.tiles();
        assertThat(tiles.convolutionWork()).hasSameSizeAs(tiles.sizes());
        assertThat(tiles.productWork()).hasSameSizeAs(tiles.sizes());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "\"wake_nanos\": 50000, ~ '' ~ machine.json.threads.wake_nanos: is missing",
                "\"wake_nanos\" ~ \"waking_nanos\" ~ machine.json.threads.wake_nanos: is missing",
                "\"wake_nanos\": 50000 ~ \"wake_nanos\": 5.5 ~ machine.json.threads.wake_nanos: expected another kind of value",
                "\"plain_factor\": 4 ~ \"plain_factor\": \"4\" ~ machine.json.host.plain_factor: expected another kind of value",
                "\"sizes\": [128, ~ \"sizes\": [0.5, ~ machine.json.tiles.sizes: expected whole numbers",
                "\"wake_nanos\" ~ \"more\": 1, \"wake_nanos\" ~ machine.json.threads: 'more' is unknown",
                "\"threads\": ~ \"threads\": 1, \"more\": ~ machine.json.threads: expected an object",
            })
    void aDamagedFileIsRefused(String good, String bad, String message) throws IOException {
        String text = text();
        assertThat(text).contains(good);
        byte[] damaged = text.replace(good, bad).getBytes(UTF_8);
        assertThatThrownBy(() -> CostReader.read(damaged, "machine.json"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
    }

    @Test
    void figuresWithoutAnExplanationOrASourceAreRefused() throws IOException {
        String text = text().replaceFirst("\"from\": \"guesses[^\"]*\",", "");
        assertThatThrownBy(() -> CostReader.read(text.getBytes(UTF_8), "machine.json"))
                .hasMessage("machine.json.gpu_device: 'from' is missing");
        String undocumented = text().replaceFirst("\"doc\": \"Maxima[^\"]*\",", "");
        assertThatThrownBy(() -> CostReader.read(undocumented.getBytes(UTF_8), "machine.json"))
                .hasMessage("machine.json.host.maximum_loop: 'doc' is missing");
    }
}
