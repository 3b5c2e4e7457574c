package org.clinfer.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;

/**
 * A compiled program as a file: magic number, uses, length of the label, length of the binary, SHA-256 of both, label,
 * binary; numbers are big-endian. The number of uses is the one thing that changes in place, so nothing covers it.
 */
final class ProgramFile {

    static final int USES_AT = 8;
    private static final long MAGIC = 0x434c_4e46_5052_4731L;
    private static final int DIGEST_BYTES = 32;
    private static final int HEADER = 8 + 8 + 4 + 4 + DIGEST_BYTES;

    private final long uses;
    private final String label;
    private final byte[] binary;

    /**
     * A program.
     *
     * @param uses how often it was taken from here
     * @param label what it was made from, for people
     */
    ProgramFile(long uses, String label, byte[] binary) {
        this.uses = uses;
        this.label = label;
        this.binary = binary;
    }

    long uses() {
        return uses;
    }

    String label() {
        return label;
    }

    byte[] binary() {
        return binary;
    }

    byte[] bytes() {
        byte[] name = label.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(HEADER + name.length + binary.length)
                .putLong(MAGIC)
                .putLong(uses)
                .putInt(name.length)
                .putInt(binary.length)
                .put(digest(name, binary))
                .put(name)
                .put(binary)
                .array();
    }

    /** The file with this content; empty where it is not exactly what was written. */
    static Optional<ProgramFile> parse(byte[] content) {
        if (content.length < HEADER) {
            return Optional.empty();
        }
        ByteBuffer in = ByteBuffer.wrap(content);
        long magic = in.getLong();
        long uses = in.getLong();
        int nameBytes = in.getInt();
        int binaryBytes = in.getInt();
        byte[] digest = new byte[DIGEST_BYTES];
        in.get(digest);
        if (magic != MAGIC || nameBytes < 0 || binaryBytes <= 0 || in.remaining() != (long) nameBytes + binaryBytes) {
            return Optional.empty();
        }
        byte[] name = new byte[nameBytes];
        byte[] binary = new byte[binaryBytes];
        in.get(name).get(binary);
        return Arrays.equals(digest, digest(name, binary))
                ? Optional.of(new ProgramFile(uses, new String(name, StandardCharsets.UTF_8), binary))
                : Optional.empty();
    }

    private static byte[] digest(byte[]... parts) {
        MessageDigest sha = sha256();
        for (byte[] part : parts) {
            sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
            sha.update(part);
        }
        return sha.digest();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
