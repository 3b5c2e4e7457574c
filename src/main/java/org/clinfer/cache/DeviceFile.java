package org.clinfer.cache;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.clinfer.device.DeviceFacts;
import org.clinfer.options.CacheFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * A JSON file in a folder of the cache about one device with one driver, which several processes may read and change. What
 * cannot be read, or is about another device, counts as empty.
 */
final class DeviceFile {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceFile.class);
    private static final long MAX_BYTES = 16L << 20;
    private static final int NAME_BYTES = 16;

    private final Optional<KeptFolder> folder;
    private final String name;
    private final Map<String, String> identity;

    private DeviceFile(Optional<KeptFolder> folder, Map<String, String> identity) {
        this.folder = folder;
        this.identity = identity;
        byte[] digest = ProgramFile.sha256().digest(identity.toString().getBytes(StandardCharsets.UTF_8));
        this.name = HexFormat.of().formatHex(digest, 0, NAME_BYTES);
    }

    /**
     * The file of a device, whether it exists or not.
     *
     * @param folder the folder in the cache
     * @param more what the file depends on beside device, vendor, driver and platform
     */
    static DeviceFile of(CacheFolder cache, String folder, DeviceFacts device, Map<String, String> more) {
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("device", device.name());
        identity.put("vendor", device.vendor());
        identity.put("driver", device.driver());
        identity.put("platform", device.platform());
        identity.putAll(more);
        return new DeviceFile(OwnFolder.of(cache).path().map(path -> folder(path, folder)), identity);
    }

    /** A file that is never there. */
    static DeviceFile none() {
        return new DeviceFile(Optional.empty(), Map.of());
    }

    private static KeptFolder folder(Path cache, String folder) {
        return new KeptFolder(cache, folder, ".json");
    }

    /** The content of the file beside the identity of the device. */
    JsonNode read() {
        return folder.map(this::read).orElseGet(DeviceFile::empty);
    }

    private JsonNode read(KeptFolder from) {
        Path file = from.file(name);
        try {
            JsonNode document = document(file);
            boolean isOfDevice = identity.entrySet().stream()
                    .allMatch(entry -> entry.getValue()
                            .equals(document.path(entry.getKey()).asString("")));
            return isOfDevice ? document : empty();
        } catch (NoSuchFileException none) {
            return empty();
        } catch (IOException | JacksonException | SecurityException e) {
            LOG.debug("{} cannot be read", file, e);
            return empty();
        }
    }

    private static JsonNode empty() {
        return MissingNode.getInstance();
    }

    /**
     * Changes the file while nobody else does.
     *
     * @param change takes what is there and gives what is to be there, by key
     * @return whether it is on disk now
     */
    boolean change(Function<JsonNode, Map<String, Object>> change) {
        if (folder.isEmpty()) {
            return false;
        }
        try {
            try (FolderLock lock = folder.get().lock()) {
                Map<String, Object> document = new LinkedHashMap<>(identity);
                document.putAll(change.apply(read(folder.get())));
                folder.get().write(name, mapper().writeValueAsBytes(document));
            }
            return true;
        } catch (IOException | SecurityException e) {
            LOG.debug("what was found of {} cannot be stored", identity, e);
            return false;
        }
    }

    private static JsonMapper mapper() {
        return JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    }

    private static JsonNode document(Path file) throws IOException {
        if (!KeptFolder.isStored(file, MAX_BYTES)) {
            throw new IOException(file + " is no file, or larger than any that is stored");
        }
        return mapper().readTree(Files.readAllBytes(file));
    }

    /**
     * Goes through a folder of such files.
     *
     * @param use takes what a file has and its size in bytes; files that cannot be read are left out
     */
    static void forEach(Path cache, String folder, BiConsumer<JsonNode, Long> use) {
        try {
            for (Path file : folder(cache, folder).files()) {
                try {
                    use.accept(document(file), Files.size(file));
                } catch (IOException | JacksonException damaged) {
                    LOG.debug("{} cannot be read", file, damaged);
                }
            }
        } catch (IOException | SecurityException e) {
            LOG.debug("{} cannot be read", cache, e);
        }
    }

    /**
     * Takes all files of a folder away.
     *
     * @return how many there were
     * @throws IOException if one cannot be taken away
     */
    static int clear(Path cache, String folder) throws IOException {
        List<Path> files = folder(cache, folder).files();
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        return files.size();
    }
}
