package org.clinfer.cache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.clinfer.device.DeviceFacts;
import org.clinfer.options.CacheFolder;
import tools.jackson.databind.JsonNode;

/**
 * The kernels that were held against the CPU on one device with one driver, and the results; in a text file, if there
 * is a cache folder, else for as long as this object lives. Thread-safe.
 */
public final class TestedKernels {

    private static final String FOLDER = "tested";

    private final DeviceFile file;
    private Results results;

    /**
     * The results of the tests.
     *
     * @param passed the kernels that gave what the CPU gives
     * @param failed the others with what they were found to do
     */
    public record Results(Set<String> passed, Map<String, String> failed) {

        public Results {
            passed = Set.copyOf(passed);
            failed = Map.copyOf(failed);
        }

        private static Results of(JsonNode document) {
            Set<String> passed = new TreeSet<>();
            document.path("passed").forEach(kernel -> passed.add(kernel.asString("")));
            Map<String, String> failed = new TreeMap<>();
            document.path("failed")
                    .properties()
                    .forEach(kernel ->
                            failed.put(kernel.getKey(), kernel.getValue().asString("")));
            return new Results(passed, failed);
        }

        private Results with(Results later) {
            Set<String> allPassed = new TreeSet<>(passed);
            Map<String, String> allFailed = new TreeMap<>(failed);
            allPassed.addAll(later.passed);
            allFailed.keySet().removeAll(later.passed);
            allFailed.putAll(later.failed);
            allPassed.removeAll(later.failed.keySet());
            return new Results(allPassed, allFailed);
        }

        private Map<String, Object> document() {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("passed", new TreeSet<>(passed));
            document.put("failed", new TreeMap<>(failed));
            return document;
        }
    }

    private TestedKernels(DeviceFile file) {
        this.file = file;
        this.results = Results.of(file.read());
    }

    /** The known results of a device. */
    public static TestedKernels of(CacheFolder cache, DeviceFacts device) {
        return new TestedKernels(DeviceFile.of(cache, FOLDER, device, Map.of()));
    }

    /** All that is known. */
    public synchronized Results results() {
        return results;
    }

    /** Adds what tests have shown; it takes the place of what was known of the same kernels. */
    public synchronized void add(Results shown) {
        boolean isStored = file.change(before -> {
            results = Results.of(before).with(results).with(shown);
            return results.document();
        });
        if (!isStored) {
            results = results.with(shown);
        }
    }

    /**
     * Takes away all that is known in a cache folder.
     *
     * @return of how many devices something was known
     * @throws IOException if a file cannot be taken away
     */
    public static int clear(Path cache) throws IOException {
        return DeviceFile.clear(cache, FOLDER);
    }
}
