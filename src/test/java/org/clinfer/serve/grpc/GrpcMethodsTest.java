package org.clinfer.serve.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import org.clinfer.serve.grpc.proto.InferenceProtocol;
import org.clinfer.serve.grpc.proto.ModelMetadataRequest;
import org.clinfer.serve.grpc.proto.ModelMetadataResponse;
import org.clinfer.serve.grpc.proto.ModelMetadataResponse.TensorMetadata;
import org.clinfer.serve.grpc.proto.ModelReadyRequest;
import org.clinfer.serve.grpc.proto.ModelRepositoryParameter;
import org.clinfer.serve.grpc.proto.ModelStatistics;
import org.clinfer.serve.grpc.proto.ModelStatisticsRequest;
import org.clinfer.serve.grpc.proto.RepositoryIndexRequest;
import org.clinfer.serve.grpc.proto.RepositoryIndexResponse.ModelIndex;
import org.clinfer.serve.grpc.proto.RepositoryModelLoadRequest;
import org.clinfer.serve.grpc.proto.RepositoryModelUnloadRequest;
import org.clinfer.serve.grpc.proto.ServerLiveRequest;
import org.clinfer.serve.grpc.proto.ServerMetadataRequest;
import org.clinfer.serve.grpc.proto.ServerMetadataResponse;
import org.clinfer.serve.grpc.proto.ServerReadyRequest;
import org.clinfer.serve.grpc.proto.StatisticDuration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every method but inference, health and reflection: what the service says is in the messages. */
@Timeout(60)
class GrpcMethodsTest {

    private final FakeService service = new FakeService();

    @AutoClose
    private final GrpcTestClient client = new GrpcTestClient(service);

    @Test
    void liveAndReadyAreThoseOfTheService() {
        assertThat(live()).isTrue();
        assertThat(ready()).isTrue();
        service.live = false;
        assertThat(live()).isFalse();
        assertThat(ready()).isTrue();
        service.ready = false;
        assertThat(ready()).isFalse();
    }

    private boolean live() {
        return client.stub.serverLive(ServerLiveRequest.getDefaultInstance()).getLive();
    }

    private boolean ready() {
        return client.stub.serverReady(ServerReadyRequest.getDefaultInstance()).getReady();
    }

    @Test
    void aModelIsReadyByNameAndVersion() {
        assertThat(ready("m", "")).isTrue();
        assertThat(ready("m", "1")).isTrue();
        assertThat(ready("m", "2")).isFalse();
        assertThat(ready("other", "")).isFalse();
    }

    private boolean ready(String model, String version) {
        return client.stub
                .modelReady(ModelReadyRequest.newBuilder()
                        .setName(model)
                        .setVersion(version)
                        .build())
                .getReady();
    }

    @Test
    void theServerSaysWhatItIs() {
        assertThat(client.stub.serverMetadata(ServerMetadataRequest.getDefaultInstance()))
                .isEqualTo(ServerMetadataResponse.newBuilder()
                        .setName("clinfer")
                        .setVersion("1.2")
                        .addExtensions("model_repository")
                        .build());
    }

    @Test
    void aModelHasInputsAndOutputs() {
        assertThat(client.stub.modelMetadata(
                        ModelMetadataRequest.newBuilder().setName("m").build()))
                .isEqualTo(ModelMetadataResponse.newBuilder()
                        .setName("m")
                        .addVersions("1")
                        .addVersions("2")
                        .setPlatform("onnx_clinfer")
                        .addInputs(TensorMetadata.newBuilder()
                                .setName("x")
                                .setDatatype("FP32")
                                .addShape(-1)
                                .addShape(3))
                        .addOutputs(TensorMetadata.newBuilder().setName("y").setDatatype("BF16"))
                        .build());
    }

    @Test
    void theIndexHasModelsAndTheirStates() {
        ModelIndex ready = ModelIndex.newBuilder()
                .setName("m")
                .setVersion("1")
                .setState("READY")
                .build();
        ModelIndex broken = ModelIndex.newBuilder()
                .setName("n")
                .setVersion("3")
                .setState("UNAVAILABLE")
                .setReason("it is broken")
                .build();
        RepositoryIndexRequest all = RepositoryIndexRequest.getDefaultInstance();
        assertThat(client.stub.repositoryIndex(all).getModelsList()).containsExactly(ready, broken);
        assertThat(client.stub
                        .repositoryIndex(all.toBuilder().setReady(true).build())
                        .getModelsList())
                .containsExactly(ready);
        Status status = GrpcTestClient.status(() -> client.stub.repositoryIndex(
                all.toBuilder().setRepositoryName("r").build()));
        assertThat(status.getCode()).isEqualTo(Status.Code.NOT_FOUND);
        assertThat(status.getDescription()).isEqualTo("there is no repository 'r': the server has one, without a name");
    }

