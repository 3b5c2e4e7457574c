package org.clinfer.serve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Pattern;
import org.clinfer.errors.InputException;
import org.jspecify.annotations.Nullable;

/** The word that a client has to send with each request. Its text is in no message. */
public final class AccessToken {

    private static final long MAX_BYTES = 4096;
    private static final Pattern WORD = Pattern.compile("[!-~]+");
    private static final String RULE = "a token is one word of printable characters of ASCII";

    private final byte[] digest;

    /** @param token printable characters of ASCII without spaces */
    public AccessToken(String token) {
        if (!WORD.matcher(token).matches()) {
            throw new InputException(RULE);
        }
        this.digest = digest(token);
    }

    /**
     * Reads a file that has a token alone; white space around it does not count.
     *
     * @throws InputException if there is none
     */
    public static AccessToken read(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new InputException(file + ": is too large for a token");
            }
            String token = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
            if (!WORD.matcher(token).matches()) {
                throw new InputException(
                        file + ": " + (token.isEmpty() ? "is empty; " : "has something else; ") + RULE);
            }
            return new AccessToken(token);
        } catch (IOException e) {
            throw new InputException(file + ": no token can be read from it: " + TlsIdentity.unreadable(e));
        }
    }

    private static byte[] digest(String token) {
        return TlsIdentity.sha256(token.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * {@return true if the value of a header {@code Authorization} has the token, as {@code Bearer}, or as the password of
     * {@code Basic}, which browsers ask for} It takes as long whatever is wrong.
     */
    public boolean accepts(@Nullable String authorization) {
        if (authorization == null) {
            return false;
        }
        String[] parts = authorization.strip().split(" +", 2);
        if (parts.length < 2) {
            return false;
        }
        if (parts[0].equalsIgnoreCase("Bearer")) {
            return MessageDigest.isEqual(digest, digest(parts[1]));
        }
        return parts[0].equalsIgnoreCase("Basic") && MessageDigest.isEqual(digest, digest(password(parts[1])));
    }

    private static String password(String encoded) {
        try {
            String pair = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            return pair.substring(pair.indexOf(':') + 1);
        } catch (IllegalArgumentException noBase64) {
            return "";
        }
    }

    @Override
    public String toString() {
        return "a token";
    }
}
