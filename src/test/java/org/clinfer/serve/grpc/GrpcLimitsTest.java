package org.clinfer.serve.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.clinfer.serve.grpc.GrpcTestClient.input;
import static org.clinfer.serve.grpc.GrpcTestClient.raw;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.clinfer.errors.InputException;
import org.clinfer.serve.InferenceRequest;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.ListenOptions;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;
import org.clinfer.serve.grpc.proto.InferTensorContents;
import org.clinfer.serve.grpc.proto.ModelInferRequest;
import org.clinfer.serve.grpc.proto.ModelInferResponse;
import org.clinfer.serve.grpc.proto.ServerLiveRequest;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What ends calls early: refusals, deadlines, clients that go away or do not come, limits, malformed messages, the end. */
@Timeout(60)
class GrpcLimitsTest {

    private static final Map<ServiceError, Status.Code> CODES = new EnumMap<>(Map.of(
            ServiceError.INVALID, Status.Code.INVALID_ARGUMENT,
            ServiceError.UNAUTHENTICATED, Status.Code.UNAUTHENTICATED,
            ServiceError.NOT_FOUND, Status.Code.NOT_FOUND,
            ServiceError.TOO_LARGE, Status.Code.RESOURCE_EXHAUSTED,
            ServiceError.BUSY, Status.Code.RESOURCE_EXHAUSTED,
            ServiceError.INTERNAL, Status.Code.INTERNAL,
            ServiceError.UNAVAILABLE, Status.Code.UNAVAILABLE,
            ServiceError.TIMED_OUT, Status.Code.DEADLINE_EXCEEDED));

    private final FakeService service = new FakeService();

    @AutoClose
    private GrpcTestClient client = new GrpcTestClient(service);

    private void restart(GrpcOptions options) {
        client.close();
        client = new GrpcTestClient(service, options);
    }

    @ParameterizedTest
    @EnumSource
    void everyRefusalHasItsStatus(ServiceError error) {
        service.answer = request -> {
            throw new ServiceException(error, "it is refused");
        };
        assertRefused(error);
        service.answer = request -> CompletableFuture.failedFuture(new ServiceException(error, "it is refused"));
        assertRefused(error);
    }

    private void assertRefused(ServiceError error) {
        Status status = GrpcTestClient.status(() -> client.stub.modelInfer(raw("m", 1)));
        assertThat(status.getCode()).isEqualTo(CODES.get(error));
        assertThat(status.getDescription()).isEqualTo("it is refused");
    }

    @Test
    void whatNobodyForesawIsAFailureOfTheServerWithoutItsText() {
        service.answer = request -> CompletableFuture.failedFuture(new IllegalStateException("a secret"));
        Status status = GrpcTestClient.status(() -> client.stub.modelInfer(raw("m", 1)));
        assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(status.getDescription()).isEqualTo("the server failed");
    }

    @Test
    void aClientThatGoesAwayCancelsItsWork() throws InterruptedException {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        var ignored = work.whenComplete((response, failure) -> cancelled.complete(work.isCancelled()));
        service.answer = request -> work;
        ListenableFuture<ModelInferResponse> call =
                GRPCInferenceServiceGrpc.newFutureStub(client.channel).modelInfer(raw("m", 1));
        service.requests.take();
        call.cancel(true);
        assertThat(cancelled.join()).isTrue();
    }

