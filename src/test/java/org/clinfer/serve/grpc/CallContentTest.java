package org.clinfer.serve.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.serve.grpc.GrpcTestClient.raw;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.clinfer.serve.ContentBudget;
import org.clinfer.serve.InferenceRequest;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;
import org.clinfer.serve.grpc.proto.InferTensorContents;
import org.clinfer.serve.grpc.proto.ModelInferRequest;
import org.clinfer.serve.grpc.proto.ModelInferResponse;
import org.clinfer.serve.grpc.proto.ModelStreamInferResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory of what all calls receive: what is beyond it is refused, and all of it comes back. */
@Timeout(60)
class CallContentTest {

    private static final int BYTES = 400_000;

    /** As many as are in memory at a time. */
    private static final int MESSAGES = 3;

    private final FakeService service = new FakeService();
    private final ContentBudget budget = new ContentBudget(MESSAGES * BYTES + BYTES / 2);

    @AutoClose
    private final GrpcTestClient client =
            new GrpcTestClient(GrpcServer.start(service, GrpcTestClient.options(), budget));

    private final ModelInferRequest message = raw("m", new float[BYTES / Float.BYTES]);

    private void assertAllIsGivenBack() throws InterruptedException {
        while (budget.taken() > 0) {
            Thread.sleep(1);
        }
        assertThat(client.stub.modelInfer(message).getId()).isEqualTo("7");
    }

    private static void assertNoMemory(Status status) {
        assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(status.getDescription()).isEqualTo("the server has no memory for more requests now");
    }

    @Test
    void callsBeyondItAreRefusedUntilOthersEnd() throws Exception {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        service.answer = request -> work.thenApply(done -> FakeService.echo(request));
        GRPCInferenceServiceGrpc.GRPCInferenceServiceFutureStub stub =
                GRPCInferenceServiceGrpc.newFutureStub(client.channel);
        List<ListenableFuture<ModelInferResponse>> calls = new ArrayList<>();
        List<InferenceRequest> requests = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            calls.add(stub.modelInfer(message));
            requests.add(service.requests.take());
        }
        assertThat(budget.taken()).isBetween((long) MESSAGES * BYTES, (long) MESSAGES * BYTES + BYTES / 2);
        assertNoMemory(GrpcTestClient.status(() -> client.stub.modelInfer(message)));
        work.complete(FakeService.echo(requests.get(0)));
        for (ListenableFuture<ModelInferResponse> call : calls) {
            assertThat(call.get().getId()).isEqualTo("7");
        }
        assertAllIsGivenBack();
    }

    @Test
    void elementsInFieldsOfTheirTypeCountWithTheTensorOfThem() throws Exception {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        service.answer = request -> work;
        InferTensorContents.Builder floats = InferTensorContents.newBuilder();
        for (int i = 0; i < BYTES / Float.BYTES; i++) {
            floats.addFp32Contents(i);
        }
        ModelInferRequest typed = ModelInferRequest.newBuilder(message)
                .clearRawInputContents()
                .setInputs(0, message.getInputs(0).toBuilder().setContents(floats))
                .build();
        ListenableFuture<ModelInferResponse> call =
                GRPCInferenceServiceGrpc.newFutureStub(client.channel).modelInfer(typed);
        service.requests.take();
        assertThat(budget.taken()).isGreaterThanOrEqualTo(3 * BYTES);
        assertNoMemory(GrpcTestClient.status(() -> client.stub.modelInfer(typed)));
        call.cancel(true);
        service.answer = request -> CompletableFuture.completedFuture(FakeService.echo(request));
        assertAllIsGivenBack();
    }

    @Test
    void memoryThatEndsIsUnavailable() {
        service.answer = request -> {
            throw new OutOfMemoryError("for a test");
        };
        assertNoMemory(GrpcTestClient.status(() -> client.stub.modelInfer(message)));
    }

    @Test
    void aRequestThatNeverEndsCounts() throws InterruptedException {
        ClientCall<byte[], byte[]> call = client.channel.newCall(
                GrpcTestClient.bytesOf(GRPCInferenceServiceGrpc.getModelInferMethod()), CallOptions.DEFAULT);
        call.start(new ClientCall.Listener<>() {}, new Metadata());
        call.sendMessage(message.toByteArray());
        while (budget.taken() < BYTES) {
            Thread.sleep(1);
        }
        call.cancel("it is enough", null);
        assertAllIsGivenBack();
    }

    @Test
    void aCompressedMessageCountsAsItIsUnpacked() throws InterruptedException {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        service.answer = request -> work.thenApply(done -> FakeService.echo(request));
        ListenableFuture<ModelInferResponse> call = GRPCInferenceServiceGrpc.newFutureStub(client.channel)
                .withCompression("gzip")
                .modelInfer(message);
        InferenceRequest request = service.requests.take();
        assertThat(budget.taken()).isGreaterThan(BYTES);
        work.complete(FakeService.echo(request));
        call.cancel(true);
        assertAllIsGivenBack();
    }

    @Test
    void aStreamGivesBackWhatIsAnswered() throws InterruptedException {
        Responses responses = new Responses();
        StreamObserver<ModelInferRequest> call =
                GRPCInferenceServiceGrpc.newStub(client.channel).modelStreamInfer(responses);
        for (int i = 0; i < 4 * MESSAGES; i++) {
            call.onNext(message);
            assertThat(responses.received.take().getErrorMessage()).isEmpty();
        }
        call.onCompleted();
        assertThat(responses.end.join().isOk()).isTrue();
        assertAllIsGivenBack();
    }

    @Test
    void aStreamOfMoreThanItIsRefusedAndItsWorkGivenUp() throws InterruptedException {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        service.answer = request -> work;
        Responses responses = new Responses();
        StreamObserver<ModelInferRequest> call =
                GRPCInferenceServiceGrpc.newStub(client.channel).modelStreamInfer(responses);
        for (int i = 0; i <= MESSAGES; i++) {
            call.onNext(message);
        }
        assertNoMemory(responses.end.join());
        while (!work.isCancelled()) {
            Thread.sleep(1);
        }
        service.answer = request -> CompletableFuture.completedFuture(FakeService.echo(request));
        assertAllIsGivenBack();
    }

    private static final class Responses implements StreamObserver<ModelStreamInferResponse> {

        final BlockingQueue<ModelStreamInferResponse> received = new LinkedBlockingQueue<>();
        final CompletableFuture<Status> end = new CompletableFuture<>();

        @Override
        public void onNext(ModelStreamInferResponse response) {
            received.add(response);
        }

        @Override
        public void onError(Throwable failure) {
            end.complete(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            end.complete(Status.OK);
        }
    }
}
