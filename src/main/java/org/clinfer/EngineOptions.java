package org.clinfer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.clinfer.options.CacheFolder;
import org.clinfer.options.ClBinding;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Reading;
import org.clinfer.trace.TraceFile;
import org.clinfer.trace.TraceSink;

/**
 * Options for opening an engine.
 *
 * @param device which device, or devices, to use
 * @param binding the Java library through which OpenCL is called; empty: the first that can be loaded
 * @param threads threads for CPU operators, at least 1 and at most 32767
 * @param operators folders with descriptions ({@code .json}) and kernels ({@code .cl}) of operators beside the built-in
 * @param profile the device profile whose rules decide what may run on the device, and how they are read; empty: none
 * @param byCost whether {@link DeviceChoice.Auto} leaves groups of nodes to the CPU; without it everything runs on the
 *     device that it takes
 * @param onUnsupported what becomes of nodes that the device does not take
 * @param exact whether the device and the CPU add the terms of a definition as they are; otherwise float32 convolutions
 *     may be computed by Winograd's filtering, which is faster and less accurate
 * @param precision the precision of what a network has in float32
 * @param fusion whether convolutions do the work of the nodes around them where they can; without it every node runs by
 *     itself
 * @param chain whether a processor runs operators that follow one another in one launch where their kernels allow it
 * @param trust whether kernels are believed without a test; otherwise each is held against the CPU before its first use
 * @param memoryLimit bytes that models and sessions may hold together, see {@link #withMemoryLimit}; empty: as many as there
 *     are
 * @param cache where programs and tuned choices are kept between runs; nothing there ever fails a run
 * @param traces those who take what the engine does and how long it takes
 */
