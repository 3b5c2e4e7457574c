package org.clinfer.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.device.DeviceFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileDraftTest {

    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();

    @TempDir
    private Path folder;

    private static DeviceFacts device(String name, Map<String, Long> limits, Set<String> extensions) {
        return new DeviceFacts(name, "Acme", "1.0", "Acme CL", "3.0", DeviceFacts.Kind.GPU, extensions, limits);
    }

    private DeviceProfile drafted(DeviceFacts device) throws IOException {
        Path file = folder.resolve("own.ini");
        Files.writeString(file, ProfileDraft.of(device, PROFILES));
        assertThat(ProfileReview.of(file, PROFILES, Set.of(), () -> Optional.of(device))
                        .findings())
                .noneMatch(finding -> finding.level() != ProfileFinding.Level.NOTE);
        return PROFILES.find(file.toString());
    }

    private static String figure(DeviceProfile profile, String key) {
        return profile.figure("OpenCL." + key).orElseThrow().value();
    }

    @Test
    void saysWhatTheDeviceReports() throws IOException {
        DeviceProfile profile = drafted(device(
                "Card 7",
                Map.of("max_mem_alloc_size", 123L, "global_mem_size", 456L, "full_profile", 1L, "max_samplers", -1L),
                Set.of("cl_khr_fp16")));
        assertThat(profile.rules().family()).isEqualTo("opencl");
        assertThat(profile.title()).isEqualTo("Card 7");
        assertThat(profile.vendor()).isEqualTo("Acme");
        assertThat(profile.source()).contains("clGetDeviceInfo", "Acme CL", "driver 1.0", "OpenCL 3.0");
        assertThat(profile.figures().keySet())
                .isEqualTo(PROFILES.find("opencl-full").figures().keySet());
        assertThat(figure(profile, "max_mem_alloc_size")).isEqualTo("123");
        assertThat(profile.memory()).hasValue(456);
        assertThat(figure(profile, "local_mem_size")).as("not answered").isEmpty();
        assertThat(figure(profile, "max_samplers")).as("above 2^63").isEmpty();
        assertThat(figure(profile, "fp16")).isEqualTo("true");
        assertThat(figure(profile, "fp64")).isEqualTo("false");
        assertThat(figure(profile, "int64")).isEqualTo("true");
    }

    @Test
    void integersOf64BitsAreAnExtensionOfTheEmbeddedProfile() throws IOException {
        assertThat(figure(drafted(device("c", Map.of("full_profile", 0L), Set.of())), "int64"))
                .isEqualTo("false");
        DeviceFacts with = device("c", Map.of("full_profile", 0L), Set.of("cles_khr_int64", "cl_khr_fp64"));
        assertThat(figure(drafted(with), "int64")).isEqualTo("true");
        assertThat(figure(drafted(with), "fp64")).isEqualTo("true");
    }

    @Test
    void namesOfDevicesCannotBreakTheFile() throws IOException {
        assertThat(drafted(device("a\n[clinfer]\nfamily = x\\", Map.of(), Set.of()))
                        .title())
                .isEqualTo("a [clinfer] family = x");
        assertThat(drafted(device(" \\ \\", Map.of(), Set.of())).title()).isEqualTo("OpenCL device");
        assertThat(drafted(device("k".repeat(10_000), Map.of(), Set.of())).title())
                .hasSize(200);
    }
}
