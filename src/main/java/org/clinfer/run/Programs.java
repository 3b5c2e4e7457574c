package org.clinfer.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.clinfer.cache.ProgramCache;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelSignature;
import org.clinfer.kernel.KernelSources;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.opencl.ClContext;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClProgram;
import org.clinfer.trace.TraceEvent;
import org.clinfer.tracesinks.Span;
import org.clinfer.tracesinks.Tracing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The programs of one device, each made once: of a binary on disk where there is one that fits, else from source. */
final class Programs implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Programs.class);

    private record Wanted(String file, String options) {
        String label() {
            return options.isEmpty() ? file : file + " " + options;
        }
    }

    private final DeviceFacts facts;
    private final ClContext context;
    private final KernelSources sources;
    private final Optional<ProgramCache> cache;
    private final Tracing tracing;
    private final Map<Wanted, CompletableFuture<ClProgram>> programs = new ConcurrentHashMap<>();
    private final Map<Wanted, String> generated = new ConcurrentHashMap<>();
    private final Map<String, Wanted> together = new ConcurrentHashMap<>();
    private final Set<Wanted> fromBinaries = ConcurrentHashMap.newKeySet();
    private final Set<Wanted> unstored = ConcurrentHashMap.newKeySet();
    private final Queue<ClProgram> useless = new ConcurrentLinkedQueue<>();
    private volatile boolean isClosed;

    Programs(
            DeviceFacts facts,
            ClContext context,
            KernelSources sources,
            Optional<ProgramCache> cache,
            Tracing tracing) {
        this.facts = facts;
        this.context = context;
        this.sources = sources;
        this.cache = cache;
        this.tracing = tracing;
    }

    /**
     * A kernel of its own for one launch.
     *
     * @throws org.clinfer.opencl.ClBuildException if its program does not build
     */
    ClKernel kernel(KernelLaunch launch) {
        KernelSignature signature = sources.signature(launch.file(), launch.entry());
        return kernel(
                wanted(launch),
                launch.entry(),
                signature.parameters().stream()
                        .map(KernelSignature.Parameter::name)
                        .toList());
    }

    private Wanted wanted(KernelLaunch launch) {
        Wanted joined = launch.options().isEmpty() ? together.get(launch.file()) : null;
        return joined != null ? joined : new Wanted(launch.file(), launch.options());
    }

    /**
     * Makes one program of the files of some launches, where they have not been made yet: each program costs by itself.
     * Those that are built with options, or cannot be together, stay by themselves.
     */
    void join(List<KernelLaunch> launches) {
        List<String> files = launches.stream()
                .filter(launch -> launch.options().isEmpty())
                .map(KernelLaunch::file)
                .distinct()
                .filter(file -> !together.containsKey(file) && !programs.containsKey(new Wanted(file, "")))
                .filter(sources::isJoinable)
                .sorted()
                .toList();
        if (files.size() < 2) {
            return;
        }
        Wanted all = generated(String.join(" + ", files), sources.text(files));
        try {
            program(all);
            files.forEach(file -> together.put(file, all));
        } catch (ClBuildException e) {
            LOG.debug("{} are built one by one", files, e);
        }
    }

    /**
     * A kernel of its own of a program that is in no file.
     *
     * @param name unique for its source
     * @throws org.clinfer.opencl.ClBuildException if it does not build
     */
    ClKernel generated(String name, String source, String entry, List<String> parameters) {
        return kernel(generated(name, source), entry, parameters);
    }

    private Wanted generated(String name, String source) {
        Wanted wanted = new Wanted(name, "");
        String before = generated.putIfAbsent(wanted, source);
        if (before != null && !before.equals(source)) {
            throw new IllegalStateException("two sources have the name " + name);
        }
        return wanted;
    }

    /**
     * Begins to make a program that is in no file, in a thread of its own.
     *
     * @param name unique for its source
     */
    void begin(String name, String source) {
        Wanted wanted = generated(name, source);
        CompletableFuture<ClProgram> future = new CompletableFuture<>();
        if (programs.putIfAbsent(wanted, future) == null) {
            inThread(Map.of(wanted, future));
        }
    }

    /**
     * Begins to make the programs of some launches that are not made yet, one after another in a thread of their own: the
     * caller has other things to do for their kernels, and drivers make one program at a time. Who asks for a program waits
     * for it, and hears of its failure.
     *
     * @param launches in the order in which their kernels are asked for
     */
    void begin(List<KernelLaunch> launches) {
        Map<Wanted, CompletableFuture<ClProgram>> begun = new LinkedHashMap<>();
        for (KernelLaunch launch : launches) {
            Wanted wanted = wanted(launch);
            CompletableFuture<ClProgram> future = new CompletableFuture<>();
            if (programs.putIfAbsent(wanted, future) == null) {
                begun.put(wanted, future);
            }
        }
        if (!begun.isEmpty()) {
            inThread(begun);
        }
    }

    private void inThread(Map<Wanted, CompletableFuture<ClProgram>> begun) {
        Thread thread = new Thread(() -> begun.forEach(this::makeWhileOpen), "clinfer-build");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Error noThread) {
            // who waits for a program would wait for ever
            begun.forEach(programs::remove);
            begun.values().forEach(future -> future.completeExceptionally(noThread));
            throw noThread;
        }
    }

    private void makeWhileOpen(Wanted wanted, CompletableFuture<ClProgram> future) {
        if (isClosed) {
            future.completeExceptionally(new IllegalStateException("the device is closed"));
        } else {
            make(wanted, future);
        }
    }

    /** Makes a program, or waits for who is making it; one that cannot be made is tried again when it is asked for again. */
    private ClProgram program(Wanted wanted) {
        CompletableFuture<ClProgram> mine = new CompletableFuture<>();
        CompletableFuture<ClProgram> known = programs.putIfAbsent(wanted, mine);
        CompletableFuture<ClProgram> future = known == null ? mine : known;
        if (known == null) {
            make(wanted, mine);
        }
        try {
            return future.join();
        } catch (CompletionException e) {
            programs.remove(wanted, future);
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    private void make(Wanted wanted, CompletableFuture<ClProgram> future) {
        try {
            future.complete(made(wanted));
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(e);
        }
    }

    private ClKernel kernel(Wanted wanted, String entry, List<String> parameters) {
        ClProgram program = program(wanted);
        try {
            return program.kernel(entry, parameters);
        } catch (ClException | IllegalArgumentException e) {
            if (!fromBinaries.remove(wanted)) {
                throw e;
            }
            cache.ifPresent(kept -> kept.remove(key(wanted), "has not the kernel " + entry));
            useless.add(program);
            ClProgram again = fromSource(wanted);
            programs.put(wanted, CompletableFuture.completedFuture(again));
            return again.kernel(entry, parameters);
        }
    }

    private String text(Wanted wanted) {
        String source = generated.get(wanted);
        return source != null ? source : sources.text(wanted.file());
    }

    private String key(Wanted wanted) {
        return ProgramCache.key(facts, text(wanted), options(wanted));
    }

    private String options(Wanted wanted) {
        return BuildOptions.of(wanted.options(), facts);
    }

    private ClProgram made(Wanted wanted) {
        return fromBinary(wanted).orElseGet(() -> fromSource(wanted));
    }

    private ClProgram fromSource(Wanted wanted) {
        ClProgram program = built(wanted, false, () -> context.program(wanted.file(), text(wanted), options(wanted)));
        if (cache.isPresent()) {
            unstored.add(wanted);
        }
        return program;
    }

    private ClProgram built(Wanted wanted, boolean isCached, Supplier<ClProgram> build) {
        Span span = Span.begin();
        Optional<String> failure = Optional.empty();
        try {
            return build.get();
        } catch (RuntimeException e) {
            failure = Optional.of(Tracing.line(e));
            throw e;
        } finally {
            tracing.add(new TraceEvent.Build(wanted.label(), facts.name(), isCached, span.time(), failure));
        }
    }

    private Optional<ClProgram> fromBinary(Wanted wanted) {
        if (cache.isEmpty()) {
            return Optional.empty();
        }
        String key = key(wanted);
        Optional<byte[]> binary = cache.get().find(key);
        if (binary.isEmpty()) {
            return Optional.empty();
        }
        try {
            ClProgram program =
                    built(wanted, true, () -> context.programFromBinary(wanted.file(), binary.get(), options(wanted)));
            fromBinaries.add(wanted);
            return Optional.of(program);
        } catch (ClException refused) {
            LOG.debug("the binary of {} is refused", wanted, refused);
            cache.get().remove(key, "is refused by the driver");
            return Optional.empty();
        }
    }

    /** Keeps on disk what was built from source since the last call. */
    void store() {
        for (Wanted wanted : List.copyOf(unstored)) {
            if (unstored.remove(wanted)) {
                store(wanted, program(wanted));
            }
        }
    }

    private void store(Wanted wanted, ClProgram program) {
        try {
            byte[] binary = program.binary();
            cache.ifPresent(kept -> kept.store(key(wanted), wanted.label() + " on " + facts.name(), binary));
        } catch (ClException | ArithmeticException e) {
            LOG.debug("{} gives no binary", program, e);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        programs.values()
                .forEach(future -> future.handle((program, failure) -> program)
                        .thenAccept(program -> {
                            if (program != null) {
                                program.close();
                            }
                        })
                        .join());
        programs.clear();
        useless.forEach(ClProgram::close);
        useless.clear();
    }
}
