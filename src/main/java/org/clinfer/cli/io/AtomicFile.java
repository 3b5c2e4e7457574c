package org.clinfer.cli.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Writes a file whole or not at all: the bytes go to a neighbour of another name, which is then moved into place. */
public final class AtomicFile {

    /** The function that writes the bytes. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private AtomicFile() {}

    /**
     * Creates or replaces {@code target}.
     *
     * @throws IOException if the folder is missing or not writable, or whatever {@code content} throws; the target is
     *     then as it was before
     */
    public static void write(Path target, Content content) throws IOException {
        write(target, content, AtomicFile::move);
    }

    /**
     * Creates {@code target}.
     *
     * @throws FileAlreadyExistsException if there is something of that name, be it since a moment ago
     * @throws IOException as {@link #write} does
     */
    public static void create(Path target, Content content) throws IOException {
        write(target, content, AtomicFile::link);
    }

    /** Gives a complete file its name. */
    @FunctionalInterface
    private interface Naming {
        void name(Path from, Path to) throws IOException;
    }

    private static void write(Path target, Content content, Naming naming) throws IOException {
        Path absolute = target.toAbsolutePath();
        Path neighbour = absolute.resolveSibling("." + absolute.getFileName() + "." + UUID.randomUUID() + ".part");
        UnfinishedFiles.add(neighbour);
        try {
            try (OutputStream out = new BufferedOutputStream(opened(neighbour, target))) {
                content.writeTo(out);
            }
            naming.name(neighbour, absolute);
        } finally {
            Files.deleteIfExists(neighbour);
            UnfinishedFiles.forget(neighbour);
        }
    }

    /** The stream into the neighbour; errors name the target, which is the one that a user gave. */
    private static OutputStream opened(Path neighbour, Path target) throws IOException {
        try {
            return Files.newOutputStream(neighbour, StandardOpenOption.CREATE_NEW);
        } catch (NoSuchFileException missing) {
            throw caused(new NoSuchFileException(target.toString()), missing);
        } catch (AccessDeniedException denied) {
            throw caused(new AccessDeniedException(target.toString()), denied);
        }
    }

    private static IOException caused(IOException error, IOException cause) {
        error.initCause(cause);
        return error;
    }

    /** Unlike a move, a link never replaces anything; where the file system has none, a move has to do. */
    private static void link(Path from, Path to) throws IOException {
        try {
            Files.createLink(to, from);
        } catch (FileAlreadyExistsException taken) {
            throw taken;
        } catch (UnsupportedOperationException | FileSystemException noLinks) {
            Files.move(from, to);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException refused) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
