package org.clinfer.serve.grpc;

import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.clinfer.serve.ContentMemory;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc;
import org.clinfer.serve.grpc.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceImplBase;
import org.clinfer.serve.grpc.proto.ModelInferResponse;
import org.clinfer.serve.grpc.proto.ModelMetadataRequest;
import org.clinfer.serve.grpc.proto.ModelMetadataResponse;
import org.clinfer.serve.grpc.proto.ModelReadyRequest;
import org.clinfer.serve.grpc.proto.ModelReadyResponse;
import org.clinfer.serve.grpc.proto.ModelRepositoryParameter;
import org.clinfer.serve.grpc.proto.ModelStatisticsRequest;
import org.clinfer.serve.grpc.proto.ModelStatisticsResponse;
import org.clinfer.serve.grpc.proto.ModelStreamInferResponse;
import org.clinfer.serve.grpc.proto.RepositoryIndexRequest;
import org.clinfer.serve.grpc.proto.RepositoryIndexResponse;
import org.clinfer.serve.grpc.proto.RepositoryModelLoadRequest;
import org.clinfer.serve.grpc.proto.RepositoryModelLoadResponse;
import org.clinfer.serve.grpc.proto.RepositoryModelUnloadRequest;
import org.clinfer.serve.grpc.proto.RepositoryModelUnloadResponse;
import org.clinfer.serve.grpc.proto.ServerLiveRequest;
import org.clinfer.serve.grpc.proto.ServerLiveResponse;
import org.clinfer.serve.grpc.proto.ServerMetadataRequest;
import org.clinfer.serve.grpc.proto.ServerMetadataResponse;
import org.clinfer.serve.grpc.proto.ServerReadyRequest;
import org.clinfer.serve.grpc.proto.ServerReadyResponse;
import org.clinfer.text.Printable;

/** The methods of the protocol, each of which is one of {@link InferenceService}. */
final class InferenceGrpc extends GRPCInferenceServiceImplBase {

    private static final String UNLOAD_DEPENDENTS = "unload_dependents";

    private final InferenceService service;
    private final Executor slow;
    private final Set<InferStream> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean drains;
    private final ContentMemory memory = new ContentMemory(ContentMemory.USUALLY_KEPT);

    /** @param slow runs what may take long: loading and unloading */
    InferenceGrpc(InferenceService service, Executor slow) {
        this.service = service;
        this.slow = slow;
    }

    /** The service, with its methods for inference. */
    ServerServiceDefinition definition() {
        return CheckedMessages.of(
                bindService(),
                List.of(
                        CheckedMessages.inference(
                                GRPCInferenceServiceGrpc.getModelInferMethod(),
                                memory,
                                ServerCalls.asyncUnaryCall((message, client) -> InferCall.start(
                                        service, memory, message, (ServerCallStreamObserver<ModelInferResponse>)
                                                client))),
                        CheckedMessages.inference(
                                GRPCInferenceServiceGrpc.getModelStreamInferMethod(),
                                memory,
                                ServerCalls.asyncBidiStreamingCall(this::stream))));
    }

    private StreamObserver<InferMessage> stream(StreamObserver<ModelStreamInferResponse> client) {
        InferStream stream = new InferStream(
                service, memory, (ServerCallStreamObserver<ModelStreamInferResponse>) client, streams::remove);
        streams.add(stream);
        if (drains) {
            stream.drain();
        }
        return stream;
    }

    /** Ends streams, now and from now on, once their requests are answered. */
    void drain() {
        drains = true;
        streams.forEach(InferStream::drain);
    }

    @Override
    public void serverLive(ServerLiveRequest request, StreamObserver<ServerLiveResponse> client) {
        answer(
                client,
                () -> ServerLiveResponse.newBuilder().setLive(service.live()).build());
    }

    @Override
    public void serverReady(ServerReadyRequest request, StreamObserver<ServerReadyResponse> client) {
        answer(
                client,
                () -> ServerReadyResponse.newBuilder().setReady(service.ready()).build());
    }

    @Override
    public void modelReady(ModelReadyRequest request, StreamObserver<ModelReadyResponse> client) {
        answer(
                client,
                () -> ModelReadyResponse.newBuilder()
                        .setReady(service.ready(request.getName(), InferRequests.present(request.getVersion())))
                        .build());
    }

    @Override
    public void serverMetadata(ServerMetadataRequest request, StreamObserver<ServerMetadataResponse> client) {
        answer(client, () -> Messages.server(service.server()));
    }

    @Override
    public void modelMetadata(ModelMetadataRequest request, StreamObserver<ModelMetadataResponse> client) {
        answer(
                client,
                () -> Messages.metadata(
                        service.metadata(request.getName(), InferRequests.present(request.getVersion()))));
    }

    @Override
    public void modelStatistics(ModelStatisticsRequest request, StreamObserver<ModelStatisticsResponse> client) {
        answer(
                client,
                () -> Messages.statistics(service.statistics(
                        InferRequests.present(request.getName()), InferRequests.present(request.getVersion()))));
    }

    @Override
    public void repositoryIndex(RepositoryIndexRequest request, StreamObserver<RepositoryIndexResponse> client) {
        answer(client, () -> {
            requireNoRepository(request.getRepositoryName());
            return Messages.index(service.index(request.getReady()));
        });
    }

    @Override
    public void repositoryModelLoad(
            RepositoryModelLoadRequest request, StreamObserver<RepositoryModelLoadResponse> client) {
        later(client, () -> {
            requireNoRepository(request.getRepositoryName());
            requireNoParameters(request.getParametersMap());
            service.load(request.getModelName());
            return RepositoryModelLoadResponse.getDefaultInstance();
        });
    }

    /** Unloads a model; {@code unload_dependents} changes nothing, since no model depends on another. */
    @Override
    public void repositoryModelUnload(
            RepositoryModelUnloadRequest request, StreamObserver<RepositoryModelUnloadResponse> client) {
        later(client, () -> {
            requireNoRepository(request.getRepositoryName());
            requireNoParameters(request.getParametersMap());
            service.unload(request.getModelName());
            return RepositoryModelUnloadResponse.getDefaultInstance();
        });
    }

    private static void requireNoRepository(String name) {
        if (!name.isEmpty()) {
            throw new ServiceException(
                    ServiceError.NOT_FOUND,
                    "there is no repository '" + Printable.shortened(name) + "': the server has one, without a name");
        }
    }

    private static void requireNoParameters(Map<String, ModelRepositoryParameter> parameters) {
        for (String name : parameters.keySet()) {
            if (!name.equals(UNLOAD_DEPENDENTS)) {
                throw new ServiceException(
                        ServiceError.INVALID,
                        "the parameter '" + Printable.shortened(name)
                                + "' is not supported: models are as the repository has them");
            }
        }
    }

    private <T> void later(StreamObserver<T> client, Supplier<T> answer) {
        try {
            slow.execute(() -> answer(client, answer));
        } catch (RejectedExecutionException full) {
            client.onError(Statuses.of(ServiceError.BUSY, "too many models are being loaded and unloaded"));
        }
    }

    private static <T> void answer(StreamObserver<T> client, Supplier<T> answer) {
        T message;
        try {
            message = answer.get();
        } catch (RuntimeException failed) {
            client.onError(Statuses.of(failed));
            return;
        }
        client.onNext(message);
        client.onCompleted();
    }
}
