package org.clinfer.cache;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.clinfer.options.CacheFolder;
import org.jspecify.annotations.Nullable;

/**
 * The questions of this process to OpenCL drivers, in a file that is there and locked meanwhile. A driver can end the
 * process; the file then stays without its lock, and tells later processes not to ask the same again.
 */
public final class DriverQuestions implements AutoCloseable {

    private static final String PREFIX = "asked-";
    private static final int LARGEST = 65536;

    private final Set<String> fatal;
    private final String drivers;
    private final @Nullable Path file;
    private final @Nullable FileChannel channel;
    private final Thread atExit = new Thread(this::delete);

    private DriverQuestions(Set<String> fatal, String drivers, @Nullable Path file, @Nullable FileChannel channel) {
        this.fatal = fatal;
        this.drivers = drivers;
        this.file = file;
        this.channel = channel;
    }

    /** Questions that nobody remembers. */
    public static DriverQuestions unkept() {
        return new DriverQuestions(Set.of(), "", null, null);
    }

    /**
     * Questions to the drivers of this machine, until they are closed.
     *
     * @param drivers the drivers as they are now, in one line; what is known of others is forgotten
     */
    public static DriverQuestions begun(CacheFolder cache, String drivers) {
        if (cache.path().isEmpty()) {
            return unkept();
        }
        Path folder = cache.path().get();
        try {
            new KeptFolder(folder, "").create();
            Set<String> fatal = fatal(folder, drivers);
            String name = PREFIX + ProcessHandle.current().pid() + "-" + UUID.randomUUID();
            Path hidden = folder.resolve("." + name);
            FileChannel channel = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            channel.lock();
            Path file = Files.move(hidden, folder.resolve(name));
            DriverQuestions questions = new DriverQuestions(fatal, drivers, file, channel);
            Runtime.getRuntime().addShutdownHook(questions.atExit);
            questions.ask("");
            return questions;
        } catch (IOException | IllegalStateException notKept) {
            return unkept();
        }
    }

    /** The questions that ended processes that have asked these drivers. */
    private static Set<String> fatal(Path folder, String drivers) throws IOException {
        Set<String> fatal = new TreeSet<>();
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
                    fatal.add(lines.get(1));
                } else {
                    Files.deleteIfExists(file);
                }
            } catch (IOException answered) {
                // its process has just deleted it
            }
        }
        return fatal;
    }

    /** Forgets which questions ended processes. */
    public static void clear(Path cache) throws IOException {
        if (Files.isDirectory(cache)) {
            fatal(cache, "");
        }
    }

    /** Whether a process has ended when it asked this; empty is the question which platforms there are. */
    public boolean isFatal(String what) {
        return fatal.contains(what);
    }

    /** Notes what is asked next. */
    public void ask(String what) {
        if (channel != null) {
            try {
                String text = drivers + "\n" + what.replaceAll("\\R", " ") + "\n";
                channel.truncate(0).position(0).write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            } catch (IOException notNoted) {
                delete();
            }
        }
    }

    private void delete() {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException stays) {
            // and is taken for the sign of a fatal question, which a cleared cache forgets
        }
    }

    @Override
    public void close() {
        if (channel == null) {
            return;
        }
        delete();
        try {
            channel.close();
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IOException | IllegalStateException ending) {
            // the process is about to end
        }
    }
}