public record EngineOptions(
        DeviceChoice device,
        Optional<ClBinding> binding,
        int threads,
        List<Path> operators,
        Optional<ProfileChoice> profile,
        boolean byCost,
        OnUnsupported onUnsupported,
        boolean exact,
        Precision precision,
        boolean fusion,
        boolean chain,
        boolean trust,
        OptionalLong memoryLimit,
        CacheFolder cache,
        List<TraceSink> traces) {

    /** The most that Java's pools take. */
    private static final int MOST_THREADS = 32767;

    /** The Java property that makes {@link #trust} true where nothing else is said. */
    public static final String TRUST = "clinfer.trust";

    /**
     * With everything else as it is by default: no profile, by cost, fused, chained, with the usual cache.
     *
     * @param device the device, or how it is chosen
     * @param binding the Java library to call OpenCL through; empty for the first that loads
     * @param threads for CPU operators, at least 1 and at most 32767
     */
    public EngineOptions(DeviceChoice device, Optional<ClBinding> binding, int threads) {
        this(
                device,
                binding,
                threads,
                List.of(),
                Optional.empty(),
                true,
                OnUnsupported.CPU,
                false,
                Precision.FLOAT32,
                true,
                true,
                isTrusted(),
                OptionalLong.empty(),
                CacheFolder.current(),
                List.of());
    }

    /**
     * The same through one binding and no other.
     *
     * @param device the device, or how it is chosen
     * @param binding the Java library to call OpenCL through
     * @param threads for CPU operators, at least 1 and at most 32767
     */
    public EngineOptions(DeviceChoice device, ClBinding binding, int threads) {
        this(device, Optional.of(binding), threads);
    }

    public EngineOptions {
        operators = List.copyOf(operators);
        traces = List.copyOf(traces);
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException(
                    "threads must be at least 1 and at most " + MOST_THREADS + ", but is " + threads);
        }
        if (memoryLimit.orElse(1) < 1) {
            throw new IllegalArgumentException("the memory limit must be >= 1, but is " + memoryLimit.getAsLong());
        }
        if (exact && precision != Precision.FLOAT32) {
            throw new IllegalArgumentException(
                    "exact sums are computed in float32, but the precision is to be " + precision.word());
        }
    }

    /** {@return the options of any device and binding, with a thread per processor} */
    public static EngineOptions defaults() {
        return new EngineOptions(
                new DeviceChoice.Auto(), Optional.empty(), Runtime.getRuntime().availableProcessors());
    }

    /**
     * {@return these options with another choice of the device}
     *
     * @param choice the device, or how it is chosen
     */
    public EngineOptions withDevice(DeviceChoice choice) {
        return with(next -> next.device = choice);
    }

    /**
     * {@return these options with this Java library to call OpenCL through, and no other}
     *
     * @param other the binding
     */
    public EngineOptions withBinding(ClBinding other) {
        return with(next -> next.binding = Optional.of(other));
    }

    /**
     * {@return these options with this many threads for CPU operators, at least 1 and at most 32767}
     *
     * @param count how many threads
     */
    public EngineOptions withThreads(int count) {
        return with(next -> next.threads = count);
    }

    /**
     * {@return these options with the operators of these folders, whose variants are tried before the built-in ones}
     *
     * @param folders each with descriptions ({@code .json}) and kernels ({@code .cl})
     */
    public EngineOptions withOperators(List<Path> folders) {
        return with(next -> next.operators = folders);
    }

    /**
     * {@return these options with a profile laid over the device: only what its rules allow runs there, the rest on
     * the CPU} Nodes are judged as the model has them and each by itself; limits that all nodes of a network share are asked
     * by {@link CapabilityChecker} alone.
     *
     * @param overlay the profile
     * @param reading how its restrictions are read
     */
    public EngineOptions withProfile(DeviceProfile overlay, Reading reading) {
        Optional<ProfileChoice> laidOver = Optional.of(new ProfileChoice(overlay, reading));
        return with(next -> next.profile = laidOver);
    }

    /** {@return these options with the device alone to say what runs there} */
    public EngineOptions withoutProfile() {
        return with(next -> next.profile = Optional.empty());
    }

    /**
     * {@return these options with or without groups of nodes that {@link DeviceChoice.Auto} leaves to the CPU}
     *
     * @param wanted whether such groups stay on the CPU
     */
    public EngineOptions withByCost(boolean wanted) {
        return with(next -> next.byCost = wanted);
    }

    /**
     * {@return these options with another fate of nodes that the device does not take}
     *
     * @param fate whether such nodes run on the CPU, or the model is refused
     */
    public EngineOptions withOnUnsupported(OnUnsupported fate) {
        return with(next -> next.onUnsupported = fate);
    }

    /**
     * {@return these options with or without convolutions that are transformed to be faster}
     *
     * @param required whether sums are added as their definitions have them
     * @throws IllegalArgumentException if it is required and the {@link #precision} is lower than float32
     */
    public EngineOptions withExact(boolean required) {
        return with(next -> next.exact = required);
    }

    /**
     * {@return these options with another precision of what a network has in float32}
     *
     * @param other the precision
     * @throws IllegalArgumentException if it is lower than float32 and sums have to be {@link #exact}
     */
    public EngineOptions withPrecision(Precision other) {
        return with(next -> next.precision = other);
    }

    /**
     * {@return these options with or without fused nodes; the results differ by rounding alone}
     *
     * @param wanted whether neighbouring nodes may run as one
     */
    public EngineOptions withFusion(boolean wanted) {
        return with(next -> next.fusion = wanted);
    }

    /**
     * {@return these options with or without several operators in one launch; the results are the same}
     *
     * @param wanted whether a launch may compute several operators
     */
    public EngineOptions withChain(boolean wanted) {
        return with(next -> next.chain = wanted);
    }

    /**
     * {@return these options with another folder for what is kept between runs, or none}
     *
     * @param folder the folder
     */
    public EngineOptions withCache(CacheFolder folder) {
        return with(next -> next.cache = folder);
    }

    /**
     * {@return these options with or without believing kernels that were not held against the CPU on the device}
     *
     * @param wanted whether kernels are believed without being held against the CPU
     */
    public EngineOptions withTrust(boolean wanted) {
        return with(next -> next.trust = wanted);
    }

    /**
     * {@return these options with a bound to what all models and sessions of the engine hold together, on the host and on
     * devices} Weights in all forms, values between inputs and results, and copies of values on their way to a device are
     * counted. What exceeds it is refused by a {@link org.clinfer.errors.MemoryLimitException} when a model is loaded or a
     * run begins; a pool goes on with as many runs as fit. Inputs and results, values that {@link Session#bind} keeps,
     * Java's objects and arrays that operators on the CPU use for a moment are not counted.
     *
     * @param bytes at least 1
     */
    public EngineOptions withMemoryLimit(long bytes) {
        return with(next -> next.memoryLimit = OptionalLong.of(bytes));
    }

    /**
     * {@return these options with one more sink that takes what the engine does and how long it takes}
     *
     * @param sink it is told from several threads at once
     */
    public EngineOptions withTrace(TraceSink sink) {
        List<TraceSink> all = new ArrayList<>(traces);
        all.add(sink);
        return with(next -> next.traces = all);
    }

    /**
     * {@return these options with a trace in a file, which is complete when the engine is closed: what each thread,
     * the queue, the device and transfers did when, for Perfetto ({@code ui.perfetto.dev}) and {@code
     * chrome://tracing}} Opening the engine replaces the file, or fails with an {@link
     * org.clinfer.errors.InputException}.
     *
     * @param file it is written anew
     */
    public EngineOptions withTrace(Path file) {
        return withTrace(new TraceFile(file));
    }

    /** A copy with a change. */
    private EngineOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** Options that are about to be changed. */
    private static final class Draft {
        private DeviceChoice device;
        private Optional<ClBinding> binding;
        private int threads;
        private List<Path> operators;
        private Optional<ProfileChoice> profile;
        private boolean byCost;
        private OnUnsupported onUnsupported;
        private boolean exact;
        private Precision precision;
        private boolean fusion;
        private boolean chain;
        private boolean trust;
        private OptionalLong memoryLimit;
        private CacheFolder cache;
        private List<TraceSink> traces;

        private Draft(EngineOptions from) {
            device = from.device;
            binding = from.binding;
            threads = from.threads;
            operators = from.operators;
            profile = from.profile;
            byCost = from.byCost;
            onUnsupported = from.onUnsupported;
            exact = from.exact;
            precision = from.precision;
            fusion = from.fusion;
            chain = from.chain;
            trust = from.trust;
            memoryLimit = from.memoryLimit;
            cache = from.cache;
            traces = from.traces;
        }

        private EngineOptions options() {
            return new EngineOptions(
                    device,
                    binding,
                    threads,
                    operators,
                    profile,
                    byCost,
                    onUnsupported,
                    exact,
                    precision,
                    fusion,
                    chain,
                    trust,
                    memoryLimit,
                    cache,
                    traces);
        }
    }

    private static boolean isTrusted() {
        return Boolean.getBoolean(TRUST);
    }
}
