package org.clinfer.serve;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.clinfer.Model;
import org.clinfer.PoolOptions;
import org.clinfer.PoolStatistics;
import org.clinfer.Result;
import org.clinfer.SessionPool;
import org.clinfer.tensor.Tensor;
import org.clinfer.text.Printable;
import org.jspecify.annotations.Nullable;

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
    private final LoadHistory history = new LoadHistory();
    private final AtomicLong lastSuccess = new AtomicLong();
    private final LongAdder rows = new LongAdder();
    private final LongAdder successNanos = new LongAdder();
    private final LongAdder failureNanos = new LongAdder();
    private final LongAdder successes = new LongAdder();
    private final LongAdder failures = new LongAdder();

    private volatile LongConsumer onSuccess = nanos -> {};

    /** Requests within; guarded by this object. */
    private int within;

    /** Guarded by this object. */
    private boolean retired;

    /** Its model and pool, which it closes. */
    LoadedVersion(
            String name,
            String version,
            String platform,
            Model model,
            SessionPool pool,
            Duration timeout,
            WarmUp.Outcome warmUp) {
        this.name = name;
        this.version = version;
        this.platform = platform;
        this.model = model;
        this.pool = pool;
        this.timeout = timeout;
        this.warmUp = warmUp;
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

    LoadHistory history() {
        return history;
    }

    PoolOptions options() {
        return pool.options();
    }

    /** Sets who is told the nanoseconds of each request that succeeds. */
    void onSuccess(LongConsumer told) {
        onSuccess = told;
    }

    /** Runs in flight at most. */
    int instances() {
        return pool.runs();
    }

    /** The counts of its pool. */
    PoolStatistics counts() {
        return pool.statistics();
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
            ended(request, start, e);
            leave();
            return CompletableFuture.failedFuture(ServiceFailure.of(name, e));
        }
        CompletableFuture<InferenceResponse> response = new CompletableFuture<>();
        var unused = result.whenComplete((outputs, failure) -> {
            ended(request, start, failure);
            answer(request, outputs, failure, response);
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
        for (TensorMetadata input : inputs) {
            if (!given.contains(input.name())) {
                throw new ServiceException(
                        ServiceError.INVALID,
                        "model '" + name + "': input '" + Printable.shortened(input.name()) + "' is missing");
            }
        }
        if (given.size() > inputs.size()) {
            for (String each : given) {
                if (inputs.stream().noneMatch(input -> input.name().equals(each)) && !isDefault(each)) {
                    throw unknown("input", each, inputs);
                }
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

    private void ended(InferenceRequest request, long start, @Nullable Throwable failure) {
        long nanos = System.nanoTime() - start;
        history.ended(nanos, failure == null);
        if (failure != null) {
            failures.increment();
            failureNanos.add(nanos);
            return;
        }
        successes.increment();
        successNanos.add(nanos);
        rows.add(rows(request));
        onSuccess.accept(nanos);
        lastSuccess.set(System.currentTimeMillis());
    }

    private long rows(InferenceRequest request) {
        Tensor first = request.inputs().values().stream().findFirst().orElse(null);
        return options().maxBatch() == 1 || first == null || first.shape().rank() == 0
                ? 1
                : first.shape().size(0);
    }

    /** Exactly one of outputs and failure is there. */
    private void answer(
            InferenceRequest request,
            @Nullable Result outputs,
            @Nullable Throwable failure,
            CompletableFuture<InferenceResponse> response) {
        if (outputs == null) {
            ServiceException refusal = ServiceFailure.of(name, failure == null ? new IllegalStateException() : failure);
            if (refusal.error() == ServiceError.INVALID) {
                close(request);
            }
            response.completeExceptionally(refusal);
            return;
        }
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

    /** Statistics since it was loaded. */
    ModelStatistics statistics() {
        PoolStatistics counts = pool.statistics();
        long last = lastSuccess.get();
        long taken = counts.runs() - counts.batches() + counts.batched();
        return new ModelStatistics(
                name,
                version,
                last == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(last)),
                rows.sum(),
                counts.runs(),
                new ModelStatistics.Timed(successes.sum(), successNanos.sum()),
                new ModelStatistics.Timed(failures.sum(), failureNanos.sum()),
                new ModelStatistics.Timed(taken, counts.waited().toNanos()),
                new ModelStatistics.Timed(counts.runs(), counts.ran().toNanos()));
    }
}
