package org.clinfer.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.clinfer.errors.InputException;
import org.clinfer.serve.AccessToken;
import org.clinfer.serve.ListenOptions;
import org.clinfer.serve.TlsIdentity;
import picocli.CommandLine.Option;

/** The options of where a server listens, and whom it serves. */
final class ServeListening {

    private static final String PASSWORD = "CLINFER_TLS_PASSWORD";

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "Name or address to listen at (default: localhost, for this machine alone; 0.0.0.0: all).")
    private String host = "localhost";

    @Option(
            names = "--max-request",
            paramLabel = "BYTES[K|M|G]",
            converter = ByteCount.class,
            description = "The size of a request at most (default: 64M).")
    private long maxRequest = 64L << 20;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Serve those alone who send the token in this file ('Authorization: Bearer TOKEN').")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "Serve TLS with the certificates in this file in PEM, of which the first is the server's; or"
                    + " with a .p12 file, which has the key too, and whose password is in the environment variable "
                    + PASSWORD + ".")
    private Optional<Path> certificate = Optional.empty();

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "The private key of the certificate, in PEM (PKCS#8, not encrypted).")
    private Optional<Path> key = Optional.empty();

    /** The address of a port to listen at. */
    ListenOptions at(int port) {
        if (port < 0 || port > 0xFFFF) {
            throw new UsageException("a port is from 0 to 65535, but is " + port);
        }
        return new ListenOptions(host, port, maxRequest, tokenFile.map(AccessToken::read), identity());
    }

    private Optional<TlsIdentity> identity() {
        if (certificate.isEmpty()) {
            if (key.isPresent()) {
                throw new UsageException("--tls-key needs --tls-certificate");
            }
            return Optional.empty();
        }
        Path file = certificate.get();
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".p12") || name.endsWith(".pfx")) {
            if (key.isPresent()) {
                throw new UsageException("--tls-key is for a certificate in PEM; " + file + " has the key itself");
            }
            String password = System.getenv(PASSWORD);
            if (password != null || !Files.isRegularFile(file)) {
                return Optional.of(TlsIdentity.ofPkcs12(file, password == null ? "" : password));
            }
            try {
                return Optional.of(TlsIdentity.ofPkcs12(file, ""));
            } catch (InputException wrong) {
                throw new InputException(wrong.getMessage() + "; " + PASSWORD + ", which would have it, is not set");
            }
        }
        Path secret = key.orElseThrow(() -> new UsageException("--tls-certificate in PEM needs --tls-key"));
        return Optional.of(TlsIdentity.ofPem(file, secret));
    }
}
