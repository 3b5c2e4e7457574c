package org.clinfer.options;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The folder of everything that is kept between runs; nothing is written outside it.
 *
 * @param path the folder, which need not exist; empty where nothing is kept
 * @param reason what decided this
 */
public record CacheFolder(Optional<Path> path, String reason) {

    /** The system property, and then the environment variable, that name the folder, or are {@code off}. */
    public static final String PROPERTY = "clinfer.cache";

    /** The environment variable that names the folder, or says {@code off}. */
    public static final String VARIABLE = "CLINFER_CACHE";

    private static final String OFF = "off";
    private static final String OWN = "clinfer";

    /** {@return the choice that nothing is kept} */
    public static CacheFolder off() {
        return new CacheFolder(Optional.empty(), "switched off");
    }

    /**
     * {@return the choice of a folder}
     *
     * @param path the folder, which is made when something is kept
     */
    public static CacheFolder at(Path path) {
        return new CacheFolder(Optional.of(path.toAbsolutePath().normalize()), "given");
    }

    /**
     * {@return the folder by the property, else by the environment, else {@code clinfer} in the user's folder of
     * caches}
     */
    public static CacheFolder current() {
        return of(System.getProperty(PROPERTY), System.getenv(), System.getProperty("user.home"));
    }

    static CacheFolder of(@Nullable String property, Map<String, String> environment, @Nullable String home) {
        if (property != null && !property.isEmpty()) {
            return said(property, PROPERTY);
        }
        String variable = environment.getOrDefault(VARIABLE, "");
        if (!variable.isEmpty()) {
            return said(variable, VARIABLE);
        }
        Path shared = path(environment.getOrDefault("XDG_CACHE_HOME", ""));
        if (shared != null && shared.isAbsolute()) {
            return new CacheFolder(Optional.of(shared.resolve(OWN)), "XDG_CACHE_HOME");
        }
        Path own = path(home == null ? "" : home);
        return own != null && own.isAbsolute()
                ? new CacheFolder(Optional.of(own.resolve(".cache").resolve(OWN)), "the home folder")
                : new CacheFolder(Optional.empty(), "there is no home folder; " + VARIABLE + " can name another one");
    }

    private static CacheFolder said(String text, String where) {
        if (text.equalsIgnoreCase(OFF)) {
            return new CacheFolder(Optional.empty(), "switched off by " + where);
        }
        Path path = path(text);
        return path == null
                ? new CacheFolder(Optional.empty(), where + " is not a path: " + text)
                : new CacheFolder(Optional.of(path.toAbsolutePath().normalize()), where);
    }

    private static @Nullable Path path(String text) {
        try {
            return text.isEmpty() ? null : Path.of(text);
        } catch (InvalidPathException wrong) {
            return null;
        }
    }
}
