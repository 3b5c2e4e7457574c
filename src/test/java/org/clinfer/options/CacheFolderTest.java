package org.clinfer.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CacheFolderTest {

    private static final String HOME = "/home/me";

    private static CacheFolder of(@Nullable String property, Map<String, String> environment) {
        return CacheFolder.of(property, environment, HOME);
    }

    @Test
    void isInTheHomeFolder() {
        assertThat(of(null, Map.of()).path()).contains(Path.of("/home/me/.cache/clinfer"));
        assertThat(of("", Map.of("CLINFER_CACHE", "")).path()).contains(Path.of("/home/me/.cache/clinfer"));
    }

    @Test
    void isWithTheUsersOtherCaches() {
        assertThat(of(null, Map.of("XDG_CACHE_HOME", "/var/me")).path()).contains(Path.of("/var/me/clinfer"));
        // a relative one is to be ignored, as its specification says
        assertThat(of(null, Map.of("XDG_CACHE_HOME", "me")).path()).contains(Path.of("/home/me/.cache/clinfer"));
    }

    @Test
    void isWhatTheEnvironmentOrThePropertySays() {
        Map<String, String> environment = Map.of("CLINFER_CACHE", "/a", "XDG_CACHE_HOME", "/var/me");
        assertThat(of(null, environment).path()).contains(Path.of("/a"));
        assertThat(of("/b/../c", environment).path()).contains(Path.of("/c"));
    }

    @Test
    void isSwitchedOff() {
        assertThat(of("off", Map.of("CLINFER_CACHE", "/a")))
                .isEqualTo(new CacheFolder(Optional.empty(), "switched off by clinfer.cache"));
        assertThat(of(null, Map.of("CLINFER_CACHE", "OFF")).path()).isEmpty();
        assertThat(of("/b", Map.of("CLINFER_CACHE", "off")).path()).contains(Path.of("/b"));
    }

    @Test
    void isNowhereWithoutAHomeOrWithABadName() {
        assertThat(CacheFolder.of(null, Map.of(), null).path()).isEmpty();
        assertThat(CacheFolder.of(null, Map.of(), "?").path()).isEmpty();
        assertThat(of("a\0b", Map.of()).path()).isEmpty();
    }
}
