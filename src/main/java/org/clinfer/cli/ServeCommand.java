package org.clinfer.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.clinfer.PoolOptions;
import org.clinfer.serve.ContentBudget;
import org.clinfer.serve.ListenOptions;
import org.clinfer.serve.ModelStatus;
import org.clinfer.serve.RepositoryService;
import org.clinfer.serve.ServiceOptions;
import org.clinfer.serve.grpc.GrpcOptions;
import org.clinfer.serve.grpc.GrpcServer;
import org.clinfer.serve.rest.RestServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Serves the models of a folder until the process is told to end. */
@Command(
        name = "serve",
        description = "Serves the models of a folder to other programs in the Open Inference Protocol (KServe, Triton):"
                + " REST with JSON or bytes, gRPC, metrics for Prometheus at /metrics, a page at /. On SIGTERM it answers what it"
                + " has taken, and ends.")
final class ServeCommand implements Callable<Integer> {

    private static final int USUAL_PORT = 8000;
    private static final int USUAL_GRPC_PORT = 8001;

    @Parameters(
            paramLabel = "MODELS",
            description =
                    "The folder: NAME/VERSION/model.onnx (or another format), of which the newest version is served,"
                            + " with an optional NAME/config.pbtxt; or NAME/model.onnx, or NAME.onnx.")
    private Path repository = Path.of("");

    @Option(names = "--port", paramLabel = "N", description = "Port of REST (default: 8000; 0: any that is free).")
    private int port = USUAL_PORT;

    @Option(names = "--grpc-port", paramLabel = "N", description = "Port of gRPC (default: 8001; 0: any that is free).")
    private int grpcPort = USUAL_GRPC_PORT;

    @Mixin
    private ServeListening listening = new ServeListening();

    @Option(
            names = "--max-batch",
            paramLabel = "N",
            description = "Join requests into runs of up to N rows, along the first dimension (default: 1, none).")
    private int maxBatch = 1;

    @Option(
            names = "--max-delay",
            paramLabel = "MS",
            description = "Milliseconds that a request waits at most for others to be joined with (default: 0).")
    private double maxDelay;

    @Option(
            names = "--instances",
            paramLabel = "N",
            description = "Runs of each model in flight at most (default: as many as the device bears).")
    private Optional<Integer> instances = Optional.empty();

    @Option(
            names = "--queue",
            paramLabel = "N",
            description = "Requests that may wait for each model; others are refused with 429 (default: 256).")
    private int queue = PoolOptions.defaults().queue();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "The time that a request may take, and that those in flight have at the end (default: 30).")
    private double timeout = 30;

    @Mixin
    private PrecisionSelection engines = new PrecisionSelection();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws NoSuchFileException {
        if (!Files.exists(repository)) {
            throw new NoSuchFileException(repository.toString());
        }
        if (!Files.isDirectory(repository)) {
            throw new UsageException(repository + ": is a file, not a folder with models");
        }
        ServiceOptions options = options();
        ListenOptions listen = listening.at(port);
        GrpcOptions grpcOptions = GrpcOptions.of(listening.at(grpcPort)).withClosing(options.timeout());
        String version = Version.ofJar().orElse("development");
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (RepositoryService service = RepositoryService.open(repository, options, version);
                RestServer rest = RestServer.start(
                        service, listen, options.timeout(), service.metrics()::scrape, service::status);
                GrpcServer grpc = GrpcServer.start(service, grpcOptions)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(service, stop, ended), "clinfer-end"));
            tell(service, listen, rest.port(), grpc.port());
            stop.await();
            service.drain();
            CompletableFuture<Void> other = CompletableFuture.runAsync(grpc::close);
            rest.close();
            other.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
        return ExitCode.OK;
    }

    /** Runs when the process is told to end: the thread that serves closes everything. */
    private static void end(RepositoryService service, CountDownLatch stop, CountDownLatch ended) {
        service.drain();
        stop.countDown();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(RepositoryService service, ListenOptions listen, int restPort, int grpcPortBound) {
        PrintWriter out = spec.commandLine().getOut();
        if (listen.isOpenToOthers() && listen.token().isEmpty()) {
            warn("everybody who can reach " + listen.host()
                    + " is served, and may load models; --token-file names a token to ask for");
        }
        if (ContentBudget.usual(listen.maxRequestBytes()).isShortFor(listen.maxRequestBytes())) {
            warn("Java's memory is small for requests of " + listen.maxRequestBytes()
                    + " bytes, which --max-request lets in: large ones may have 503");
        }
        String scheme = listen.tls().isPresent() ? "https" : "http";
        out.println("gRPC listens at " + listen.host() + ":" + grpcPortBound);
        out.println("listens at " + scheme + "://" + listen.host() + ":" + restPort);
        out.flush();
        service.loadAll();
        if (service.index(false).isEmpty()) {
            warn("there is no model in " + repository
                    + "; looked for NAME/VERSION/model.onnx, NAME/model.onnx and NAME.onnx, or other formats");
        } else if (Files.exists(repository.resolve("config.pbtxt"))) {
            warn(repository + " has a config.pbtxt itself, which is not read; is the folder above it meant?");
        }
        for (ModelStatus status : service.index(false)) {
            String shown = status.name() + (status.version().isEmpty() ? "" : " version " + status.version());
            out.println(shown + ": " + (status.reason().isEmpty() ? "ready" : status.reason()));
        }
        service.devices().forEach(out::println);
        out.println(service.ready() ? "ready" : "not ready: some models could not be loaded");
        out.flush();
    }

    private void warn(String sentence) {
        spec.commandLine().getErr().println("WARN: " + sentence);
    }

    private ServiceOptions options() {
        requireAtLeastOne("--max-batch", maxBatch);
        requireAtLeastOne("--queue", queue);
        instances.ifPresent(count -> requireAtLeastOne("--instances", count));
        OptionalInt runs = instances.isPresent() ? OptionalInt.of(instances.get()) : OptionalInt.empty();
        if (!(maxDelay >= 0 && maxDelay <= 60_000)) {
            throw new UsageException("--max-delay must be from 0 to 60000 ms, but is " + maxDelay);
        }
        if (!(timeout >= 0.001 && timeout <= 86_400)) {
            throw new UsageException("--timeout must be from 0.001 to 86400 s, but is " + timeout);
        }
        Duration each = Duration.ofNanos(Math.round(timeout * 1e9));
        return new ServiceOptions(
                engines.options(), maxBatch, Duration.ofNanos(Math.round(maxDelay * 1e6)), runs, queue, each, each);
    }

    private static void requireAtLeastOne(String option, int value) {
        if (value < 1) {
            throw new UsageException(option + " must be at least 1, but is " + value);
        }
    }
}
