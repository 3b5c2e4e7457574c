package org.clinfer.serve.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.clinfer.DeviceChoice;
import org.clinfer.EngineOptions;
import org.clinfer.errors.InputException;
import org.clinfer.serve.ListenOptions;
import org.clinfer.serve.RepositoryService;
import org.clinfer.serve.ServiceOptions;
import org.clinfer.serve.TlsIdentity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS with a certificate that the JDK's keytool makes, from PKCS#12 and from PEM. */
@Timeout(60)
class RestTlsTest {

    private static final String PASSWORD = "password";

    @TempDir
    private Path folder;

    private Path keyStore() throws IOException, InterruptedException {
        return keyStore("EC");
    }

    private Path keyStore(String algorithm) throws IOException, InterruptedException {
        Path file = folder.resolve("server.p12");
        String options = "-genkeypair -keyalg " + algorithm
                + " -alias server -dname CN=localhost -ext san=dns:localhost -validity 2 -storetype PKCS12 -storepass "
                + PASSWORD + " -keystore " + file;
        String[] words = options.split(" ", -1);
        String[] command = new String[words.length + 1];
        command[0] = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        System.arraycopy(words, 0, command, 1, words.length);
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        return file;
    }

    private Path pem(String name, String kind, byte[] encoded) throws IOException {
        String base64 = Base64.getMimeEncoder().encodeToString(encoded);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
    }

    private static HttpClient trusting(Certificate certificate) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", certificate);
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private void assertServes(TlsIdentity identity, HttpClient client) throws IOException, InterruptedException {
        Path models = Files.createDirectories(folder.resolve("models"));
        ServiceOptions options = ServiceOptions.of(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
        ListenOptions listen = new ListenOptions("localhost", 0, 1 << 20, Optional.empty(), Optional.of(identity));
        try (RepositoryService service = RepositoryService.open(models, options, "1.0");
                RestServer server = RestServer.start(service, listen, Duration.ofSeconds(5), () -> "", Map::of)) {
            URI live = URI.create("https://localhost:" + server.port() + "/v2/health/live");
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(live).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("{\"live\":true}");
        }
    }

    @Test
    void servesWithEitherKindOfFile() throws IOException, InterruptedException, GeneralSecurityException {
        Path file = keyStore();
        TlsIdentity identity = TlsIdentity.ofPkcs12(file, PASSWORD);
        Certificate certificate = identity.keyStore().getCertificate("server");
        Key key = identity.keyStore().getKey("server", PASSWORD.toCharArray());
        HttpClient client = trusting(certificate);
        assertServes(identity, client);
        Path chain = pem("chain.pem", "CERTIFICATE", certificate.getEncoded());
        Path secret = pem("key.pem", "PRIVATE KEY", key.getEncoded());
        assertServes(TlsIdentity.ofPem(chain, secret), client);
        assertThatThrownBy(() -> TlsIdentity.ofPkcs12(file, "other"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("server.p12: is no PKCS#12 file of this password");
        assertThatThrownBy(() -> TlsIdentity.ofPem(chain, chain))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("has no private key in PKCS#8");
        assertThatThrownBy(() -> TlsIdentity.ofPem(secret, secret)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> TlsIdentity.ofPem(folder.resolve("none.pem"), secret))
                .isInstanceOf(InputException.class)
                .hasMessageEndingWith("none.pem: no such file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "EdDSA"})
    void aKeyOfAnotherCertificateIsRefused(String algorithm)
            throws IOException, InterruptedException, GeneralSecurityException {
        TlsIdentity identity = TlsIdentity.ofPkcs12(keyStore(algorithm), PASSWORD);
        Path chain = pem(
                "chain.pem",
                "CERTIFICATE",
                identity.keyStore().getCertificate("server").getEncoded());
        Path own = pem(
                "key.pem",
                "PRIVATE KEY",
                identity.keyStore().getKey("server", PASSWORD.toCharArray()).getEncoded());
        Path other = pem(
                "other.pem",
                "PRIVATE KEY",
                KeyPairGenerator.getInstance(algorithm)
                        .generateKeyPair()
                        .getPrivate()
                        .getEncoded());
        assertThat(TlsIdentity.ofPem(chain, own).keyManagers()).isNotNull();
        assertThatThrownBy(() -> TlsIdentity.ofPem(chain, other))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("other.pem: is not the key of the first certificate in");
    }
}
