package org.clinfer.cli.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Writes a file whole or not at all: the bytes go to a neighbour of another name, which is then moved into place. */
public final class AtomicFile {

    private static final int MOST_LINKS = 40;

    /** The function that writes the bytes. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    private AtomicFile() {}

    /**
     * Creates or replaces {@code target}: of a link, the file that it leads to; a file that is there keeps its permissions.
     * A device, a pipe or whatever else is no file takes the bytes as they come.
     *
     * @throws IOException if the folder is missing or not writable, or whatever {@code content} throws; the target is
     *     then as it was before
     */
    public static void write(Path target, Content content) throws IOException {
        requirePlace(target);
        if (Files.exists(target) && !Files.isRegularFile(target)) {
            try (OutputStream out = buffered(Files.newOutputStream(target), target)) {
                content.writeTo(out);
            }
            return;
        }
        write(target, followed(target), content, AtomicFile::move);
    }

    /**
     * Creates {@code target}.
     *
     * @throws FileAlreadyExistsException if there is something of that name, be it since a moment ago
     * @throws IOException as {@link #write} does
     */
    public static void create(Path target, Content content) throws IOException {
        write(target, target.toAbsolutePath(), content, AtomicFile::link);
    }

    /**
     * Refuses a place to write to, before any work is done.
     *
     * @throws IOException if it is a folder, or in none, or in one that cannot be written
     */
    public static void requirePlace(Path target) throws IOException {
        if (Files.isDirectory(target)) {
            Path folder = target.toString().isEmpty() ? target.toAbsolutePath() : target;
            throw new FileSystemException(folder.toString(), null, "is a folder, not a file to write");
        }
        Path folder = followed(target).getParent();
        if ((Files.exists(target) && !Files.isRegularFile(target)) || folder == null) {
            return;
        }
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        if (!Files.isWritable(folder)) {
            throw new AccessDeniedException(folder.toString());
        }
    }

    /** The place that links lead to, be there a file or not. */
    private static Path followed(Path target) throws IOException {
        Path place = target.toAbsolutePath();
        for (int links = 0; Files.isSymbolicLink(place); links++) {
            if (links == MOST_LINKS) {
                throw new FileSystemException(target.toString(), null, "is a link that leads to no place");
            }
            place = place.resolveSibling(Files.readSymbolicLink(place));
        }
        return place;
    }

    /** Gives a complete file its name. */
    @FunctionalInterface
    private interface Naming {
        void name(Path from, Path to) throws IOException;
    }

    private static void write(Path target, Path place, Content content, Naming naming) throws IOException {
        Path neighbour = place.resolveSibling("." + UUID.randomUUID() + ".part");
        UnfinishedFiles.add(neighbour);
        try {
            try (OutputStream out = buffered(neighbour(neighbour, place, target), target)) {
                content.writeTo(out);
            }
            try {
                naming.name(neighbour, place);
            } catch (FileAlreadyExistsException taken) {
                throw taken;
            } catch (FileSystemException refused) {
                throw of(target, refused, refused.getReason());
            }
        } finally {
            Files.deleteIfExists(neighbour);
            UnfinishedFiles.forget(neighbour);
        }
    }

    /** A new file with the permissions of the one in its place. */
    private static OutputStream neighbour(Path neighbour, Path place, Path target) throws IOException {
        Optional<Set<PosixFilePermission>> kept = permissions(place);
        FileAttribute<?>[] attributes = kept.map(
                        each -> new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(each)})
                .orElse(new FileAttribute<?>[0]);
        try {
            OutputStream out = Channels.newOutputStream(Files.newByteChannel(
                    neighbour, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes));
            if (kept.isPresent()) { // also those that the umask took away
                Files.setPosixFilePermissions(neighbour, kept.get());
            }
            return out;
        } catch (FileSystemException refused) {
            throw of(target, refused, refused.getReason());
        }
    }

    private static Optional<Set<PosixFilePermission>> permissions(Path place) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(place, PosixFileAttributeView.class);
        return view != null && Files.exists(place)
                ? Optional.of(view.readAttributes().permissions())
                : Optional.empty();
    }

    private static OutputStream buffered(OutputStream out, Path target) {
        return new BufferedOutputStream(new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                try {
                    out.write(bytes, from, length);
                } catch (IOException failure) {
                    throw of(target, failure, String.valueOf(failure.getMessage()));
                }
            }

            @Override
            public void close() throws IOException {
                out.close();
            }
        });
    }

    /** A failure that is named after what was to be written, not after its neighbour. */
    private static IOException of(Path target, IOException failure, String reason) {
        FileSystemException named = failure instanceof AccessDeniedException
                ? new AccessDeniedException(target.toString())
                : new FileSystemException(target.toString(), null, reason);
        named.initCause(failure);
        return named;
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
