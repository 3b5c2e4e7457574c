package org.clinfer.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.clinfer.DeviceChoice;
import org.clinfer.EngineOptions;
import org.clinfer.LosingDevice;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.trace.TraceEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The models of a repository: which are loaded, what they answer, and how they are replaced while others ask. */
@Timeout(60)
class RepositoryServiceTest {

    private final RunGate gate = new RunGate();

    @TempDir
    private Path repository;

    @SuppressWarnings("NullAway.Init") // each test opens its own
    private RepositoryService service;

    private ServiceOptions options() {
        return options(new DeviceChoice.Cpu());
    }

    private ServiceOptions options(DeviceChoice device) {
        return ServiceOptions.of(
                EngineOptions.defaults().withDevice(device).withThreads(2).withTrace(gate));
    }

    private RepositoryService open(ServiceOptions options) {
        service = RepositoryService.open(repository, options, "1.0");
        service.loadAll();
        return service;
    }

    private static ServiceOptions with(ServiceOptions options, int maxBatch, int queue, Duration timeout) {
        return new ServiceOptions(
                options.engine(), maxBatch, Duration.ZERO, OptionalInt.of(1), queue, timeout, options.closing());
    }

    @AfterEach
    void close() {
        gate.open();
        if (service != null) {
            service.close();
        }
    }

    private static InferenceRequest request(String model, float... x) {
        return new InferenceRequest(
                model,
                Optional.empty(),
                Optional.of("7"),
                Map.of("x", Tensor.of(x, 1, x.length)),
                Set.of(),
                Optional.empty());
    }

    private float[] answer(String model, float... x) {
        return answer(service.infer(request(model, x)));
    }

    private static float[] answer(CompletableFuture<InferenceResponse> future) {
        try (InferenceResponse response = future.join()) {
            return Objects.requireNonNull(response.outputs().get("y")).toFloatArray();
        }
    }

