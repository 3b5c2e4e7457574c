package org.clinfer.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** The stdout of the process, which remembers why it took no more: a writer would keep that to itself. */
final class StandardOutput extends OutputStream {

    /** The texts of Linux and macOS, and of Windows, for a reader that has gone. */
    private static final String GONE = "(?i).*(broken pipe|pipe is being closed|pipe has been ended).*";

    private final OutputStream to = new FileOutputStream(FileDescriptor.out);
    private String failure = "";

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            to.write(bytes, from, length);
        } catch (IOException refused) {
            failure = failure.isEmpty() ? String.valueOf(refused.getMessage()) : failure;
            throw refused;
        }
    }

    /** The reason why something is lost that was printed; none where the reader went, as {@code head} does. */
    Optional<String> failure() {
        return failure.isEmpty() || failure.matches(GONE) ? Optional.empty() : Optional.of(failure);
    }
}