    @Test
    void modelsAreLoadedAndUnloaded() {
        client.stub.repositoryModelLoad(
                RepositoryModelLoadRequest.newBuilder().setModelName("a").build());
        client.stub.repositoryModelUnload(RepositoryModelUnloadRequest.newBuilder()
                .setModelName("b")
                .putParameters(
                        "unload_dependents",
                        ModelRepositoryParameter.newBuilder().setBoolParam(true).build())
                .build());
        assertThat(service.changes).containsExactly("a", "-b");
    }

    @Test
    void aModelIsNotLoadedFromTheRequest() {
        RepositoryModelLoadRequest request = RepositoryModelLoadRequest.newBuilder()
                .setModelName("a")
                .putParameters("config", ModelRepositoryParameter.getDefaultInstance())
                .build();
        Status status = GrpcTestClient.status(() -> client.stub.repositoryModelLoad(request));
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription())
                .isEqualTo("the parameter 'config' is not supported: models are as the repository has them");
        assertThat(service.changes).isEmpty();
    }

    @Test
    void statisticsHaveCountsAndTimes() {
        ModelStatistics model = client.stub
                .modelStatistics(ModelStatisticsRequest.newBuilder()
                        .setName("m")
                        .setVersion("2")
                        .build())
                .getModelStats(0);
        assertThat(model.getName()).isEqualTo("m");
        assertThat(model.getVersion()).isEqualTo("2");
        assertThat(model.getLastInference()).isEqualTo(1234);
        assertThat(model.getInferenceCount()).isEqualTo(10);
        assertThat(model.getExecutionCount()).isEqualTo(3);
        assertThat(model.getInferenceStats().getSuccess()).isEqualTo(duration(4, 400));
        assertThat(model.getInferenceStats().getFail()).isEqualTo(duration(5, 500));
        assertThat(model.getInferenceStats().getQueue()).isEqualTo(duration(6, 600));
        assertThat(model.getInferenceStats().getComputeInfer()).isEqualTo(duration(7, 700));
        assertThat(client.stub
                        .modelStatistics(ModelStatisticsRequest.getDefaultInstance())
                        .getModelStats(0)
                        .getName())
                .isEqualTo("all");
    }

    private static StatisticDuration duration(long count, long nanos) {
        return StatisticDuration.newBuilder().setCount(count).setNs(nanos).build();
    }

    @Test
    void healthIsThatOfTheMoment() {
        assertThat(health("")).isEqualTo(ServingStatus.SERVING);
        assertThat(health("inference.GRPCInferenceService")).isEqualTo(ServingStatus.SERVING);
        service.ready = false;
        assertThat(health("")).isEqualTo(ServingStatus.NOT_SERVING);
        service.ready = true;
        service.live = false;
        assertThat(health("inference.GRPCInferenceService")).isEqualTo(ServingStatus.NOT_SERVING);
        assertThat(GrpcTestClient.status(() -> health("other")).getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }

    private ServingStatus health(String name) {
        return HealthGrpc.newBlockingStub(client.channel)
                .check(HealthCheckRequest.newBuilder().setService(name).build())
                .getStatus();
    }

    @Test
    void watchersHearOfAChange() {
        Iterator<HealthCheckResponse> changes =
                HealthGrpc.newBlockingStub(client.channel).watch(HealthCheckRequest.getDefaultInstance());
        assertThat(changes.next().getStatus()).isEqualTo(ServingStatus.SERVING);
        service.live = false;
        assertThat(changes.next().getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
    }

    @Test
    void reflectionHasTheServicesAndTheirFile() {
        assertThat(reflect(ServerReflectionRequest.newBuilder()
                                .setListServices("")
                                .build())
                        .getListServicesResponse()
                        .getServiceList()
                        .stream()
                        .map(ServiceResponse::getName))
                .containsExactlyInAnyOrder(
                        "inference.GRPCInferenceService",
                        "grpc.health.v1.Health",
                        "grpc.reflection.v1.ServerReflection",
                        "grpc.reflection.v1alpha.ServerReflection");
        assertThat(reflect(ServerReflectionRequest.newBuilder()
                                .setFileContainingSymbol("inference.GRPCInferenceService")
                                .build())
                        .getFileDescriptorResponse()
                        .getFileDescriptorProto(0))
                .isEqualTo(InferenceProtocol.getDescriptor().toProto().toByteString());
    }

    private ServerReflectionResponse reflect(ServerReflectionRequest request) {
        CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> call = ServerReflectionGrpc.newStub(client.channel)
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse response) {
                        answer.complete(response);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        answer.completeExceptionally(new IllegalStateException("no answer"));
                    }
                });
        call.onNext(request);
        try {
            return answer.join();
        } finally {
            call.onCompleted();
        }
    }
}
