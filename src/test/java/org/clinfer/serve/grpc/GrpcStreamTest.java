package org.clinfer.serve.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.serve.grpc.GrpcTestClient.floats;
import static org.clinfer.serve.grpc.GrpcTestClient.raw;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.clinfer.serve.InferenceRequest;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;
import org.clinfer.serve.grpc.proto.ModelInferRequest;
import org.clinfer.serve.grpc.proto.ModelStreamInferResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams of requests: order, failures among them, how many are worked on, and clients that go away. */
@Timeout(60)
class GrpcStreamTest implements StreamObserver<ModelStreamInferResponse> {

    private final FakeService service = new FakeService();

    @AutoClose
    private final GrpcTestClient client = new GrpcTestClient(service);

    private final BlockingQueue<ModelStreamInferResponse> responses = new LinkedBlockingQueue<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();

    @Override
    public void onNext(ModelStreamInferResponse response) {
        responses.add(response);
    }

    @Override
    public void onError(Throwable failure) {
        end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
        end.complete(Status.OK);
    }

    private StreamObserver<ModelInferRequest> open() {
        return GRPCInferenceServiceGrpc.newStub(client.channel).modelStreamInfer(this);
    }

    @Test
    void responsesComeInTheOrderOfTheRequests() throws InterruptedException {
        List<CompletableFuture<InferenceResponse>> work = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        service.answer = request -> work.get(request.model().equals("first") ? 0 : 1);
        StreamObserver<ModelInferRequest> call = open();
        call.onNext(raw("first", 1));
        call.onNext(raw("second", 2));
        call.onCompleted();
        InferenceRequest first = service.requests.take();
        InferenceRequest second = service.requests.take();
        work.get(1).complete(FakeService.echo(second));
        work.get(0).complete(FakeService.echo(first));
        assertThat(end.join().isOk()).isTrue();
        assertThat(responses)
                .extracting(response -> response.getInferResponse().getModelName())
                .containsExactly("first", "second");
        assertThat(floats(responses.remove().getInferResponse().getRawOutputContents(0)))
                .containsExactly(1);
    }

    @Test
    void aRequestThatFailsDoesNotEndTheStream() throws InterruptedException {
        service.answer = request -> request.model().equals("m")
                ? CompletableFuture.completedFuture(FakeService.echo(request))
                : CompletableFuture.failedFuture(new ServiceException(ServiceError.NOT_FOUND, "it is not there"));
        StreamObserver<ModelInferRequest> call = open();
        call.onNext(raw("other", 1));
        call.onNext(raw("m", 1).toBuilder().clearRawInputContents().build());
        call.onNext(raw("m", 1));
        ModelStreamInferResponse missing = responses.take();
        assertThat(missing.getErrorMessage()).isEqualTo("it is not there");
        assertThat(missing.getInferResponse().getId()).isEqualTo("7");
        assertThat(responses.take().getErrorMessage()).isEqualTo("input 'x' has 0 elements, but its shape 1x1 has 1");
        assertThat(responses.take().getErrorMessage()).isEmpty();
        call.onCompleted();
        assertThat(end.join().isOk()).isTrue();
    }

    @Test
    void noMoreThanTheBoundIsWorkedOn() throws InterruptedException {
        List<CompletableFuture<InferenceResponse>> work = new ArrayList<>();
        service.answer = request -> {
            CompletableFuture<InferenceResponse> each = new CompletableFuture<>();
            work.add(each);
            return each;
        };
        StreamObserver<ModelInferRequest> call = open();
        for (int count = 0; count <= InferStream.IN_FLIGHT; count++) {
            call.onNext(raw("m" + count, count));
        }
        List<InferenceRequest> taken = new ArrayList<>();
        for (int count = 0; count < InferStream.IN_FLIGHT; count++) {
            taken.add(service.requests.take());
        }
        assertThat(service.requests).isEmpty();
        work.get(0).complete(FakeService.echo(taken.get(0)));
        assertThat(service.requests.take().model()).isEqualTo("m" + InferStream.IN_FLIGHT);
        assertThat(responses.take().getInferResponse().getModelName()).isEqualTo("m0");
    }

    @Test
    void aClientThatGoesAwayCancelsItsWork() throws InterruptedException {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
        var ignored = work.whenComplete((response, failure) -> cancelled.complete(work.isCancelled()));
        service.answer = request -> work;
        Context.CancellableContext context = Context.current().withCancellation();
        context.run(() -> open().onNext(raw("m", 1)));
        service.requests.take();
        context.cancel(null);
        assertThat(cancelled.join()).isTrue();
        assertThat(end.join().getCode()).isEqualTo(Status.Code.CANCELLED);
    }
}
