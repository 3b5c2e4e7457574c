package org.clinfer.run;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.ChainSource;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelSignature;
import org.clinfer.kernel.KernelSources;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.opencl.ClContext;
import org.clinfer.opencl.ClDevice;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClProgram;
import org.clinfer.opencl.OpenCl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One device in use: its context, and the programs built for it; shared by all sessions of an engine. */
public final class DeviceRuntime implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DeviceRuntime.class);

    private record ProgramKey(String file, String options) {}

    private final DeviceFacts facts;
    private final ClContext context;
    private final KernelSources sources;
    private final Map<ProgramKey, ClProgram> programs = new ConcurrentHashMap<>();
    private final Map<List<ChainSource.Function>, ChainSource> chainSources = new ConcurrentHashMap<>();
    private final Map<List<ChainSource.Function>, ClBuildException> failedChains = new ConcurrentHashMap<>();
    private final Map<String, String> retired = new ConcurrentHashMap<>();

    private DeviceRuntime(DeviceFacts facts, ClContext context, KernelSources sources) {
        this.facts = facts;
        this.context = context;
        this.sources = sources;
    }

    /** Opens a context on a device, of which placement sees these facts. */
    public static DeviceRuntime open(OpenCl openCl, ClDevice device, DeviceFacts facts, KernelSources sources) {
        return new DeviceRuntime(facts, openCl.context(device), sources);
    }

    public DeviceFacts facts() {
        return facts;
    }

    ClContext context() {
        return context;
    }

    /** A kernel of its own for one launch; its program is built once. */
    ClKernel kernel(KernelLaunch launch) {
        ClProgram program = programs.computeIfAbsent(
                new ProgramKey(launch.file(), launch.options()),
                key -> context.program(key.file(), sources.text(key.file()), key.options()));
        KernelSignature signature = sources.signature(launch.file(), launch.entry());
        return program.kernel(
                launch.entry(),
                signature.parameters().stream()
                        .map(KernelSignature.Parameter::name)
                        .toList());
    }

    /** The program for chains of these kernels; it is built when a kernel of it is asked for. */
    ChainSource chainSource(List<ChainSource.Function> functions) {
        return chainSources.computeIfAbsent(functions, wanted -> ChainSource.of(sources, wanted));
    }

    /**
     * A kernel of its own for one chain; its program is built once, also where that fails.
     *
     * @throws ClBuildException if it does not build
     */
    ClKernel chain(ChainSource source) {
        ClBuildException known = failedChains.get(source.functions());
        if (known != null) {
            throw known;
        }
        try {
            ClProgram program = programs.computeIfAbsent(
                    new ProgramKey("chain of " + source.functions(), ""),
                    key -> context.program(key.file(), source.text(), key.options()));
            return program.kernel(ChainSource.ENTRY, source.parameters());
        } catch (ClBuildException e) {
            LOG.warn("operators run one by one, because their kernels do not build as one: {}", e.getMessage());
            failedChains.put(source.functions(), e);
            throw e;
        }
    }

    /** Kernel variants this device cannot use, with the reason. */
    public Map<String, String> retired() {
        return Map.copyOf(retired);
    }

    /** Keeps a kernel variant from being placed on this device again. */
    public void retire(String variant, String reason) {
        retired.put(variant, reason);
    }

    @Override
    public void close() {
        programs.values().forEach(ClProgram::close);
        programs.clear();
        context.close();
    }
}
