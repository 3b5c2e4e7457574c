package org.clinfer.serve;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.clinfer.Model;
import org.clinfer.PoolOptions;
import org.clinfer.Result;
import org.clinfer.SessionPool;
import org.clinfer.tensor.Tensor;
import org.clinfer.text.Printable;

/**
 * A version of a model that is loaded and warm. Requests enter it before they are submitted and leave it when they are answered;
 * once it is retired none can enter, and its memory is freed when the last has left. Thread-safe.
 */
final class LoadedVersion {

    private final String name;
    private final String version;
    private final String platform;
    private final Model model;
    private final SessionPool pool;
    private final Duration timeout;
    private final WarmUp.Outcome warmUp;
    private final List<TensorMetadata> inputs;
    private final List<TensorMetadata> outputs;
    private final VersionCounts counts;

    /** Requests within; guarded by this object. */
    private int within;

    /** Guarded by this object. */
    private boolean retired;

    /**
     * A version with its model and pool, which it closes.
     *
     * @param counts go on from the version that it replaces
     */
    LoadedVersion(
            String name,
            String version,
            String platform,
            Model model,
            SessionPool pool,
            Duration timeout,
            WarmUp.Outcome warmUp,
            VersionCounts counts) {
        this.name = name;
        this.version = version;
        this.platform = platform;
        this.model = model;
        this.pool = pool;
        this.timeout = timeout;
        this.warmUp = warmUp;
        this.counts = counts;
        counts.add(pool);
        boolean joins = pool.options().maxBatch() > 1;
        this.inputs = TensorMetadata.inputs(model, joins);
        this.outputs = TensorMetadata.outputs(model, joins);
    }

    String name() {
        return name;
    }

    String version() {
        return version;
    }

    String platform() {
        return platform;
    }

    List<TensorMetadata> inputs() {
        return inputs;
    }

    List<TensorMetadata> outputs() {
        return outputs;
    }

    WarmUp.Outcome warmUp() {
        return warmUp;
    }

    PoolOptions options() {
        return pool.options();
    }

    /** Runs in flight at most. */
    int instances() {
        return pool.runs();
    }

    VersionCounts counts() {
        return counts;
    }

    /** {@return true if the caller may use it, until it calls {@link #leave}; false once it is retired} */
    synchronized boolean enter() {
        if (!retired) {
            within++;
        }
        return !retired;
    }

    synchronized void leave() {
        within--;
        notifyAll();
    }

    /** Lets nobody enter any more, waits for those within as long as the pool's options say, and frees its memory. */
    void retire() {
        long end = System.nanoTime() + pool.options().closing().toNanos();
        synchronized (this) {
            retired = true;
            try {
                for (long left = end - System.nanoTime(); within > 0 && left > 0; left = end - System.nanoTime()) {
                    wait(Math.max(1, left / 1_000_000));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        model.close();
        counts.close(pool);
    }

    /**
     * Runs a request whose caller is within, and which leaves when it is answered. Its tensors are closed then; one that is
     * cancelled or late may still be read by its run, and its memory is left to the garbage collector.
     */
    CompletableFuture<InferenceResponse> infer(InferenceRequest request) {
        long start = System.nanoTime();
        CompletableFuture<Result> result;
        try {
            requireNames(request);
            result = pool.submit(request.inputs(), limit(request));
        } catch (RuntimeException | Error e) {
            close(request);
            ServiceException refusal = failed(e, start);
            leave();
            return CompletableFuture.failedFuture(refusal);
        }
        CompletableFuture<InferenceResponse> response = new CompletableFuture<>();
        var unused = result.whenComplete((outputs, failure) -> {
            if (outputs == null) {
                refuse(request, failed(failure == null ? new IllegalStateException() : failure, start), response);
            } else {
                counts.succeeded(rows(request), System.nanoTime() - start);
                answer(request, outputs, response);
            }
            leave();
        });
        var ignored = response.whenComplete((answer, failure) -> {
            if (response.isCancelled()) {
                result.cancel(true);
            }
        });
        return response;
    }

    private Duration limit(InferenceRequest request) {
        Duration asked = request.timeout().orElse(timeout);
        Duration least = asked.compareTo(timeout) < 0 ? asked : timeout;
        if (least.isNegative() || least.isZero()) {
            throw new ServiceException(ServiceError.TIMED_OUT, "the request's time had passed when it came");
        }
        return least;
    }

    private void requireNames(InferenceRequest request) {
        for (String wanted : request.outputs()) {
            if (outputs.stream().noneMatch(output -> output.name().equals(wanted))) {
                throw unknown("output", wanted, outputs);
            }
        }
        Set<String> given = request.inputs().keySet();
        for (String each : given) {
            if (inputs.stream().noneMatch(input -> input.name().equals(each)) && !isDefault(each)) {
                throw unknown("input", each, inputs);
            }
        }
        for (TensorMetadata input : inputs) {
            if (!given.contains(input.name())) {
                throw new ServiceException(
                        ServiceError.INVALID,
                        "model '" + name + "': input '" + Printable.shortened(input.name()) + "' is missing");
            }
        }
    }

    private boolean isDefault(String input) {
        return model.defaults().stream().anyMatch(each -> each.name().equals(input));
    }

    private ServiceException unknown(String kind, String wanted, List<TensorMetadata> known) {
        String names = known.stream().map(TensorMetadata::name).toList().toString();
        return new ServiceException(
                ServiceError.INVALID,
                "model '" + name + "' has no " + kind + " '" + Printable.shortened(wanted) + "'; there are "
                        + Printable.message(names));
    }

    private ServiceException failed(Throwable failure, long start) {
        ServiceException refusal = ServiceFailure.of(name, failure);
        counts.failed(failure, refusal.error(), System.nanoTime() - start);
        return refusal;
    }

    private long rows(InferenceRequest request) {
        Tensor first = request.inputs().values().stream().findFirst().orElse(null);
        return options().maxBatch() == 1 || first == null || first.shape().rank() == 0
                ? 1
                : first.shape().size(0);
    }

    private static void refuse(
            InferenceRequest request, ServiceException refusal, CompletableFuture<InferenceResponse> response) {
        if (refusal.error() == ServiceError.INVALID) {
            close(request);
        }
        response.completeExceptionally(refusal);
    }

    private void answer(InferenceRequest request, Result outputs, CompletableFuture<InferenceResponse> response) {
        close(request);
        Map<String, Tensor> wanted = new LinkedHashMap<>();
        outputs.outputs().forEach((output, tensor) -> {
            if (request.outputs().isEmpty() || request.outputs().contains(output)) {
                wanted.put(output, tensor);
            } else {
                tensor.close();
            }
        });
        InferenceResponse answer = new InferenceResponse(name, version, request.id(), wanted);
        if (!response.complete(answer)) {
            answer.close();
        }
    }

    private static void close(InferenceRequest request) {
        request.inputs().values().forEach(Tensor::close);
    }

    /** Its statistics, with those from before it was loaded anew. */
    ModelStatistics statistics() {
        return counts.statistics(name, version);
    }
}
