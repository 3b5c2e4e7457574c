package org.clinfer.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.clinfer.options.CacheFolder;
import org.jspecify.annotations.Nullable;

/**
 * The questions of this process to OpenCL drivers, in a file that is there and locked meanwhile. A driver can end the
 * process; the file then stays without its lock. The file of a process that was killed looks the same, so a question is fatal
 * only when two processes have ended at it, and none got an answer since.
 */
public final class DriverQuestions implements AutoCloseable {

    private static final String PREFIX = "asked-";
    private static final int LARGEST = 65536;

    private static final int FATAL = 2;

    /** The files of processes that have ended, by the question at which they did. */
    private final Map<String, List<Path>> ended;

    private final Set<String> asked = new HashSet<>();
    private final String drivers;
    private final @Nullable Path file;
    private final @Nullable FileChannel channel;
    private final Thread atExit = new Thread(this::delete);

    private DriverQuestions(
            Map<String, List<Path>> ended, String drivers, @Nullable Path file, @Nullable FileChannel channel) {
        this.ended = ended;
        this.drivers = drivers;
        this.file = file;
        this.channel = channel;
    }

    /** Questions that nobody remembers. */
    public static DriverQuestions unkept() {
        return new DriverQuestions(Map.of(), "", null, null);
    }

    /**
     * Questions to the drivers of this machine, until they are closed.
     *
     * @param drivers the drivers as they are now, in one line; what is known of others is forgotten
     */
    public static DriverQuestions begun(CacheFolder cache, String drivers) {
        Optional<Path> own = OwnFolder.of(cache).path();
        if (own.isEmpty()) {
            return unkept();
        }
        Path folder = own.get();
        try {
            new KeptFolder(folder, "", "").create();
            Map<String, List<Path>> ended = ended(folder, drivers);
            String name = PREFIX + ProcessHandle.current().pid() + "-" + UUID.randomUUID();
            Path hidden = folder.resolve("." + name);
            FileChannel channel = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            channel.lock();
            Path file = Files.move(hidden, folder.resolve(name));
            DriverQuestions questions = new DriverQuestions(ended, drivers, file, channel);
            Runtime.getRuntime().addShutdownHook(questions.atExit);
            questions.ask("");
            return questions;
        } catch (IOException | IllegalStateException notKept) {
            return unkept();
        }
    }

    /** The files of processes that ended when they asked these drivers; others of ended processes are deleted. */
    private static Map<String, List<Path>> ended(Path folder, String drivers) throws IOException {
        Map<String, List<Path>> ended = new HashMap<>();
        String own = PREFIX + ProcessHandle.current().pid() + "-";
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.getFileName().toString().startsWith(PREFIX))
                    .filter(file -> !file.getFileName().toString().startsWith(own))
                    .toList();
        }
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                if (channel.tryLock() == null) {
                    continue;
                }
                List<String> lines = Files.size(file) > LARGEST ? List.of() : Files.readAllLines(file);
                if (lines.size() == 2 && lines.get(0).equals(drivers)) {
                    ended.computeIfAbsent(lines.get(1), what -> new ArrayList<>())
                            .add(file);
                } else {
                    Files.deleteIfExists(file);
                }
            } catch (IOException answered) {
                // its process has just deleted it
            }
        }
        return ended;
    }

    /** Forgets at which questions processes ended. */
    public static void clear(Path cache) throws IOException {
        if (Files.isDirectory(cache)) {
            ended(cache, "");
        }
    }

    /** {@return whether processes end when they ask this; empty is the question which platforms there are} */
    public boolean isFatal(String what) {
        return ended.getOrDefault(what, List.of()).size() >= FATAL;
    }

    /** Notes what is asked next. */
    public void ask(String what) {
        if (channel != null) {
            try {
                String line = what.replaceAll("\\R", " ");
                String text = drivers + "\n" + line + "\n";
                asked.add(line);
                channel.truncate(0).position(0).write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            } catch (IOException notNoted) {
                delete();
            }
        }
    }

    private void delete() {
        if (file != null) {
            delete(file);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            // and counts as that of a process that has ended, which a cleared cache forgets
        }
    }

    @Override
    public void close() {
        if (channel == null) {
            return;
        }
        delete();
        asked.stream()
                .filter(answered -> !isFatal(answered))
                .forEach(answered -> ended.getOrDefault(answered, List.of()).forEach(DriverQuestions::delete));
        try {
            channel.close();
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IOException | IllegalStateException ending) {
            // the process is about to end
        }
    }
}
