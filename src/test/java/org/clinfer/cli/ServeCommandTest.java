package org.clinfer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cli.Ran.clinfer;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.clinfer.serve.ServedModels;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;
import org.clinfer.serve.grpc.proto.ServerMetadataRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code serve}: a process from its start to SIGTERM, and what it refuses. */
@Timeout(60)
class ServeCommandTest {

    /** What the virtual machine of a shell returns after SIGTERM. */
    private static final int TERMINATED = 143;

    @TempDir
    private Path folder;

    private Process start(String... options) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                folder.toString(),
                "--port",
                "0",
                "--grpc-port",
                "0",
                "--device",
                "cpu");
        builder.command().addAll(List.of(options));
        builder.environment().remove("LD_PRELOAD");
        return builder.redirectErrorStream(true).start();
    }

    @Test
    void servesUntilItIsTold() throws IOException, InterruptedException {
        ServedModels.write(folder, "scaled", 1, 2, 2);
        Path token = Files.writeString(folder.resolve(".token"), "secret\n");
        Process process = start("--token-file", token.toString());
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = out.readLine();
            while (!line.startsWith("gRPC listens at ")) {
                line = out.readLine();
            }
            assertThat(grpcStatus(line.substring("gRPC listens at ".length()))).isEqualTo(Status.Code.UNAUTHENTICATED);
            line = out.readLine();
            URI address = URI.create(line.substring("listens at ".length()) + "/v2/models/scaled/infer");
            assertThat(out.readLine()).isEqualTo("scaled version 1: ready");
            assertThat(out.readLine()).contains("CPU");
            assertThat(out.readLine()).isEqualTo("ready");
            String content =
                    "{\"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], \"datatype\": \"FP32\", \"data\": [1, 2]}]}";
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(address).POST(HttpRequest.BodyPublishers.ofString(content));
            HttpClient client = HttpClient.newHttpClient();
            assertThat(client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(401);
            assertThat(client.send(
                                    request.header("Authorization", "Bearer secret")
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("[2.0,4.0]");
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(TERMINATED);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aFolderThatHasNoModelsIsTold() throws IOException, InterruptedException {
        assertThat(saidUntilReady())
                .contains("WARN: there is no model in " + folder
                        + "; looked for NAME/VERSION/model.onnx, NAME/model.onnx and NAME.onnx, or other formats");
        ServedModels.write(folder.resolve("1/model.json"), 2, 2);
        Files.createFile(folder.resolve("config.pbtxt"));
        assertThat(saidUntilReady())
                .contains("WARN: " + folder
                        + " has a config.pbtxt itself, which is not read; is the folder above it meant?");
    }

    private List<String> saidUntilReady() throws IOException, InterruptedException {
        Process process = start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> lines = new ArrayList<>();
            for (String line = out.readLine(); line != null && !line.equals("ready"); line = out.readLine()) {
                lines.add(line);
            }
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return lines;
        } finally {
            process.destroyForcibly();
        }
    }

    /** How a call without the token ends. */
    private static Status.Code grpcStatus(String address) {
        ManagedChannel channel =
                NettyChannelBuilder.forTarget(address).usePlaintext().build();
        try {
            GRPCInferenceServiceGrpc.newBlockingStub(channel)
                    .serverMetadata(ServerMetadataRequest.getDefaultInstance());
            return Status.Code.OK;
        } catch (StatusRuntimeException refused) {
            return refused.getStatus().getCode();
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void whatCannotBeServedIsSaid() throws IOException {
        assertRefused("none: no such file or folder", folder.resolve("none"));
        assertRefused("--max-batch must be at least 1", folder, "--max-batch", "0");
        assertRefused("--max-delay must be from 0", folder, "--max-delay", "NaN");
        assertRefused("a port is from 0 to 65535", folder, "--port", "70000");
        assertRefused("a port is from 0 to 65535", folder, "--grpc-port", "-1");
        assertRefused("no token can be read", folder, "--token-file", folder.resolve("none"));
        Path file = Files.writeString(folder.resolve("two words"), "two words");
        assertRefused("is a file, not a folder with models", file);
        assertRefused("two words: has something else; a token is one word", folder, "--token-file", file);
        Path empty = Files.createFile(folder.resolve("empty"));
        assertRefused("empty: is empty; a token is one word", folder, "--token-file", empty);
        assertRefused("--tls-certificate in PEM needs --tls-key", folder, "--tls-certificate", file);
        assertRefused("no certificate and key", folder, "--tls-certificate", file, "--tls-key", file);
        Path store = Files.writeString(folder.resolve("server.p12"), "none");
        assertRefused("CLINFER_TLS_PASSWORD, which would have it, is not set", folder, "--tls-certificate", store);
        assertRefused("has the key itself", folder, "--tls-certificate", store, "--tls-key", file);
        assertRefused(
                "cannot listen at",
                folder,
                "--port",
                "0",
                "--grpc-port",
                "0",
                "--device",
                "cpu",
                "--host",
                "203.0.113.1");
    }

    private static void assertRefused(String sentence, Object... args) {
        Object[] all = new Object[args.length + 1];
        all[0] = "serve";
        System.arraycopy(args, 0, all, 1, args.length);
        Ran ran = clinfer(all);
        assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(ran.err()).hasSize(1).first().asString().contains(sentence);
    }
}
