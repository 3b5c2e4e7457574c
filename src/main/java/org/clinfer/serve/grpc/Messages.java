package org.clinfer.serve.grpc;

import com.google.protobuf.ByteString;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.serve.Datatype;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.ModelMetadata;
import org.clinfer.serve.ModelStatistics;
import org.clinfer.serve.ModelStatus;
import org.clinfer.serve.ServerMetadata;
import org.clinfer.serve.ServiceError;
import org.clinfer.serve.ServiceException;
import org.clinfer.serve.TensorMetadata;
import org.clinfer.serve.grpc.proto.InferStatistics;
import org.clinfer.serve.grpc.proto.ModelInferResponse;
import org.clinfer.serve.grpc.proto.ModelInferResponse.InferOutputTensor;
import org.clinfer.serve.grpc.proto.ModelMetadataResponse;
import org.clinfer.serve.grpc.proto.ModelStatisticsResponse;
import org.clinfer.serve.grpc.proto.RepositoryIndexResponse;
import org.clinfer.serve.grpc.proto.ServerMetadataResponse;
import org.clinfer.serve.grpc.proto.StatisticDuration;
import org.clinfer.tensor.Tensor;

/** Messages of what the service answers. */
final class Messages {

    private Messages() {}

    static ServerMetadataResponse server(ServerMetadata server) {
        return ServerMetadataResponse.newBuilder()
                .setName(server.name())
                .setVersion(server.version())
                .addAllExtensions(server.extensions())
                .build();
    }

    static ModelMetadataResponse metadata(ModelMetadata model) {
        ModelMetadataResponse.Builder message = ModelMetadataResponse.newBuilder()
                .setName(model.name())
                .addAllVersions(model.versions())
                .setPlatform(model.platform());
        model.inputs().forEach(input -> message.addInputs(tensor(input)));
        model.outputs().forEach(output -> message.addOutputs(tensor(output)));
        return message.build();
    }

    private static ModelMetadataResponse.TensorMetadata tensor(TensorMetadata tensor) {
        return ModelMetadataResponse.TensorMetadata.newBuilder()
                .setName(tensor.name())
                .setDatatype(Datatype.name(tensor.type()))
                .addAllShape(tensor.shape())
                .build();
    }

    /**
     * The message of a response, with copies of its tensors.
     *
     * @throws ServiceException if an output has a type that the protocol does not have
     */
    static ModelInferResponse inference(InferenceResponse response) {
        ModelInferResponse.Builder message = ModelInferResponse.newBuilder()
                .setModelName(response.model())
                .setModelVersion(response.version())
                .setId(response.id().orElse(""));
        for (Map.Entry<String, Tensor> output : response.outputs().entrySet()) {
            Tensor tensor = output.getValue();
            if (!Datatype.isSent(tensor.dtype())) {
                throw new ServiceException(
                        ServiceError.INVALID,
                        "output '" + output.getKey() + "' is of " + tensor.dtype()
                                + ", which the protocol does not have");
            }
            InferOutputTensor.Builder entry =
                    message.addOutputsBuilder().setName(output.getKey()).setDatatype(Datatype.name(tensor.dtype()));
            for (long size : tensor.shape().sizes()) {
                entry.addShape(size);
            }
            message.addRawOutputContents(ByteString.copyFrom(tensor.bytes()));
        }
        return message.build();
    }

    /** Bytes of a response and its message. */
    static long bytes(InferenceResponse response) {
        return 2
                * response.outputs().values().stream()
                        .mapToLong(tensor -> tensor.type().bytes())
                        .sum();
    }

    static RepositoryIndexResponse index(List<ModelStatus> models) {
        RepositoryIndexResponse.Builder message = RepositoryIndexResponse.newBuilder();
        for (ModelStatus model : models) {
            message.addModelsBuilder()
                    .setName(model.name())
                    .setVersion(model.version())
                    .setState(model.state().name())
                    .setReason(model.reason());
        }
        return message.build();
    }

    static ModelStatisticsResponse statistics(List<ModelStatistics> models) {
        ModelStatisticsResponse.Builder message = ModelStatisticsResponse.newBuilder();
        for (ModelStatistics model : models) {
            message.addModelStatsBuilder()
                    .setName(model.name())
                    .setVersion(model.version())
                    .setLastInference(millis(model.lastInference()))
                    .setInferenceCount(model.inferences())
                    .setExecutionCount(model.executions())
                    .setInferenceStats(InferStatistics.newBuilder()
                            .setSuccess(duration(model.success()))
                            .setFail(duration(model.fail()))
                            .setQueue(duration(model.queue()))
                            .setComputeInfer(duration(model.compute())));
        }
        return message.build();
    }

    private static long millis(Optional<Instant> moment) {
        return moment.map(Instant::toEpochMilli).orElse(0L);
    }

    private static StatisticDuration duration(ModelStatistics.Timed timed) {
        return StatisticDuration.newBuilder()
                .setCount(timed.count())
                .setNs(timed.nanos())
                .build();
    }
}