    @Test
    void theDeadlineOfACallIsItsTimeout() throws InterruptedException {
        client.stub.withDeadline(Deadline.after(50, TimeUnit.SECONDS)).modelInfer(raw("m", 1));
        assertThat(service.requests.take().timeout())
                .get()
                .satisfies(time -> assertThat(time).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(50)));
    }

    @Test
    void aDeadlineThatPassesCancelsTheWork() throws InterruptedException {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        var ignored = work.whenComplete((response, failure) -> cancelled.complete(work.isCancelled()));
        service.answer = request -> work;
        Status status = GrpcTestClient.status(
                () -> client.stub.withDeadlineAfter(500, TimeUnit.MILLISECONDS).modelInfer(raw("m", 1)));
        assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(cancelled.join()).isTrue();
    }

    @Test
    void aMessageThatIsTooLargeIsRefused() {
        float[] values = new float[GrpcTestClient.LARGEST / Float.BYTES];
        Status status = GrpcTestClient.status(() -> client.stub.modelInfer(raw("m", values)));
        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(status.getDescription()).contains("exceeds maximum size " + GrpcTestClient.LARGEST);
        assertThat(client.stub.modelInfer(raw("m", 1)).getId()).isEqualTo("7");
    }

    @Test
    void aCompressedMessageIsMeasuredAsItIsUnpacked() {
        GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub compressing = client.stub.withCompression("gzip");
        assertThat(compressing.modelInfer(raw("m", new float[1000])).getId()).isEqualTo("7");
        float[] zeros = new float[32 * GrpcTestClient.LARGEST / Float.BYTES];
        Status status = GrpcTestClient.status(() -> compressing.modelInfer(raw("m", zeros)));
        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(status.getDescription()).contains("exceeds maximum size " + GrpcTestClient.LARGEST);
        assertThat(compressing.modelInfer(raw("m", 1)).getId()).isEqualTo("7");
    }

    @Test
    void rawContentsTakeTheMemoryOfThoseBefore() {
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        ModelInferRequest request = raw("m", new float[200_000]);
        assertThat(client.stub.modelInfer(request).getId()).isEqualTo("7");
        long before = direct.getMemoryUsed();
        for (int i = 0; i < 50; i++) {
            assertThat(client.stub.modelInfer(request).getId()).isEqualTo("7");
        }
        assertThat(direct.getMemoryUsed() - before).isLessThan(10 << 20);
    }

    @Test
    void aMessageOfTooManyFieldsIsRefused() {
        ModelInferRequest.Builder request = ModelInferRequest.newBuilder();
        for (int count = 0; count <= MessageSize.MOST_FIELDS; count++) {
            request.addInputsBuilder();
        }
        Status status = GrpcTestClient.status(() -> client.stub.modelInfer(request.build()));
        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(status.getDescription()).isEqualTo("the message has more than 100000 fields");
    }

    @Test
    void asManyCallsAsAllowedAreInProgress() throws Exception {
        restart(GrpcTestClient.options(1, Duration.ofSeconds(30)));
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        service.answer = request -> work;
        ListenableFuture<ModelInferResponse> first =
                GRPCInferenceServiceGrpc.newFutureStub(client.channel).modelInfer(raw("m", 1));
        InferenceRequest taken = service.requests.take();
        try (SecondConnection second = new SecondConnection(client.server.port())) {
            Status status = GrpcTestClient.status(() -> second.stub.serverLive(ServerLiveRequest.getDefaultInstance()));
            assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(status.getDescription()).isEqualTo("the server has 1 calls in progress, its most");
            work.complete(FakeService.echo(taken));
            assertThat(first.get().getId()).isEqualTo("7");
            assertThat(client.stub
                            .serverLive(ServerLiveRequest.getDefaultInstance())
                            .getLive())
                    .isTrue();
        }
    }

    /** A connection of its own: one alone holds calls back when it has as many as are allowed. */
    private static final class SecondConnection implements AutoCloseable {

        final ManagedChannel channel;
        final GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub stub;

        SecondConnection(int port) {
            channel = NettyChannelBuilder.forAddress("localhost", port)
                    .usePlaintext()
                    .build();
            stub = GRPCInferenceServiceGrpc.newBlockingStub(channel);
        }

        @Override
        public void close() {
            channel.shutdownNow();
        }
    }

    @Test
    void aRequestThatDoesNotComeIsNotWaitedFor() {
        restart(GrpcTestClient.options(4, Duration.ofMillis(300)));
        CompletableFuture<Status> end = new CompletableFuture<>();
        ClientCall<ModelInferRequest, ModelInferResponse> call =
                client.channel.newCall(GRPCInferenceServiceGrpc.getModelInferMethod(), CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status);
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(raw("m", 1));
        assertThat(end.join().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        assertThat(end.join().getDescription()).isEqualTo("the request did not come within 300 ms");
        assertThat(service.requests).isEmpty();
        assertThat(client.stub.modelInfer(raw("m", 1)).getId()).isEqualTo("7");
    }

    /** Sound requests with bytes changed, cut, repeated and put in: what is still sound is answered, all else is refused. */
    @Test
    void malformedMessagesAreFaultsOfTheClient() {
        MethodDescriptor<byte[], byte[]> method =
                GrpcTestClient.bytesOf(GRPCInferenceServiceGrpc.getModelInferMethod());
        Random random = new Random(20261126);
        byte[][] sound = {
            raw("m", 1, 2, 3).toByteArray(),
            ModelInferRequest.newBuilder()
                    .addInputs(input("x", "INT16", 2, 1)
                            .setContents(InferTensorContents.newBuilder()
                                    .addIntContents(1)
                                    .addIntContents(2)))
                    .build()
                    .toByteArray(),
        };
        Map<Status.Code, Integer> seen = new TreeMap<>();
        for (int count = 0; count < 1000; count++) {
            byte[] message = mutated(sound[count % sound.length], random);
            Status.Code code;
            try {
                ClientCalls.blockingUnaryCall(client.channel, method, CallOptions.DEFAULT, message);
                code = Status.Code.OK;
            } catch (StatusRuntimeException refused) {
                code = refused.getStatus().getCode();
            }
            seen.merge(code, 1, Integer::sum);
        }
        assertThat(seen).containsOnlyKeys(Status.Code.OK, Status.Code.INVALID_ARGUMENT);
        assertThat(seen.get(Status.Code.INVALID_ARGUMENT)).isGreaterThan(500);
        service.requests.forEach(request -> request.inputs().values().forEach(Tensor::close));
    }

    private static byte[] mutated(byte[] sound, Random random) {
        byte[] message = sound.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(message.length);
            switch (random.nextInt(4)) {
                case 0 -> message[at] = (byte) random.nextInt(256);
                case 1 -> message = Arrays.copyOf(message, Math.max(1, at));
                case 2 -> message = joined(message, at, Arrays.copyOfRange(message, at, message.length));
                default -> {
                    byte[] put = new byte[1 + random.nextInt(8)];
                    random.nextBytes(put);
                    message = joined(message, at, put);
                }
            }
        }
        return message;
    }

    private static byte[] joined(byte[] message, int at, byte[] put) {
        return ByteString.copyFrom(message, 0, at)
                .concat(ByteString.copyFrom(put))
                .concat(ByteString.copyFrom(message, at, message.length - at))
                .toByteArray();
    }

    @Test
    void otherMethodsRefuseMalformedMessagesToo() {
        MethodDescriptor<byte[], byte[]> method =
                GrpcTestClient.bytesOf(GRPCInferenceServiceGrpc.getModelMetadataMethod());
        Status status = GrpcTestClient.status(() ->
                ClientCalls.blockingUnaryCall(client.channel, method, CallOptions.DEFAULT, new byte[] {10, 5, 'm'}));
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).isEqualTo("the message is no sound ModelMetadataRequest");
    }

    @Test
    void closingLetsCallsInProgressEnd() throws InterruptedException, ExecutionException {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        service.answer = request -> work;
        ListenableFuture<ModelInferResponse> call =
                GRPCInferenceServiceGrpc.newFutureStub(client.channel).modelInfer(raw("m", 1));
        InferenceRequest taken = service.requests.take();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> client.server.close(Duration.ofSeconds(50)));
        assertThat(closed).isNotDone();
        work.complete(FakeService.echo(taken));
        assertThat(call.get().getId()).isEqualTo("7");
        closed.join();
    }

    @Test
    void closingCancelsWhatDoesNotEnd() throws InterruptedException {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        service.answer = request -> work;
        ListenableFuture<ModelInferResponse> call =
                GRPCInferenceServiceGrpc.newFutureStub(client.channel).modelInfer(raw("m", 1));
        service.requests.take();
        client.server.close(Duration.ofMillis(10));
        assertThat(work).isCancelled();
        assertThatThrownBy(call::get).isInstanceOf(ExecutionException.class);
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        ListenOptions taken = new ListenOptions(
                "localhost", client.server.port(), GrpcTestClient.LARGEST, Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> GrpcServer.start(service, GrpcOptions.of(taken)))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("gRPC cannot listen at localhost:" + client.server.port() + ": ");
    }
}
