package org.clinfer.serve.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import org.clinfer.serve.AccessToken;
import org.clinfer.serve.ListenOptions;
import org.clinfer.serve.TlsIdentity;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;
import org.clinfer.serve.grpc.proto.ServerLiveRequest;
import org.clinfer.serve.grpc.proto.ServerMetadataRequest;
import org.clinfer.serve.grpc.proto.ServerReadyRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens and TLS. */
@Timeout(60)
class GrpcSecurityTest {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    @TempDir
    private Path folder;

    private static GrpcOptions options(Optional<AccessToken> token, Optional<TlsIdentity> tls) {
        return GrpcOptions.of(new ListenOptions("localhost", 0, GrpcTestClient.LARGEST, token, tls));
    }

    private static String name(GrpcTestClient client, String authorization) {
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, authorization);
        return client.stub
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .serverMetadata(ServerMetadataRequest.getDefaultInstance())
                .getName();
    }

    @Test
    void theTokenOpensTheService() {
        GrpcOptions options = options(Optional.of(new AccessToken("secret")), Optional.empty());
        try (GrpcTestClient client = new GrpcTestClient(new FakeService(), options)) {
            assertThat(name(client, "Bearer secret")).isNotEmpty();
            assertThat(name(client, "bearer  secret")).isNotEmpty();
        }
    }

    @Test
    void withoutTheTokenOnlyHealthIsTold() {
        GrpcOptions options = options(Optional.of(new AccessToken("secret")), Optional.empty());
        try (GrpcTestClient client = new GrpcTestClient(new FakeService(), options)) {
            Status without =
                    GrpcTestClient.status(() -> client.stub.serverMetadata(ServerMetadataRequest.getDefaultInstance()));
            assertThat(without.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(without.getDescription())
                    .isEqualTo("the server asks for a token, as metadata 'authorization: Bearer TOKEN'");
            assertThat(client.stub
                            .serverLive(ServerLiveRequest.getDefaultInstance())
                            .getLive())
                    .isTrue();
            assertThat(client.stub
                            .serverReady(ServerReadyRequest.getDefaultInstance())
                            .getReady())
                    .isTrue();
            for (String wrong : new String[] {"Bearer other", "secret", "Bearer", "Bearer secrets"}) {
                Status status = GrpcTestClient.status(() -> name(client, wrong));
                assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
                assertThat(status.getDescription()).isEqualTo("the token is not that of the server");
            }
            assertThat(HealthGrpc.newBlockingStub(client.channel)
                            .check(HealthCheckRequest.getDefaultInstance())
                            .getStatus())
                    .isEqualTo(ServingStatus.SERVING);
        }
    }

    @Test
    void withTlsTheClientKnowsTheServer() throws Exception {
        TlsIdentity identity = identity();
        try (GrpcTestClient plain =
                new GrpcTestClient(new FakeService(), options(Optional.empty(), Optional.of(identity)))) {
            ManagedChannel channel = NettyChannelBuilder.forAddress(
                            "localhost",
                            plain.server.port(),
                            TlsChannelCredentials.newBuilder()
                                    .trustManager(new ByteArrayInputStream(certificate(identity)))
                                    .build())
                    .build();
            try {
                assertThat(GRPCInferenceServiceGrpc.newBlockingStub(channel)
                                .serverLive(ServerLiveRequest.getDefaultInstance())
                                .getLive())
                        .isTrue();
            } finally {
                channel.shutdownNow();
            }
            Status status = GrpcTestClient.status(() -> plain.stub.serverLive(ServerLiveRequest.getDefaultInstance()));
            assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
    }

    /** A certificate for localhost that signs itself, made by the JDK's keytool. */
    private TlsIdentity identity() throws IOException, InterruptedException {
        Path file = folder.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "server",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        "password")
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        return TlsIdentity.ofPkcs12(file, "password");
    }

    private static byte[] certificate(TlsIdentity identity) throws GeneralSecurityException {
        String base64 = Base64.getMimeEncoder()
                .encodeToString(identity.keyStore().getCertificate("server").getEncoded());
        return ("-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
