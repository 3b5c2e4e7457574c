package org.clinfer.cache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.clinfer.device.DeviceFacts;
import org.clinfer.options.CacheFolder;
import tools.jackson.databind.JsonNode;

/**
 * The kernel variants that were found to be fastest on one device with one driver, by the configuration of nodes; in a
 * text file, if there is a cache folder, else for as long as this object lives. Thread-safe.
 */
public final class TunedChoices {

    private static final String FOLDER = "tuned";

    private final DeviceFile file;
    private volatile Map<String, Choice> choices;

    /**
     * A variant that is faster than the one that would be used otherwise.
     *
     * @param variant its unique name
     * @param micros its time
     * @param usual the unique name of the other one
     * @param usualMicros the time of that
     */
    public record Choice(String variant, double micros, String usual, double usualMicros) {}

    /**
     * The choices for one device, as they lie in a cache folder.
     *
     * @param bytes size of the file
     */
    public record Kept(String device, String driver, long bytes, Map<String, Choice> choices) {}

    private TunedChoices(DeviceFile file) {
        this.file = file;
        this.choices = choices(file.read());
    }

    /** The choices for a device; what a file says is empty where it is damaged or of another device. */
    public static TunedChoices of(CacheFolder cache, DeviceFacts device) {
        return new TunedChoices(DeviceFile.of(cache, FOLDER, device, allowed(device)));
    }

    /** The rounding that variants may do; in an order that is the same in every process. */
    private static Map<String, String> allowed(DeviceFacts device) {
        Map<String, String> allowed = new TreeMap<>();
        allowed.put("exact", Boolean.toString(device.exact()));
        if (device.tf32()) {
            allowed.put("tf32", "true");
        }
        return allowed;
    }

    /** No choices, where there is no device to choose for. */
    public static TunedChoices none() {
        return new TunedChoices(DeviceFile.none());
    }

    /** The choice for a configuration; empty where the usual variant is to be used. */
    public Optional<Choice> choice(String configuration) {
        return Optional.ofNullable(choices.get(configuration));
    }

    public Map<String, Choice> all() {
        return choices;
    }

    /**
     * Adds what was measured.
     *
     * @param measured all configurations that were measured; those without a new choice lose the one that they had
     * @return whether it is on disk now; if not, this object has it all the same
     */
    public synchronized boolean add(Set<String> measured, Map<String, Choice> better) {
        boolean isStored = file.change(before -> {
            choices = merged(choices(before), measured, better);
            return document();
        });
        if (!isStored) {
            choices = merged(choices, measured, better);
        }
        return isStored;
    }

    private static Map<String, Choice> merged(
            Map<String, Choice> before, Set<String> measured, Map<String, Choice> better) {
        Map<String, Choice> after = new TreeMap<>(before);
        after.keySet().removeAll(measured);
        after.putAll(better);
        return Map.copyOf(after);
    }

    private Map<String, Object> document() {
        List<Map<String, Object>> nodes = new ArrayList<>();
        new TreeMap<>(choices).forEach((configuration, choice) -> {
            Map<String, Object> node = new LinkedHashMap<>();
            node.put("node", configuration);
            node.put("variant", choice.variant());
            node.put("micros", choice.micros());
            node.put("usual", choice.usual());
            node.put("usual_micros", choice.usualMicros());
            nodes.add(node);
        });
        return Map.of("choices", nodes);
    }

    private static Map<String, Choice> choices(JsonNode document) {
        Map<String, Choice> found = new TreeMap<>();
        for (JsonNode node : document.path("choices")) {
            String configuration = node.path("node").asString("");
            String variant = node.path("variant").asString("");
            if (!configuration.isEmpty() && !variant.isEmpty()) {
                found.put(
                        configuration,
                        new Choice(
                                variant,
                                node.path("micros").asDouble(0),
                                node.path("usual").asString(""),
                                node.path("usual_micros").asDouble(0)));
            }
        }
        return Map.copyOf(found);
    }

    /** All that is kept in a cache folder; files that cannot be read are left out. */
    public static List<Kept> kept(Path cache) {
        List<Kept> all = new ArrayList<>();
        DeviceFile.forEach(
                cache,
                FOLDER,
                (document, bytes) -> all.add(new Kept(
                        document.path("device").asString("?"),
                        document.path("driver").asString("?"),
                        bytes,
                        choices(document))));
        return all;
    }

    /**
     * Takes all choices in a cache folder away.
     *
     * @return for how many devices there were some
     * @throws IOException if a file cannot be taken away
     */
    public static int clear(Path cache) throws IOException {
        return DeviceFile.clear(cache, FOLDER);
    }
}
