package org.clinfer.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The right to change a folder, held against other threads and other processes. */
final class FolderLock implements AutoCloseable {

    private static final int ATTEMPTS = 200;
    private static final long PAUSE_MILLIS = 10;

    private final FileChannel channel;
    private final FileLock lock;

    private FolderLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Waits for the lock, two seconds at most.
     *
     * @throws IOException if the folder cannot be written, or somebody else holds the lock all this time
     */
    static FolderLock of(Path folder) throws IOException {
        Path file = folder.resolve(".lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                FileLock lock = tried(channel);
                if (lock != null) {
                    return new FolderLock(channel, lock);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new IOException(file + " is held by another process");
    }

    private static @Nullable FileLock tried(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException anotherThread) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            lock.release();
        }
    }
}
