package org.clinfer.serve;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import org.clinfer.errors.InputException;

/** The certificate and private key with which a server proves who it is. */
public final class TlsIdentity {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /** Algorithms of signatures by those of keys. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private final KeyStore keys;
    private final char[] password;

    private TlsIdentity(KeyStore keys, char[] password) {
        this.keys = keys;
        this.password = password;
    }

    /**
     * Reads files in PEM.
     *
     * @param certificate the server's certificate, and those above it after it
     * @param key its private key in PKCS#8, not encrypted
     * @throws InputException if they cannot be read
     */
    public static TlsIdentity ofPem(Path certificate, Path key) {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            List<Certificate> chain =
                    List.copyOf(factory.generateCertificates(new ByteArrayInputStream(read(certificate))));
            if (chain.isEmpty()) {
                throw new InputException(certificate + ": has no certificate");
            }
            Matcher found = KEY.matcher(new String(read(key), StandardCharsets.ISO_8859_1));
            if (!found.find()) {
                throw new InputException(
                        key
                                + ": has no private key in PKCS#8 ('BEGIN PRIVATE KEY'), as 'openssl pkcs8 -topk8 -nocrypt' writes");
            }
            byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
            PublicKey shown = chain.get(0).getPublicKey();
            PrivateKey secret = key(encoded, shown.getAlgorithm());
            if (!belong(secret, shown)) {
                throw new InputException(key + ": is not the key of the first certificate in " + certificate);
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("server", secret, new char[0], chain.toArray(Certificate[]::new));
            return new TlsIdentity(keys, new char[0]);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new InputException(
                    certificate + ", " + key + ": are no certificate and key for TLS: " + e.getMessage());
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new InputException(file + ": " + unreadable(e));
        }
    }

    /** {@return why a file cannot be read, behind its name} */
    static String unreadable(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        return "cannot be read: "
                + (e instanceof FileSystemException ? e.getClass().getSimpleName() : e.getMessage());
    }

    /** {@return whether what one key signs the other verifies; true for kinds of keys that are not known here} */
    private static boolean belong(PrivateKey secret, PublicKey shown) throws GeneralSecurityException {
        String algorithm = SIGNATURES.get(shown.getAlgorithm());
        if (algorithm == null) {
            return true;
        }
        byte[] text = {1, 2, 3};
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(secret);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(shown);
        signature.update(text);
        try {
            return signature.verify(signed);
        } catch (SignatureException ofAnotherSize) {
            return false;
        }
    }

    private static PrivateKey key(byte[] encoded, String algorithm) throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }

    /**
     * Reads a PKCS#12 file, which has both.
     *
     * @param password that it was written with
     * @throws InputException if it cannot be read
     */
    public static TlsIdentity ofPkcs12(Path file, String password) {
        try (InputStream in = new ByteArrayInputStream(read(file))) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password.toCharArray());
            return new TlsIdentity(keys, password.toCharArray());
        } catch (IOException | GeneralSecurityException e) {
            throw new InputException(file + ": is no PKCS#12 file of this password: " + e.getMessage());
        }
    }

    /** The keys, each with {@link #password}. */
    public KeyStore keyStore() {
        return keys;
    }

    /** The password of the keys in the store. */
    public String password() {
        return new String(password);
    }

    /** The keys that a server of TLS is given. */
    public KeyManagerFactory keyManagers() {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, password);
            return factory;
        } catch (GeneralSecurityException e) {
            throw new InputException("the certificate and key for TLS cannot be used: " + e.getMessage());
        }
    }

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }
}
