package org.clinfer.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.clinfer.cache.ProgramCache;
import org.clinfer.device.CommandCounts;
import org.clinfer.device.DeviceFacts;
import org.clinfer.device.DeviceSpeed;
import org.clinfer.kernel.ChainSource;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelSources;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.opencl.ClContext;
import org.clinfer.opencl.ClDevice;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClQueue;
import org.clinfer.opencl.KnownDrivers;
import org.clinfer.opencl.OpenCl;
import org.clinfer.options.CacheFolder;
import org.clinfer.trace.TraceEvent;
import org.clinfer.tracesinks.Span;
import org.clinfer.tracesinks.Tracing;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One device in use: its context, and the programs built for it; shared by all sessions of an engine. Models that have
 * weights there when it is closed keep it until they gave them back.
 */
public final class DeviceRuntime implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceRuntime.class);

    private final OpenCl openCl;
    private final ClDevice device;
    private final Optional<ProgramCache> cache;
    private final UseCount uses = new UseCount(this::free);
    private final KernelSources sources;
    private final Tracing tracing;
    private final DeviceFacts facts;
    private final ClContext context;
    private final Programs programs;
    private final Map<List<ChainSource.Function>, ChainSource> chainSources = new ConcurrentHashMap<>();
    private final Map<List<ChainSource.Function>, ClException> failedChains = new ConcurrentHashMap<>();
    private final boolean inPlace;
    private final UnitShares shares;
    private final Map<String, String> retired = new ConcurrentHashMap<>();
    private final Map<String, ClBuildException> unbuilt = Collections.synchronizedMap(new LinkedHashMap<>());
    private volatile @Nullable String chainFault;
    private volatile @Nullable String fault;

    private DeviceRuntime(
            OpenCl openCl,
            ClDevice device,
            BiFunction<ClContext, DeviceFacts, DeviceFacts> tried,
            DeviceFacts facts,
            KernelSources sources,
            Optional<ProgramCache> cache,
            Tracing tracing) {
        this.openCl = openCl;
        this.device = device;
        this.cache = cache;
        this.sources = sources;
        this.tracing = tracing;
        this.context = openCl.context(device);
        try {
            this.facts = tried.apply(context, facts);
            this.programs = new Programs(this.facts, context, sources, cache, tracing);
            this.inPlace = context.worksInPlace();
            this.shares = new UnitShares(units());
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /** The compute units that may have a run each: those of a processor. */
    private int units() {
        return facts.kind() == DeviceFacts.Kind.CPU ? (int) facts.limit("max_compute_units", 0) : 0;
    }

    /**
     * Opens a context on a device.
     *
     * @param facts what placement sees of the device, but for its matrix units, which are tried
     * @param cache where programs and findings are kept between runs
     * @param tracing told of programs that are built
     */
    public static DeviceRuntime open(
            OpenCl openCl,
            ClDevice device,
            DeviceFacts facts,
            KernelSources sources,
            CacheFolder cache,
            Tracing tracing) {
        return new DeviceRuntime(
                openCl,
                device,
                (context, said) -> MatrixUnitTrial.tried(said, context, cache),
                facts,
                sources,
                ProgramCache.of(cache),
                tracing);
    }

    /**
     * A new context on the same device, for when this one failed; what turned out to be unusable stays unused.
     *
     * @throws ClException if that fails, too
     */
    public DeviceRuntime reopened() {
        DeviceRuntime other =
                new DeviceRuntime(openCl, device, (opened, known) -> known, facts, sources, cache, tracing);
        other.retired.putAll(retired);
        other.unbuilt.putAll(unbuilt());
        other.failedChains.putAll(failedChains);
        other.chainFault = chainFault;
        other.fault = fault;
        return other;
    }

    /**
     * Begins a use, to the end of which it stays.
     *
     * @return whether it is still there
     */
    boolean begin() {
        return uses.begin();
    }

    /** {@return whether it was closed, or another context took its place; what uses it yet may come to its end} */
    public boolean isGivenUp() {
        return uses.isGivenUp();
    }

    /** Ends a use. */
    void end() {
        uses.end();
    }

    public DeviceFacts facts() {
        return facts;
    }

    /**
     * Measures what the device can do at most; takes a fraction of a second.
     *
     * @return empty where the device fails at that, which is logged
     */
    public Optional<DeviceSpeed> speed() {
        try {
            Span span = Span.begin();
            DeviceSpeed speed = new SpeedTrial(facts, context).measured();
            tracing.add(new TraceEvent.Peak(facts.name(), speed.gflops(), speed.gigabytes(), span.time()));
            return Optional.of(speed);
        } catch (ClException e) {
            LOG.warn("how fast the device is at most is not known: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** The commands given so far to all devices of this OpenCL, also by contexts that failed. */
    public CommandCounts commands() {
        return openCl.commands();
    }

    ClContext context() {
        return context;
    }

    /** A queue for runs of a plan. */
    ClQueue queue() {
        return facts.kind() == DeviceFacts.Kind.CPU ? context.watchedQueue() : context.queue(false);
    }

    /** A queue for runs that one compute unit carries out, where the driver lets it. */
    ClQueue unitQueue(int unit) {
        return context.unitQueue(unit);
    }

    /** The runs at once that bring most: two, for what the host does meanwhile; on a processor one for each unit that this process may use. */
    public int runsAtOnce() {
        return Math.max(2, Math.min(units(), Runtime.getRuntime().availableProcessors()));
    }

    /** The runs in progress. */
    UnitShares shares() {
        return shares;
    }

    /** The same with a log of its commands. */
    ClQueue loggedQueue() {
        return context.loggedQueue(facts.kind() == DeviceFacts.Kind.CPU);
    }

    /** See {@link ClContext#worksInPlace}; tried once. */
    boolean worksInPlace() {
        return inPlace;
    }

    /**
     * Goes on if the device takes commands and ends them.
     *
     * @throws ClException if it does not
     */
    public void requireAnswer() {
        try (ClQueue queue = context.queue(false)) {
            queue.finish();
        }
    }

    /** A kernel of its own for one launch; its program is built once. */
    ClKernel kernel(KernelLaunch launch) {
        return programs.kernel(launch);
    }

    /** Keeps the programs built so far for other runs, unless the driver would compile for that. */
    public void storePrograms() {
        if (!KnownDrivers.compilesWhenAsked(facts)) {
            programs.store();
        }
    }

    /**
     * The program for chains of these launches; it is built when it is begun, or a kernel of it is asked for.
     *
     * @param known one that may do; if it does not, the new one has its kernels as well, and takes any arguments, so that
     *     networks of many shapes need few
     */
    ChainSource chainSource(List<KernelLaunch> launches, @Nullable ChainSource known) {
        if (known != null && known.hasAll(launches)) {
            return known;
        }
        List<ChainSource.Function> functions = ChainSource.functions(sources, launches);
        return chainSources.computeIfAbsent(
                known == null ? functions : known.with(functions), wanted -> ChainSource.of(sources, wanted));
    }

    /**
     * Builds the program of chains while other things are done, where drivers let several threads build. What
     * comes of it shows when a kernel of it is asked for.
     */
    void beginChain(ChainSource source) {
        if (KnownDrivers.buildsInThreads(facts) && !failedChains.containsKey(source.functions())) {
            programs.begin(label(source), source.text());
        }
    }

    /**
     * Builds the programs of launches while other things are done, where drivers let several threads build. A processor
     * has none to spare: it compiles, and the host's threads are its own.
     *
     * @param launches in the order in which their kernels are asked for
     */
    void begin(List<KernelLaunch> launches) {
        if (facts.kind() != DeviceFacts.Kind.CPU && KnownDrivers.buildsInThreads(facts)) {
            programs.begin(launches);
        }
    }

    /** Makes one program of the files of some launches, for drivers that compile each when it is made. */
    void join(List<KernelLaunch> launches) {
        if (KnownDrivers.compilesWhenAsked(facts)) {
            programs.join(launches);
        }
    }

    /** A name that is the same only for the same source: entries alone would not do, since macros differ. */
    private static String label(ChainSource source) {
        return "chain of " + source.functions();
    }

    /**
     * A kernel of its own for one chain; its program is built once, also where that fails.
     *
     * @throws ClException if it does not build, or failed before
     */
    ClKernel chain(ChainSource source) {
        ClException known = failedChains.get(source.functions());
        if (known != null) {
            throw known;
        }
        try {
            return programs.generated(label(source), source.text(), ChainSource.ENTRY, source.parameters());
        } catch (ClBuildException e) {
            LOG.warn("operators run one by one, because their kernels do not build as one: {}", e.getMessage());
            giveUp(source, e);
            throw e;
        }
    }

    /** Keeps kernels from being chained again. */
    void giveUp(ChainSource source, ClException failure) {
        failedChains.put(source.functions(), failure);
    }

    /** Kernel variants and families of them that this device cannot use, with the reason. */
    public Map<String, String> retired() {
        return Map.copyOf(retired);
    }

    /** Keeps a kernel variant, or a family of them, from being placed on this device again. */
    public void retire(String variant, String reason) {
        retired.put(variant, reason);
    }

    /** Keeps a kernel variant that the compiler refuses from being placed on this device again. */
    public void retire(String variant, String reason, ClBuildException failure) {
        retire(variant, reason);
        unbuilt.put(variant, failure);
    }

    /** The kernel variants that the compiler refused, in the order in which it did. */
    public Map<String, ClBuildException> unbuilt() {
        synchronized (unbuilt) {
            return new LinkedHashMap<>(unbuilt);
        }
    }

    /** The reason why no kernels are to be chained here; empty where they may be. */
    public Optional<String> chainFault() {
        return Optional.ofNullable(chainFault);
    }

    /** Keeps all kernels from being chained. */
    public void avoidChains(String reason) {
        if (chainFault == null) {
            LOG.warn("operators run one by one, because kernels in a chain fail their test: {}", reason);
        }
        chainFault = reason;
    }

    /** The reason why nothing is to run here; empty where the device is believed. */
    public Optional<String> fault() {
        return Optional.ofNullable(fault);
    }

    /** Keeps everything from being placed on this device. */
    public void distrust(String reason) {
        fault = reason;
    }

    @Override
    public void close() {
        uses.giveUp();
    }

    private void free() {
        storePrograms();
        programs.close();
        context.close();
    }
}
