package org.clinfer.spark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.PoolOptions;
import org.clinfer.SessionPool;
import org.jspecify.annotations.Nullable;

/**
 * The engines and models of this executor, shared by its tasks. A model that no task uses stays, because the next stage
 * probably will, until others are used more recently; all of them are closed with the executor.
 */
final class ExecutorModels {

    /** Models that stay at most without a task that uses them. */
    static final int IDLE = 4;

    private static final Map<EngineSettings, SharedEngine> ENGINES = new HashMap<>();
    /** The least recently used first. */
    private static final Map<ModelKey, SharedModel> MODELS = new LinkedHashMap<>(16, 0.75f, true);

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ExecutorModels::close, "clinfer-spark-close"));
    }

    private ExecutorModels() {}

    /**
     * Takes a share of a model, which is loaded if it is not there; others that ask for it wait meanwhile.
     *
     * @param settings of the engine, with the task's own device
     * @param network which model, and what it gives
     * @param files read if it is not there
     * @return to be closed by the task
     */
    static Lease lease(EngineSettings settings, NetworkChoice network, Supplier<NetworkFiles> files) {
        ModelKey key = new ModelKey(settings, network);
        SharedModel shared;
        synchronized (MODELS) {
            shared = MODELS.computeIfAbsent(key, k -> new SharedModel());
            shared.users++;
        }
        try {
            return new Lease(key, shared, shared.loaded(settings, network, files));
        } catch (RuntimeException | Error e) {
            release(key, shared, true);
            throw e;
        }
    }

    private static Engine engine(EngineSettings settings) {
        SharedEngine shared;
        synchronized (ENGINES) {
            shared = ENGINES.computeIfAbsent(settings, SharedEngine::new);
        }
        return shared.open();
    }

    private static void release(ModelKey key, SharedModel shared, boolean failed) {
        List<SharedModel> gone = new ArrayList<>();
        synchronized (MODELS) {
            shared.users--;
            if (failed && shared.users == 0) {
                MODELS.remove(key, shared);
            }
            List<ModelKey> idle = new ArrayList<>();
            MODELS.forEach((other, model) -> {
                if (model.users == 0) {
                    idle.add(other);
                }
            });
            for (ModelKey old : idle.subList(0, Math.max(0, idle.size() - IDLE))) {
                gone.add(MODELS.remove(old));
            }
        }
        gone.forEach(SharedModel::close);
    }

    /** {@return how many models are loaded} */
    static int models() {
        synchronized (MODELS) {
            return MODELS.size();
        }
    }

    /** {@return how many engines are open} */
    static int engines() {
        synchronized (ENGINES) {
            return ENGINES.size();
        }
    }

    /** Closes all models and engines; what comes later opens them anew. */
    static void close() {
        List<SharedModel> models;
        List<SharedEngine> engines;
        synchronized (MODELS) {
            models = List.copyOf(MODELS.values());
            MODELS.clear();
        }
        synchronized (ENGINES) {
            engines = List.copyOf(ENGINES.values());
            ENGINES.clear();
        }
        models.forEach(SharedModel::close);
        engines.forEach(SharedEngine::close);
    }

    private record ModelKey(EngineSettings settings, NetworkChoice network) {}

    /** An engine that is opened by the first who needs it. */
    private static final class SharedEngine {
        private final EngineSettings settings;
        private @Nullable Engine engine;

        SharedEngine(EngineSettings settings) {
            this.settings = settings;
        }

        synchronized Engine open() {
            if (engine == null) {
                engine = Engine.open(
                        settings.options().withTrace(ExecutorMetrics.current().sink()));
            }
            return engine;
        }

        synchronized void close() {
            if (engine != null) {
                engine.close();
                engine = null;
            }
        }
    }

    /** A model that is loaded by the first who needs it. */
    private static final class SharedModel {
        private int users;
        private @Nullable LoadedNetwork loaded;

        synchronized LoadedNetwork loaded(
                EngineSettings settings, NetworkChoice network, Supplier<NetworkFiles> files) {
            if (loaded == null) {
                loaded = LoadedNetwork.of(engine(settings), network, files.get());
            }
            return loaded;
        }

        synchronized void close() {
            if (loaded != null) {
                loaded.close();
                loaded = null;
            }
        }
    }

    /** A task's share of a model. */
    static final class Lease implements AutoCloseable {
        private final ModelKey key;
        private final SharedModel shared;
        private final LoadedNetwork loaded;
        private boolean closed;

        private Lease(ModelKey key, SharedModel shared, LoadedNetwork loaded) {
            this.key = key;
            this.shared = shared;
            this.loaded = loaded;
        }

        Model model() {
            return loaded.model();
        }

        SessionPool pool() {
            return loaded.pool();
        }

        /** Gives the share back; more calls do nothing. */
        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                release(key, shared, false);
            }
        }
    }

    /** {@return the options of the pool that the tasks of an executor share: they wait for a place} */
    static PoolOptions poolOptions() {
        return PoolOptions.defaults().withWhenFull(PoolOptions.WhenFull.WAIT);
    }
}
