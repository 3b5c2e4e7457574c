package org.clinfer.serve.grpc;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.clinfer.serve.InferenceRequest;
import org.clinfer.serve.InferenceResponse;
import org.clinfer.serve.InferenceService;
import org.clinfer.serve.ModelMetadata;
import org.clinfer.serve.ModelStatistics;
import org.clinfer.serve.ModelStatus;
import org.clinfer.serve.ServerMetadata;
import org.clinfer.serve.TensorMetadata;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** A service without models: what it answers to a request for inference is set by the test, by default the request's inputs. */
final class FakeService implements InferenceService {

    volatile boolean live = true;
    volatile boolean ready = true;
    volatile Function<InferenceRequest, CompletableFuture<InferenceResponse>> answer =
            request -> CompletableFuture.completedFuture(echo(request));

    /** Requests in the order in which they came. */
    final BlockingQueue<InferenceRequest> requests = new LinkedBlockingQueue<>();

    /** Names of models that were loaded and, with a minus before them, unloaded. */
    final BlockingQueue<String> changes = new LinkedBlockingQueue<>();

    static InferenceResponse echo(InferenceRequest request) {
        return new InferenceResponse(request.model(), "1", request.id(), Map.copyOf(request.inputs()));
    }

    @Override
    public ServerMetadata server() {
        return new ServerMetadata("clinfer", "1.2", List.of("model_repository"));
    }

    @Override
    public boolean live() {
        return live;
    }

    @Override
    public boolean ready() {
        return ready;
    }

    @Override
    public boolean ready(String model, Optional<String> version) {
        return model.equals("m") && version.orElse("1").equals("1");
    }

    @Override
    public ModelMetadata metadata(String model, Optional<String> version) {
        return new ModelMetadata(
                model,
                List.of("1", "2"),
                "onnx_clinfer",
                List.of(new TensorMetadata("x", DType.FLOAT32, List.of(-1L, 3L))),
                List.of(new TensorMetadata("y", DType.BFLOAT16, List.of())));
    }

    @Override
    public CompletableFuture<InferenceResponse> infer(InferenceRequest request) {
        requests.add(request);
        return answer.apply(request);
    }

    @Override
    public List<ModelStatus> index(boolean readyOnly) {
        ModelStatus ready = new ModelStatus("m", "1", ModelStatus.State.READY, "");
        return readyOnly
                ? List.of(ready)
                : List.of(ready, new ModelStatus("n", "3", ModelStatus.State.UNAVAILABLE, "it is broken"));
    }

    @Override
    public void load(String model) {
        changes.add(model);
    }

    @Override
    public void unload(String model) {
        changes.add("-" + model);
    }

    @Override
    public List<ModelStatistics> statistics(Optional<String> model, Optional<String> version) {
        return List.of(new ModelStatistics(
                model.orElse("all"),
                version.orElse("none"),
                Optional.of(Instant.ofEpochMilli(1234)),
                10,
                3,
                new ModelStatistics.Timed(4, 400),
                new ModelStatistics.Timed(5, 500),
                new ModelStatistics.Timed(6, 600),
                new ModelStatistics.Timed(7, 700)));
    }

    /** A tensor's elements, after which it is closed. */
    static float[] floats(Tensor tensor) {
        try (tensor) {
            return tensor.toFloatArray();
        }
    }
}
