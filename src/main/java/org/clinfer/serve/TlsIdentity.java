package org.clinfer.serve;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import org.clinfer.errors.InputException;

/** The certificate and private key with which a server proves who it is. */
public final class TlsIdentity {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

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
            List<Certificate> chain = List.copyOf(
                    factory.generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate))));
            if (chain.isEmpty()) {
                throw new InputException(certificate + ": has no certificate");
            }
            Matcher found = KEY.matcher(Files.readString(key, StandardCharsets.ISO_8859_1));
            if (!found.find()) {
                throw new InputException(
                        key
                                + ": has no private key in PKCS#8 ('BEGIN PRIVATE KEY'), as 'openssl pkcs8 -topk8 -nocrypt' writes");
            }
            byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
            PrivateKey secret = key(encoded, chain.get(0).getPublicKey().getAlgorithm());
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("server", secret, new char[0], chain.toArray(Certificate[]::new));
            return new TlsIdentity(keys, new char[0]);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            throw new InputException(
                    certificate + ", " + key + ": are no certificate and key for TLS: " + e.getMessage());
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
        try (InputStream in = Files.newInputStream(file)) {
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
