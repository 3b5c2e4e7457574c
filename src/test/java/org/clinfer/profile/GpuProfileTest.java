package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.GpuFigures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The facts and figures of GPUs that are known by their profiles. */
class GpuProfileTest {

    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();

    static Stream<DeviceProfile> gpus() {
        return PROFILES.profiles().stream().filter(profile -> profile.rules().isRunByKernels());
    }

    @ParameterizedTest
    @MethodSource("gpus")
    void everyGpuSaysWhatALiveOneWouldSay(DeviceProfile profile) {
        DeviceFacts facts = GpuProfile.facts(profile);
        assertThat(facts.kind()).isEqualTo(DeviceFacts.Kind.GPU);
        assertThat(facts.limits())
                .containsKeys(
                        "max_compute_units",
                        "max_work_group_size",
                        "local_mem_size",
                        "global_mem_size",
                        "max_mem_alloc_size",
                        "mem_base_addr_align",
                        "host_unified_memory");
        assertThat(facts.limit("max_compute_units", 0)
                        % facts.figures().orElseThrow().units())
                .isZero();
    }

    /** Operations of float32 in billions a second, a multiply-add being two. */
    @ParameterizedTest
    @CsvSource({
        "h200, 66900, 132",
        "a100, 19490, 108",
        "rx7900xtx, 30720, 48",
        "arc-a770, 17200, 32",
        "iris-xe, 1997, 6"
    })
    void peaksAreThoseThatVendorsState(String name, double gflops, int units) {
        GpuFigures figures = GpuProfile.facts(PROFILES.find(name)).figures().orElseThrow();
        assertThat(2e-9 * figures.multiplyAddsPerSecond()).isBetween(0.995 * gflops, 1.005 * gflops);
        assertThat(figures.units()).isEqualTo(units);
    }

    @Test
    void extensionsAreThoseThatTheProfileFlags() {
        assertThat(GpuProfile.facts(PROFILES.find("h200")).extensions()).containsExactly("cl_khr_fp64");
        assertThat(GpuProfile.facts(PROFILES.find("arc-a770")).extensions()).containsExactly("cl_khr_fp16");
    }

    @TempDir
    Path folder;

    private DeviceProfile changed(String line, String other) throws IOException {
        String text = Files.readString(Path.of("device-profiles/h200.ini"));
        assertThat(text).containsOnlyOnce(line);
        Path file = Files.writeString(folder.resolve("mine.ini"), text.replace(line, other));
        return PROFILES.find(file.toString());
    }

    @Test
    void aFigureThatIsMissingOrNoNumberIsNamed() throws IOException {
        DeviceProfile without = changed("clock_hz                   = 1980000000\n", "");
        assertThatThrownBy(() -> GpuProfile.facts(without))
                .isInstanceOf(ProfileException.class)
                .hasMessageEndingWith("mine.ini: [Speed] has no 'clock_hz'");
        DeviceProfile text = changed("unit_items                 = 2048", "unit_items                 = many");
        assertThatThrownBy(() -> GpuProfile.facts(text))
                .isInstanceOf(ProfileException.class)
                .hasMessageContaining("unit_items: expected a number, found 'many'");
        DeviceProfile none = changed("\nunits                      = 132", "\nunits                      = 0");
        assertThatThrownBy(() -> GpuProfile.facts(none))
                .isInstanceOf(ProfileException.class)
                .hasMessageContaining("figures of a GPU must be above 0");
    }
}
