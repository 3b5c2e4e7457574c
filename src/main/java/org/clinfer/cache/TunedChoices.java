package org.clinfer.cache;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.clinfer.device.DeviceFacts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The kernel variants that were found to be fastest on one device with one driver, by the configuration of nodes; in a
 * text file, if there is a cache folder, else for as long as this object lives. Thread-safe.
 */
public final class TunedChoices {

    private static final Logger LOG = LoggerFactory.getLogger(TunedChoices.class);
    private static final long MAX_BYTES = 16L << 20;
    private static final int NAME_BYTES = 16;

    private final Optional<KeptFolder> folder;
    private final String name;
    private final Map<String, String> identity;
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

    private TunedChoices(Optional<KeptFolder> folder, Map<String, String> identity) {
        this.folder = folder;
        this.identity = identity;
        byte[] digest = ProgramFile.sha256().digest(identity.toString().getBytes(StandardCharsets.UTF_8));
        this.name = HexFormat.of().formatHex(digest, 0, NAME_BYTES);
        this.choices = folder.map(this::read).orElse(Map.of());
    }

    /** The choices for a device; what a file says is empty where it is damaged or of another device. */
    public static TunedChoices of(CacheFolder cache, DeviceFacts device) {
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("device", device.name());
        identity.put("vendor", device.vendor());
        identity.put("driver", device.driver());
        identity.put("platform", device.platform());
        identity.put("exact", Boolean.toString(device.exact()));
        return new TunedChoices(cache.path().map(TunedChoices::folder), identity);
    }

    /** No choices, where there is no device to choose for. */
    public static TunedChoices none() {
        return new TunedChoices(Optional.empty(), Map.of());
    }

    private static KeptFolder folder(Path cache) {
        return new KeptFolder(cache.resolve("tuned"), ".json");
    }

    private static JsonMapper mapper() {
        return JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    }

    /** The unique name of the variant for a configuration; empty where the usual one is to be used. */
    public Optional<String> variant(String configuration) {
        return Optional.ofNullable(choices.get(configuration)).map(Choice::variant);
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
        if (folder.isPresent()) {
            try {
                folder.get().create();
                try (FolderLock lock = folder.get().lock()) {
                    choices = merged(read(folder.get()), measured, better);
                    folder.get().write(name, document());
                }
                return true;
            } catch (IOException | SecurityException e) {
                LOG.debug("tuned choices cannot be stored", e);
            }
        }
        choices = merged(choices, measured, better);
        return false;
    }

    private static Map<String, Choice> merged(
            Map<String, Choice> before, Set<String> measured, Map<String, Choice> better) {
        Map<String, Choice> after = new TreeMap<>(before);
        after.keySet().removeAll(measured);
        after.putAll(better);
        return Map.copyOf(after);
    }

    private byte[] document() {
        Map<String, Object> document = new LinkedHashMap<>(identity);
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
        document.put("choices", nodes);
        return mapper().writeValueAsBytes(document);
    }

    private Map<String, Choice> read(KeptFolder from) {
        Path file = from.file(name);
        try {
            JsonNode document = document(file);
            boolean sameDevice = identity.entrySet().stream()
                    .allMatch(entry -> entry.getValue()
                            .equals(document.path(entry.getKey()).asString("")));
            return sameDevice ? choices(document) : Map.of();
        } catch (NoSuchFileException none) {
            return Map.of();
        } catch (IOException | JacksonException | SecurityException e) {
            LOG.debug("{} cannot be read", file, e);
            return Map.of();
        }
    }

    private static JsonNode document(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is larger than any that is stored");
        }
        return mapper().readTree(Files.readAllBytes(file));
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
        try {
            for (Path file : folder(cache).files()) {
                try {
                    JsonNode document = document(file);
                    all.add(new Kept(
                            document.path("device").asString("?"),
                            document.path("driver").asString("?"),
                            Files.size(file),
                            choices(document)));
                } catch (JacksonException damaged) {
                    LOG.debug("{} cannot be read", file, damaged);
                }
            }
        } catch (IOException | SecurityException e) {
            LOG.debug("{} cannot be read", cache, e);
        }
        return all;
    }

    /**
     * Takes all choices in a cache folder away.
     *
     * @return for how many devices there were some
     * @throws IOException if a file cannot be taken away
     */
    public static int clear(Path cache) throws IOException {
        List<Path> files = folder(cache).files();
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        return files.size();
    }
}