    private static ServiceException refusal(CompletableFuture<?> future) {
        try {
            future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ServiceException refused) {
                return refused;
            }
            throw e;
        }
        throw new AssertionError("it was answered");
    }

    /** Between the moment in which a request has found its version and that in which it is submitted. */
    @Test
    void aVersionThatIsReplacedAnswersThoseWithinAndTakesNoOthers() throws Exception {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(options());
        LoadedVersion version = service.loaded().get(0);
        assertThat(version.enter()).isTrue();
        Thread retiring = new Thread(version::retire);
        retiring.start();
        while (version.enter()) {
            version.leave(); // it is not retired yet
            Thread.sleep(1);
        }
        retiring.join(50);
        assertThat(retiring.isAlive()).isTrue();
        assertThat(answer(version.infer(request("scaled", 1, 2)))).containsExactly(2, 4);
        retiring.join();
    }

    @Test
    void theNewestVersionIsServed() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        ServedModels.write(repository, "scaled", 10, 2, 3);
        ServedModels.write(repository, "scaled", 9, 2, 4);
        open(options());
        assertThat(answer("scaled", 1, 2)).containsExactly(3, 6);
        assertThat(service.ready()).isTrue();
        assertThat(service.live()).isTrue();
        assertThat(service.metadata("scaled", Optional.empty()))
                .isEqualTo(new ModelMetadata(
                        "scaled",
                        List.of("10"),
                        "clinfer_json",
                        List.of(new TensorMetadata("x", DType.FLOAT32, List.of(-1L, 2L))),
                        List.of(new TensorMetadata("y", DType.FLOAT32, List.of(-1L, 2L)))));
        assertThat(service.index(false)).containsExactly(new ModelStatus("scaled", "10", ModelStatus.State.READY, ""));
    }

    @RequiresOpenCl
    @Test
    void devicesGiveTheSame() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        Files.writeString(repository.resolve("scaled/config.pbtxt"), "instance_group { count: 1 kind: KIND_CPU }");
        ServedModels.write(repository.resolve("other/model.json"), 2, 3);
        open(options(new DeviceChoice.FirstOpenCl()));
        assertThat(answer("other", 1, 2)).containsExactly(3, 6);
        assertThat(answer("scaled", 1, 2)).containsExactly(2, 4);
        assertThat(service.devices())
                .hasSize(2)
                .anyMatch(note -> note.contains("CPU") && note.endsWith(": scaled"))
                .anyMatch(note -> note.endsWith(": other"));
    }

    @Test
    void aConfigurationChoosesVersionsAndBatches() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        ServedModels.write(repository, "scaled", 2, 2, 3);
        Files.writeString(repository.resolve("scaled/config.pbtxt"), """
                name: "scaled"
                platform: "onnxruntime_onnx"
                max_batch_size: 8
                version_policy: { all { } }
                dynamic_batching { preferred_batch_size: [ 4, 8 ] max_queue_delay_microseconds: 100 }
                instance_group [ { count: 2 kind: KIND_CPU } ]
                optimization { cuda { graphs: true } }
                """);
        open(options());
        LoadedVersion newest = service.loaded().get(1);
        assertThat(newest.version()).isEqualTo("2");
        assertThat(newest.options().maxBatch()).isEqualTo(8);
        assertThat(newest.options().maxDelay()).isEqualTo(Duration.ofNanos(100_000));
        assertThat(newest.options().runs()).hasValue(2);
        InferenceRequest old = new InferenceRequest(
                "scaled", Optional.of("1"), Optional.empty(), request("", 1, 2).inputs(), Set.of(), Optional.empty());
        assertThat(answer(service.infer(old))).containsExactly(2, 4);
    }

    @Test
    void aConfigurationNamesWhatItDoesNotUnderstand() throws IOException {
        assertThat(ModelConfigFile.parse("max_batchsize: 0\noptimization { cuda { graphs: true } }")
                        .unknown())
                .containsExactly(
                        "max_batchsize (line 1) is not understood; did you mean 'max_batch_size'?",
                        "optimization (line 2) is not understood");
        Path file = repository.resolve("config.pbtxt");
        Files.writeString(file, "max_batch_size: many");
        assertThatThrownBy(() -> ModelConfigFile.read(file))
                .hasMessageContaining("config.pbtxt: line 1, column 17: expected a number, found many");
        Files.writeString(file, "default_model_filename: \"../other/model.onnx\"");
        assertThatThrownBy(() -> ModelConfigFile.read(file)).hasMessageContaining("without a folder");
    }

    @Test
    void aModelThatCannotBeLoadedLeavesTheOthers() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        Files.createDirectories(repository.resolve("broken/1"));
        Files.writeString(repository.resolve("broken/1/model.onnx"), "no model");
        Files.createDirectories(repository.resolve("empty"));
        open(options());
        assertThat(answer("scaled", 1, 2)).containsExactly(2, 4);
        assertThat(service.ready()).isFalse();
        assertThat(service.ready("broken", Optional.empty())).isFalse();
        assertThat(service.index(false)).hasSize(3).first().satisfies(status -> {
            assertThat(status.state()).isEqualTo(ModelStatus.State.UNAVAILABLE);
            assertThat(status.reason()).contains("model.onnx");
        });
        assertThat(service.index(true)).hasSize(1);
        assertThat(refusal(service.infer(request("broken", 1))).error()).isEqualTo(ServiceError.UNAVAILABLE);
        assertThat(refusal(service.infer(request("none", 1))).error()).isEqualTo(ServiceError.NOT_FOUND);
    }

    @Test
    void modelsWithoutVersionsAreVersionOne() throws IOException {
        ServedModels.write(repository.resolve("folder/model.json"), 2, 2);
        open(options());
        assertThat(answer("folder", 1, 2)).containsExactly(2, 4);
        assertThat(service.index(true).get(0).version()).isEqualTo("1");
    }

    @Test
    void wrongRequestsAreRefused() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(options());
        assertThat(refusal(service.infer(request("scaled", 1, 2, 3))).error()).isEqualTo(ServiceError.INVALID);
        InferenceRequest unknown = new InferenceRequest(
                "scaled",
                Optional.empty(),
                Optional.empty(),
                Map.of("z", Tensor.of(new float[2], 1, 2)),
                Set.of(),
                Optional.empty());
        assertThat(refusal(service.infer(unknown))).hasMessage("model 'scaled' has no input 'z'; there are [x]");
        InferenceRequest output = new InferenceRequest(
                "scaled",
                Optional.of("1"),
                Optional.empty(),
                request("", 1, 2).inputs(),
                Set.of("q"),
                Optional.empty());
        assertThat(refusal(service.infer(output))).hasMessage("model 'scaled' has no output 'q'; there are [y]");
        InferenceRequest version = new InferenceRequest(
                "scaled", Optional.of("3"), Optional.empty(), Map.of(), Set.of(), Optional.empty());
        assertThat(refusal(service.infer(version)).error()).isEqualTo(ServiceError.NOT_FOUND);
    }

    @Test
    void aFullQueueRefuses() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(with(options(), 1, 1, Duration.ofSeconds(30)));
        gate.shut();
        CompletableFuture<InferenceResponse> running = service.infer(request("scaled", 1, 2));
        gate.await(1);
        CompletableFuture<InferenceResponse> waiting = service.infer(request("scaled", 2, 3));
        assertThat(refusal(service.infer(request("scaled", 1, 2))).error()).isEqualTo(ServiceError.BUSY);
        gate.open();
        assertThat(answer(running)).containsExactly(2, 4);
        assertThat(answer(waiting)).containsExactly(4, 6);
        assertThat(service.metrics().scrape())
                .contains("clinfer_requests_total{model=\"scaled\",outcome=\"queue_full\",version=\"1\"} 1.0");
    }

    @Test
    void lateAndCancelledRequestsAreGivenUp() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(with(options(), 1, 5, Duration.ofMillis(50)));
        gate.shut();
        CompletableFuture<InferenceResponse> running = service.infer(request("scaled", 1, 2));
        gate.await(1);
        CompletableFuture<InferenceResponse> cancelled = service.infer(request("scaled", 2, 3));
        assertThat(cancelled.cancel(true)).isTrue();
        assertThat(refusal(running).error()).isEqualTo(ServiceError.TIMED_OUT);
        gate.open();
        VersionCounts counts = service.loaded().get(0).counts();
        assertThat(counts.requests(VersionCounts.Outcome.CANCELLED)).isEqualTo(1);
        assertThat(counts.requests(VersionCounts.Outcome.TIMEOUT)).isEqualTo(1);
    }

    @Test
    void requestsAreJoined() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(with(options(), 4, 10, Duration.ofSeconds(30)));
        gate.shut();
        List<CompletableFuture<InferenceResponse>> all = new ArrayList<>();
        all.add(service.infer(request("scaled", 1, 2)));
        gate.await(1);
        for (int i = 0; i < 4; i++) {
            all.add(service.infer(request("scaled", i, 2)));
        }
        gate.open();
        assertThat(answer(all.get(4))).containsExactly(6, 4);
        all.forEach(CompletableFuture::join);
        ModelStatistics statistics =
                service.statistics(Optional.of("scaled"), Optional.empty()).get(0);
        assertThat(statistics.executions()).isEqualTo(2);
        assertThat(statistics.inferences()).isEqualTo(5);
        assertThat(statistics.success().count()).isEqualTo(5);
    }

    @Test
    void aModelIsReplacedWhileItsRequestsGoOn() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(options());
        gate.shut();
        CompletableFuture<InferenceResponse> old = service.infer(request("scaled", 1, 2));
        gate.await(1);
        ServedModels.write(repository, "scaled", 1, 2, 5);
        CompletableFuture<Void> loading = CompletableFuture.runAsync(() -> service.load("scaled"));
        gate.await(1); // its warm-up
        CompletableFuture<InferenceResponse> meanwhile = service.infer(request("scaled", 1, 3));
        gate.open();
        loading.join();
        assertThat(answer(old)).containsExactly(2, 4);
        assertThat(answer(meanwhile)).containsExactly(2, 6);
        assertThat(answer("scaled", 1, 2)).containsExactly(5, 10);
    }

    @Test
    void aReloadThatFailsLeavesTheOldOne() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(options());
        Files.writeString(repository.resolve("scaled/1/model.json"), "{");
        assertThatThrownBy(() -> service.load("scaled")).isInstanceOf(ServiceException.class);
        assertThat(answer("scaled", 1, 2)).containsExactly(2, 4);
        assertThat(service.ready()).isTrue();
        assertThat(service.index(true).get(0).reason()).contains("model.json");
    }

    private String outcomes() {
        return service.metrics()
                .scrape()
                .lines()
                .filter(line -> line.matches("clinfer_(requests_total|request_duration_seconds_count).*"))
                .map(line -> line.replaceAll("^[a-z_]+\\{model=\"scaled\",|outcome=|version=\"1\"\\}", ""))
                .sorted()
                .collect(Collectors.joining(" "));
    }

    @Test
    void everyRequestHasOneOutcomeWhichAReloadKeeps() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(options());
        answer("scaled", 1, 2);
        refusal(service.infer(request("scaled", 1, 2, 3)));
        InferenceRequest without = new InferenceRequest(
                "scaled", Optional.empty(), Optional.empty(), Map.of(), Set.of(), Optional.empty());
        refusal(service.infer(without));
        InferenceRequest late = new InferenceRequest(
                "scaled",
                Optional.empty(),
                Optional.empty(),
                request("", 1, 2).inputs(),
                Set.of(),
                Optional.of(Duration.ZERO));
        refusal(service.infer(late));
        gate.shut();
        CompletableFuture<InferenceResponse> old = service.infer(request("scaled", 1, 2));
        gate.await(1);
        CompletableFuture<Void> loading = CompletableFuture.runAsync(() -> service.load("scaled"));
        gate.await(1); // its warm-up
        gate.open();
        loading.join();
        answer(old);
        answer("scaled", 1, 2);
        assertThat(outcomes())
                .isEqualTo(
                        " 3 \"cancelled\", 0.0 \"failure\", 2.0 \"queue_full\", 0.0 \"success\", 3.0 \"timeout\", 1.0");
        ModelStatistics statistics = service.loaded().get(0).statistics();
        assertThat(statistics.success().count()).isEqualTo(3);
        assertThat(statistics.fail().count()).isEqualTo(3);
        assertThat(statistics.executions()).isEqualTo(3);
        assertThat(statistics.queue().count()).isEqualTo(3);
        assertThat(statistics.compute().count()).isEqualTo(3);
    }

    @Test
    void reloadsUnderLoadLoseNoRequest() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(options());
        CompletableFuture<Void> reloads = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 20; i++) {
                service.load("scaled");
            }
        });
        int answered = 0;
        while (!reloads.isDone() || answered < 100) {
            assertThat(answer("scaled", 1, 2)).containsExactly(2, 4);
            answered++;
        }
        reloads.join();
    }

    @Test
    void unloadingFreesAndIsNotFailure() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(options());
        service.unload("scaled");
        assertThat(service.ready()).isTrue();
        assertThat(service.ready("scaled", Optional.empty())).isFalse();
        assertThat(service.index(false))
                .containsExactly(new ModelStatus("scaled", "", ModelStatus.State.UNAVAILABLE, "it was unloaded"));
        assertThat(service.metrics().scrape()).doesNotContain("model=\"scaled\"");
        service.load("scaled");
        assertThat(answer("scaled", 1, 2)).containsExactly(2, 4);
        assertThatThrownBy(() -> service.unload("none")).hasMessageContaining("'none'");
        assertThatThrownBy(() -> service.load("../scaled")).hasMessageContaining("there is no model");
    }

    @Test
    void aModelThatIsThereButWasNeverLoadedIsNotReady() throws IOException {
        open(options());
        ServedModels.write(repository, "new", 1, 2, 2);
        ServiceException refused = refusal(service.infer(request("new", 1, 2)));
        assertThat(refused).hasMessage("model 'new' is not ready: it was not loaded");
        assertThat(refused.error()).isEqualTo(ServiceError.UNAVAILABLE);
        assertThatThrownBy(() -> service.metadata("new", Optional.empty())).hasMessage(refused.getMessage());
        service.unload("new");
        service.load("new");
        assertThat(answer("new", 1, 2)).containsExactly(2, 4);
    }

    @Test
    void aRepositoryThatIsGoneIsSaid() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(options());
        Path moved = repository.resolveSibling("moved");
        Files.move(repository, moved);
        try {
            assertThatThrownBy(() -> service.load("scaled"))
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("the repository cannot be read");
            assertThatThrownBy(() -> service.index(false)).isInstanceOf(ServiceException.class);
            assertThat(answer("scaled", 1, 2)).containsExactly(2, 4);
        } finally {
            Files.move(moved, repository);
        }
    }

    @RequiresOpenCl
    @Test
    void itLivesAsLongAsItsDevice() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        LosingDevice device = new LosingDevice();
        service = RepositoryService.open(repository, options(new DeviceChoice.FirstOpenCl()), "1.0", device::open);
        service.loadAll();
        assertThat(answer("scaled", 1, 2)).containsExactly(2, 4);
        assertThat(service.live()).isTrue();
        device.lose();
        assertThat(answer("scaled", 1, 2)).containsExactly(2, 4);
        assertThat(service.live()).isFalse();
        assertThat(service.ready()).isFalse();
        assertThat(service.metrics().scrape()).contains("clinfer_live 0.0").doesNotContain("recoveries_total 0.0");
    }

    @Test
    void recoveriesAreCounted() {
        try (ServiceMetrics metrics = new ServiceMetrics()) {
            metrics.recoveries()
                    .accept(new TraceEvent.Recovery("device 0", "opened a new context", new TraceEvent.Time(0, 1)));
            assertThat(metrics.scrape()).contains("clinfer_recoveries_total 1.0");
        }
    }

    @Test
    void drainingAnswersWhatCameBefore() throws IOException {
        ServedModels.write(repository, "scaled", 1, 2, 2);
        open(options());
        gate.shut();
        CompletableFuture<InferenceResponse> before = service.infer(request("scaled", 1, 2));
        gate.await(1);
        service.drain();
        assertThat(service.ready()).isFalse();
        assertThat(refusal(service.infer(request("scaled", 1, 2))).error()).isEqualTo(ServiceError.UNAVAILABLE);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(service::close);
        gate.open();
        assertThat(answer(before)).containsExactly(2, 4);
        closing.join();
    }
}
