package org.clinfer.serve;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.PoolOptions;
import org.clinfer.SessionPool;
import org.clinfer.errors.InputException;
import org.clinfer.tensor.Tensor;
import org.clinfer.text.Printable;
import org.clinfer.trace.TraceSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The models of a repository, each version with a pool of sessions. A model that is loaded anew takes the place of the old one
 * when it is warm; requests that came before are answered by the old one, whose memory is freed after. Thread-safe.
 */
public final class RepositoryService implements InferenceService, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RepositoryService.class);

    private static final String NOT_LOADED = "it was not loaded";

    private final Path repository;
    private final ServiceOptions options;
    private final Function<EngineOptions, Engine> opener;
    private final ServiceMetrics metrics = new ServiceMetrics();
    private final TraceSink recoveries = metrics.recoveries();
    private final Map<DeviceChoice, Engine> engines = new ConcurrentHashMap<>();

    /** The device of each model that was loaded, by its name. */
    private final Map<String, DeviceChoice> places = new ConcurrentHashMap<>();

    private final ConcurrentSkipListMap<String, ServedModel> models = new ConcurrentSkipListMap<>();
    private final String product;
    private final long start = System.nanoTime();

    /** True once all models were tried. */
    private volatile boolean begun;

    private volatile boolean draining;

    private RepositoryService(
            Path repository, ServiceOptions options, String product, Function<EngineOptions, Engine> opener) {
        this.repository = repository;
        this.options = options;
        this.product = product;
        this.opener = opener;
    }

    /**
     * Opens a repository; its models are loaded by {@link #loadAll}.
     *
     * @param repository the folder with the models
     * @param product the product's version, for clients
     * @throws InputException if the folder cannot be read
     * @throws org.clinfer.errors.DeviceUnavailableException if the device that the options ask for is not there
     */
    public static RepositoryService open(Path repository, ServiceOptions options, String product) {
        return open(repository, options, product, Engine::open);
    }

    /** The same with engines that are opened in another way. */
    static RepositoryService open(
            Path repository, ServiceOptions options, String product, Function<EngineOptions, Engine> opener) {
        ModelFolder.names(repository);
        RepositoryService service = new RepositoryService(repository, options, product, opener);
        service.metrics.watch(service, service.engine(options.engine().device()));
        return service;
    }

    private Engine engine(DeviceChoice device) {
        EngineOptions asked = options.engine().withDevice(device).withTrace(recoveries);
        return engines.computeIfAbsent(device, choice -> opener.apply(asked));
    }

    /** Loads every model of the repository, one after the other. One that fails leaves the others; its reason is in the index. */
    public void loadAll() {
        List<String> names = ModelFolder.names(repository);
        names.forEach(name -> served(name).require(true));
        for (String name : names) {
            try {
                load(name);
            } catch (ServiceException failed) {
                LOG.warn("{}", failed.getMessage());
            }
        }
        begun = true;
    }

    private ServedModel served(String name) {
        return models.computeIfAbsent(name, ServedModel::new);
    }

    /** The metrics of its models. */
    public ServiceMetrics metrics() {
        return metrics;
    }

    /** The devices in use, one line for each; of several, with the models that each is for. */
    public List<String> devices() {
        return engines.entrySet().stream()
                .map(entry -> entry.getValue().deviceNote() + (engines.size() == 1 ? "" : modelsOf(entry.getKey())))
                .sorted()
                .toList();
    }

    private String modelsOf(DeviceChoice device) {
        String names = places.entrySet().stream()
                .filter(place -> place.getValue().equals(device))
                .map(Map.Entry::getKey)
                .filter(name -> Optional.ofNullable(models.get(name))
                        .flatMap(model -> model.find(Optional.empty()))
                        .isPresent())
                .sorted()
                .collect(Collectors.joining(", "));
        return ": " + (names.isEmpty() ? "no model" : names);
    }

    /** The state that people are shown. */
    public ServiceStatus status() {
        List<ServiceStatus.VersionStatus> versions = index(false).stream()
                .map(status -> Optional.ofNullable(models.get(status.name()))
                        .flatMap(model -> model.find(Optional.of(status.version())))
                        .map(loaded -> ServiceStatus.VersionStatus.of(status, loaded))
                        .orElseGet(() -> ServiceStatus.VersionStatus.without(status)))
                .toList();
        return new ServiceStatus(
                product,
                live(),
                ready(),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start),
                engines.values().stream().mapToLong(Engine::memoryHeld).sum(),
                devices(),
                LoadHistory.SECONDS,
                versions);
    }

    @Override
    public ServerMetadata server() {
        return new ServerMetadata("clinfer", product, List.of("binary_tensor_data", "model_repository", "statistics"));
    }

    @Override
    public boolean live() {
        return engines.values().stream().noneMatch(Engine::isDeviceLost);
    }

    @Override
    public boolean ready() {
        return begun && !draining && live() && models.values().stream().noneMatch(ServedModel::isMissing);
    }

    @Override
    public boolean ready(String model, Optional<String> version) {
        ServedModel served = models.get(model);
        return !draining && served != null && served.find(version).isPresent();
    }

    private LoadedVersion require(String model, Optional<String> version) {
        ServedModel served = models.get(model);
        if (served == null) {
            throw isThere(model)
                    ? new ServiceException(ServiceError.UNAVAILABLE, notReady(model) + NOT_LOADED)
                    : unknown(model);
        }
        Optional<LoadedVersion> found = served.find(version);
        if (found.isPresent()) {
            return found.get();
        }
        ServedModel.State state = served.state();
        if (state.versions().isEmpty()) {
            throw new ServiceException(ServiceError.UNAVAILABLE, notReady(model) + Printable.message(state.reason()));
        }
        throw new ServiceException(
                ServiceError.NOT_FOUND,
                "model '" + Printable.shortened(model) + "' has no version '" + Printable.shortened(version.orElse(""))
                        + "' that is loaded; there are " + state.versions().keySet());
    }

    private static String notReady(String model) {
        return "model '" + Printable.shortened(model) + "' is not ready: ";
    }

    /** {@return true if the repository has a model of this name, loaded or not} */
    private boolean isThere(String model) {
        return names().contains(model);
    }

    /**
     * The models that the repository has now.
     *
     * @throws ServiceException if it cannot be read
     */
    private List<String> names() {
        try {
            return ModelFolder.names(repository);
        } catch (InputException unreadable) {
            LOG.warn("the repository: {}", unreadable.getMessage());
            throw new ServiceException(
                    ServiceError.INTERNAL, "the repository cannot be read: " + ServiceFailure.reason(unreadable));
        }
    }

    private static ServiceException unknown(String model) {
        return new ServiceException(
                ServiceError.NOT_FOUND, "there is no model '" + Printable.shortened(model) + "' in the repository");
    }

    @Override
    public ModelMetadata metadata(String model, Optional<String> version) {
        LoadedVersion found = require(model, version);
        List<String> versions = version.isPresent()
                ? List.of(found.version())
                : served(model).loaded().stream().map(LoadedVersion::version).toList();
        return new ModelMetadata(model, versions, found.platform(), found.inputs(), found.outputs());
    }

    @Override
    public CompletableFuture<InferenceResponse> infer(InferenceRequest request) {
        try {
            return entered(request).infer(request);
        } catch (ServiceException refused) {
            request.inputs().values().forEach(Tensor::close);
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** The version that a request is for, which it has entered. One that is replaced in between is looked for anew. */
    private LoadedVersion entered(InferenceRequest request) {
        while (!draining) {
            LoadedVersion version = require(request.model(), request.version());
            if (version.enter()) {
                return version;
            }
        }
        throw new ServiceException(ServiceError.UNAVAILABLE, "the server shuts down and takes no more requests");
    }

    @Override
    public List<ModelStatus> index(boolean readyOnly) {
        List<ModelStatus> index = new ArrayList<>();
        names().stream()
                .filter(name -> !models.containsKey(name))
                .forEach(name -> index.add(new ModelStatus(name, "", ModelStatus.State.UNAVAILABLE, NOT_LOADED)));
        models.values().forEach(served -> index.addAll(served.index()));
        index.removeIf(status -> readyOnly && status.state() != ModelStatus.State.READY);
        return List.copyOf(index);
    }

    /** The versions that are loaded. */
    List<LoadedVersion> loaded() {
        return models.values().stream()
                .flatMap(model -> model.loaded().stream())
                .toList();
    }

    /** @throws ServiceException if it cannot be loaded, with the reason; what was loaded before goes on */
    @Override
    public void load(String name) {
        if (draining) {
            throw new ServiceException(ServiceError.UNAVAILABLE, "the server shuts down and loads no more models");
        }
        if (!isThere(name)) {
            throw unknown(name);
        }
        ServedModel served = served(name);
        served.changes().lock();
        try {
            served.says(ModelStatus.State.LOADING, "it is being loaded");
            NavigableMap<Long, LoadedVersion> versions = versions(name);
            List<LoadedVersion> old = List.copyOf(served.loaded());
            versions.values().forEach(metrics::bind);
            served.replace(versions, ModelStatus.State.READY, "");
            versions.keySet().forEach(version -> LOG.info("model '{}' version {} is ready", name, version));
            old.forEach(this::retire);
        } catch (RuntimeException | Error failed) {
            ServiceException reason = ServiceFailure.of(name, failed);
            served.says(ModelStatus.State.UNAVAILABLE, ServiceFailure.reason(failed));
            throw reason;
        } finally {
            served.changes().unlock();
        }
    }

    private void retire(LoadedVersion version) {
        metrics.forget(version);
        version.retire();
    }

    /** All versions that are to be loaded, or none. */
    private NavigableMap<Long, LoadedVersion> versions(String name) {
        ModelFolder folder = ModelFolder.find(repository, name).orElseThrow(() -> unknown(name));
        folder.config().unknown().forEach(field -> LOG.warn("{}/config.pbtxt: {}", name, field));
        NavigableMap<Long, LoadedVersion> versions = new TreeMap<>();
        try {
            folder.files()
                    .forEach((number, file) ->
                            versions.put(number, version(folder, number, file, counts(name, number))));
            return versions;
        } catch (RuntimeException | Error failed) {
            versions.values().forEach(LoadedVersion::retire);
            throw failed;
        }
    }

    /** The counts of the version that is replaced, or new ones. */
    private VersionCounts counts(String name, long number) {
        return served(name)
                .find(Optional.of(Long.toString(number)))
                .map(LoadedVersion::counts)
                .orElseGet(VersionCounts::new);
    }

    private LoadedVersion version(ModelFolder folder, long number, Path file, VersionCounts counts) {
        ModelConfig config = folder.config();
        DeviceChoice device = config.device().orElse(options.engine().device());
        Model model = engine(device).load(file);
        places.put(folder.name(), device);
        try {
            SessionPool pool = pool(folder.name(), model, options.pool(config));
            WarmUp.misfits(model, config).forEach(misfit -> LOG.warn("{}/config.pbtxt: {}", folder.name(), misfit));
            WarmUp.Outcome warmUp = WarmUp.of(model, config, pool.options().maxBatch());
            warmUp.note()
                    .ifPresent(note -> LOG.warn("model '{}' is not warm for every request: {}", folder.name(), note));
            return new LoadedVersion(
                    folder.name(),
                    Long.toString(number),
                    ModelFolder.platform(file),
                    model,
                    pool,
                    config.timeout().orElse(options.timeout()),
                    warmUp,
                    counts);
        } catch (RuntimeException | Error failed) {
            model.close();
            throw failed;
        }
    }

    /** Without joined requests where the model does not take them. */
    private static SessionPool pool(String name, Model model, PoolOptions wanted) {
        try {
            return model.pool(wanted);
        } catch (InputException notJoined) {
            LOG.warn("model '{}': {}", name, notJoined.getMessage());
            return model.pool(wanted.withBatches(1, wanted.maxDelay()));
        }
    }

    @Override
    public void unload(String name) {
        ServedModel served = models.get(name);
        if (served == null) {
            if (isThere(name)) {
                return; // as it is to be: it was never loaded
            }
            throw unknown(name);
        }
        served.changes().lock();
        try {
            List<LoadedVersion> old = List.copyOf(served.loaded());
            served.require(false);
            served.replace(new TreeMap<>(), ModelStatus.State.UNLOADING, "it is being unloaded");
            old.forEach(this::retire);
            served.replace(new TreeMap<>(), ModelStatus.State.UNAVAILABLE, "it was unloaded");
        } finally {
            served.changes().unlock();
        }
    }

    @Override
    public List<ModelStatistics> statistics(Optional<String> model, Optional<String> version) {
        if (model.isEmpty()) {
            return loaded().stream().map(LoadedVersion::statistics).toList();
        }
        LoadedVersion found = require(model.get(), version);
        return version.isPresent()
                ? List.of(found.statistics())
                : served(model.get()).loaded().stream()
                        .map(LoadedVersion::statistics)
                        .toList();
    }

    /** Is not ready any more, and refuses requests from now on; those in flight go on. */
    public void drain() {
        draining = true;
    }

    /** Drains, waits for requests in flight as long as the options say, and gives models and devices back. */
    @Override
    public void close() {
        drain();
        for (ServedModel served : models.values()) {
            served.changes().lock();
            try {
                List.copyOf(served.loaded()).forEach(LoadedVersion::retire);
            } finally {
                served.changes().unlock();
            }
        }
        engines.values().forEach(Engine::close);
        metrics.close();
    }
}
