package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands print has the width of the terminal, and always the same where there is none. */
class ScreenTest {

    private static final Path MODEL = Path.of("src/main/resources/org/clinfer/demo/shapes.onnx");

    @AfterEach
    void anyWidth() {
        System.clearProperty(Screen.WIDTH_PROPERTY);
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 100, 200})
    void noLineIsLonger(int width) {
        System.setProperty(Screen.WIDTH_PROPERTY, Integer.toString(width));

        assertFits(width, "ops");
        assertFits(width, "ops", "Conv2d");
        assertFits(width, "profiles");
        assertFits(width, "profiles", "ascend910b1");
        assertFits(width, "profiles", "--diff", "ascend310", "ascend910b1");
        assertFits(width, "check", MODEL, "--profile", "ascend310");
        assertFits(width, "check", MODEL, "--profile", "ascend310", "--profile", "dla-orin", "--explain");
        assertFits(width, "run", MODEL, "--device", "cpu", "--input", "random", "--placement");
        assertFits(width, "bench", MODEL, "--device", "cpu", "--runs", "1", "--warmup", "0", "--by-operator");
    }

    private static void assertFits(int width, Object... command) {
        Ran ran = clinfer(command);

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).isNotEmpty().allMatch(line -> line.length() <= width);
    }

    @Test
    void widthsAreWithinBounds() {
        System.setProperty(Screen.WIDTH_PROPERTY, "20");
        assertThat(Screen.asked()).hasValue(80);
        System.setProperty(Screen.WIDTH_PROPERTY, "2000");
        assertThat(Screen.asked()).hasValue(200);
    }

    @Test
    void operatorsFitIntoAPipe() {
        assertThat(clinfer("ops").out()).allMatch(line -> line.length() <= 200).anyMatch(line -> line.length() > 150);
    }

    @Test
    void namesAreGoneThroughWordByWord() {
        System.setProperty(Screen.WIDTH_PROPERTY, "80");

        assertThat(clinfer("ops").out())
                .anyMatch(line -> line.matches("Xor +both bool +a xor b.*"))
                .anyMatch(line -> line.startsWith("Shape ") && line.contains("cpu int8..64 uint8..64"));
    }
}
