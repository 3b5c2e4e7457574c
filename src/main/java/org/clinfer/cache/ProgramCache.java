package org.clinfer.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.clinfer.device.DeviceFacts;
import org.clinfer.options.CacheFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiled programs on disk, which several processes share. What cannot be read, is damaged or cannot be written is as
 * if it were not there. Those that were not used for the longest time go first where the folder grows too large.
 */
public final class ProgramCache {

    private static final Logger LOG = LoggerFactory.getLogger(ProgramCache.class);

    /** Part of every key: what a file means may change with it. */
    private static final String VERSION = "1";

    private static final String PROGRAMS = "programs";

    private static final long MAX_BYTES = 256L << 20;
    private static final long MAX_FILE_BYTES = 64L << 20;

    private final Path path;
    private final KeptFolder folder;
    private final long maxBytes;
    private final AtomicLong hits = new AtomicLong();
    private final AtomicLong misses = new AtomicLong();
    private final AtomicLong damaged = new AtomicLong();
    private final AtomicLong stored = new AtomicLong();

    /** The programs of a cache folder, if there is one that is its user's own. */
    public static Optional<ProgramCache> of(CacheFolder cache) {
        return OwnFolder.of(cache).path().map(ProgramCache::new);
    }

    /** The programs of a cache folder, up to 256 MiB. */
    public ProgramCache(Path cache) {
        this(cache, MAX_BYTES);
    }

    ProgramCache(Path cache, long maxBytes) {
        this.path = cache.resolve(PROGRAMS);
        this.folder = new KeptFolder(cache, PROGRAMS, ".bin");
        this.maxBytes = maxBytes;
    }

    /** The statistics of one process's use of the cache so far. */
    public record Statistics(long hits, long misses, long damaged, long stored) {}

    /**
     * A program that is kept.
     *
     * @param label what it was made from
     * @param uses how often it was taken from here, by all processes
     * @param lastUse when it was stored or taken
     */
    public record Entry(String label, long bytes, long uses, FileTime lastUse) {}

    /** The name of a program: equal for what compiles to the same binary, and for nothing else. */
    public static String key(DeviceFacts device, String source, String options) {
        MessageDigest sha = ProgramFile.sha256();
        List<String> parts = List.of(
                VERSION,
                device.name(),
                device.vendor(),
                device.driver(),
                device.platform(),
                device.openclVersion(),
                options,
                source);
        for (String part : parts) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            sha.update(bytes);
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /** The binary of a program, as it was stored; empty where it is not here. */
    public Optional<byte[]> find(String key) {
        Path file = folder.file(key);
        try {
            if (!KeptFolder.isStored(file, MAX_FILE_BYTES)) {
                return rejected(key, "is no file, or larger than any that is stored");
            }
            Optional<ProgramFile> found = ProgramFile.parse(Files.readAllBytes(file));
            if (found.isEmpty()) {
                return rejected(key, "is damaged");
            }
            hits.incrementAndGet();
            used(file, found.get().uses() + 1);
            return found.map(ProgramFile::binary);
        } catch (NoSuchFileException none) {
            misses.incrementAndGet();
        } catch (IOException | SecurityException e) {
            misses.incrementAndGet();
            LOG.debug("{} cannot be read", file, e);
        }
        return Optional.empty();
    }

    private Optional<byte[]> rejected(String key, String why) {
        misses.incrementAndGet();
        remove(key, why);
        return Optional.empty();
    }

    /** Takes away a program that turned out to be useless. */
    public void remove(String key, String why) {
        damaged.incrementAndGet();
        LOG.debug("{} {}: compiling from source", folder.file(key), why);
        try {
            Files.deleteIfExists(folder.file(key));
        } catch (IOException | SecurityException e) {
            LOG.debug("{} cannot be removed", folder.file(key), e);
        }
    }

    private static void used(Path file, long uses) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(Long.BYTES).putLong(uses).flip(), ProgramFile.USES_AT);
            Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
        } catch (IOException | SecurityException e) {
            LOG.debug("{} was used, which cannot be noted", file, e);
        }
    }

    /** Keeps a program; false where that is not possible. */
    public boolean store(String key, String label, byte[] binary) {
        byte[] content = new ProgramFile(0, label, binary).bytes();
        if (binary.length == 0 || content.length > Math.min(maxBytes, MAX_FILE_BYTES)) {
            return false;
        }
        try {
            try (FolderLock lock = folder.lock()) {
                folder.write(key, content);
                makeRoom(folder.file(key));
            }
            stored.incrementAndGet();
            return true;
        } catch (IOException | SecurityException e) {
            LOG.debug("{} cannot be stored", folder.file(key), e);
            return false;
        }
    }

    /** Takes away the programs that were not used for the longest time, but never the newest. */
    private void makeRoom(Path newest) throws IOException {
        folder.removeAbandoned();
        record Candidate(Path file, long bytes, FileTime lastUse) {}
        List<Candidate> candidates = new ArrayList<>();
        long total = 0;
        for (Path file : folder.files()) {
            long bytes = Files.size(file);
            total += bytes;
            if (!file.equals(newest)) {
                candidates.add(new Candidate(file, bytes, Files.getLastModifiedTime(file)));
            }
        }
        candidates.sort(Comparator.comparing(Candidate::lastUse));
        for (Candidate candidate : candidates) {
            if (total <= maxBytes) {
                return;
            }
            Files.deleteIfExists(candidate.file());
            total -= candidate.bytes();
        }
    }

    /** The entries that are kept, the latest used first; damaged files under their names. */
    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        try {
            for (Path file : folder.files()) {
                byte[] content = Files.readAllBytes(file);
                Optional<ProgramFile> found = ProgramFile.parse(content);
                entries.add(new Entry(
                        found.map(ProgramFile::label).orElse("(damaged) " + file.getFileName()),
                        content.length,
                        found.map(ProgramFile::uses).orElse(0L),
                        Files.getLastModifiedTime(file)));
            }
        } catch (IOException | SecurityException e) {
            LOG.debug("{} cannot be read", path, e);
        }
        entries.sort(Comparator.comparing(Entry::lastUse).reversed());
        return entries;
    }

    /**
     * Takes everything away.
     *
     * @return how many programs there were
     * @throws IOException if one cannot be taken away
     */
    public int clear() throws IOException {
        List<Path> files = folder.files();
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        return files.size();
    }

    public Statistics statistics() {
        return new Statistics(hits.get(), misses.get(), damaged.get(), stored.get());
    }
}
