package org.clinfer.serve.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.clinfer.serve.InferenceRequest;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Streams that clients hold open while the server ends. */
@Timeout(60)
class GrpcDrainTest {

    private final FakeService service = new FakeService();

    @AutoClose
    private final GrpcTestClient client = new GrpcTestClient(service);

    @Test
    void streamsWithoutWorkEndWithTheServerAndOthersWhenTheyAreAnswered() throws Exception {
        CompletableFuture<InferenceResponse> work = new CompletableFuture<>();
        service.answer = request -> work.thenApply(done -> FakeService.echo(request));
        BlockingQueue<String> ends = new LinkedBlockingQueue<>();
        HealthGrpc.newStub(client.channel).watch(HealthCheckRequest.getDefaultInstance(), new Ends<>("watch", ends));
        GRPCInferenceServiceGrpc.GRPCInferenceServiceStub stub = GRPCInferenceServiceGrpc.newStub(client.channel);
        var idle = stub.modelStreamInfer(new Ends<>("idle", ends));
        var busy = stub.modelStreamInfer(new Ends<>("busy", ends));
        busy.onNext(GrpcTestClient.raw("m", 1));
        InferenceRequest request = service.requests.take();
        assertThat(ends.take()).isEqualTo("watch has an answer");
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> client.server.close(Duration.ofSeconds(50)));
        Set<String> first = new TreeSet<>();
        while (first.size() < 3) {
            first.add(ends.take());
        }
        assertThat(first).containsExactly("idle ends: UNAVAILABLE", "watch ends: UNAVAILABLE", "watch has an answer");
        assertThat(closed).isNotDone();
        work.complete(FakeService.echo(request));
        assertThat(ends.take()).isEqualTo("busy has an answer");
        assertThat(ends.take()).isEqualTo("busy ends: UNAVAILABLE");
        closed.join();
        assertThat(idle).isNotNull();
    }

    /** Tells of answers and of the end of a call. */
    private record Ends<T>(String name, BlockingQueue<String> told) implements StreamObserver<T> {

        @Override
        public void onNext(T answer) {
            told.add(name + " has an answer");
        }

        @Override
        public void onError(Throwable failure) {
            told.add(name + " ends: " + Status.fromThrowable(failure).getCode());
        }

        @Override
        public void onCompleted() {
            told.add(name + " is complete");
        }
    }
}
