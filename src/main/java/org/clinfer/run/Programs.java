package org.clinfer.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.clinfer.cache.ProgramCache;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelSignature;
import org.clinfer.kernel.KernelSources;
import org.clinfer.opencl.ClContext;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClProgram;
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
    private final Map<Wanted, ClProgram> programs = new ConcurrentHashMap<>();
    private final Map<Wanted, String> generated = new ConcurrentHashMap<>();
    private final Set<Wanted> fromBinaries = ConcurrentHashMap.newKeySet();
    private final Set<Wanted> unstored = ConcurrentHashMap.newKeySet();
    private final Queue<ClProgram> useless = new ConcurrentLinkedQueue<>();

    Programs(DeviceFacts facts, ClContext context, KernelSources sources, Optional<ProgramCache> cache) {
        this.facts = facts;
        this.context = context;
        this.sources = sources;
        this.cache = cache;
    }

    /**
     * A kernel of its own for one launch.
     *
     * @throws org.clinfer.opencl.ClBuildException if its program does not build
     */
    ClKernel kernel(KernelLaunch launch) {
        KernelSignature signature = sources.signature(launch.file(), launch.entry());
        return kernel(
                new Wanted(launch.file(), launch.options()),
                launch.entry(),
                signature.parameters().stream()
                        .map(KernelSignature.Parameter::name)
                        .toList());
    }

    /**
     * A kernel of its own of a program that is in no file.
     *
     * @param name unique for its source
     * @throws org.clinfer.opencl.ClBuildException if it does not build
     */
    ClKernel generated(String name, String source, String entry, List<String> parameters) {
        Wanted wanted = new Wanted(name, "");
        generated.put(wanted, source);
        return kernel(wanted, entry, parameters);
    }

    private ClKernel kernel(Wanted wanted, String entry, List<String> parameters) {
        ClProgram program = programs.computeIfAbsent(wanted, this::made);
        try {
            return program.kernel(entry, parameters);
        } catch (ClException | IllegalArgumentException e) {
            if (!fromBinaries.remove(wanted)) {
                throw e;
            }
            cache.ifPresent(kept -> kept.remove(key(wanted), "has not the kernel " + entry));
            useless.add(program);
            ClProgram again = fromSource(wanted);
            programs.put(wanted, again);
            return again.kernel(entry, parameters);
        }
    }

    private String text(Wanted wanted) {
        String source = generated.get(wanted);
        return source != null ? source : sources.text(wanted.file());
    }

    private String key(Wanted wanted) {
        return ProgramCache.key(facts, text(wanted), wanted.options());
    }

    private ClProgram made(Wanted wanted) {
        return fromBinary(wanted).orElseGet(() -> fromSource(wanted));
    }

    private ClProgram fromSource(Wanted wanted) {
        ClProgram program = context.program(wanted.file(), text(wanted), wanted.options());
        if (cache.isPresent()) {
            unstored.add(wanted);
        }
        return program;
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
            ClProgram program = context.programFromBinary(wanted.file(), binary.get(), wanted.options());
            fromBinaries.add(wanted);
            return Optional.of(program);
        } catch (ClException refused) {
            LOG.debug("the binary of {} is refused", wanted, refused);
            cache.get().remove(key, "is refused by the driver");
            return Optional.empty();
        }
    }

    /*
     * PoCL compiles a kernel for the work-group size of each launch. Asked for a program's binary it compiles every kernel
     * of it once more, for any size, which takes seconds; and it keeps what it compiled on disk by itself.
     */
    static boolean compilesWhenAsked(DeviceFacts facts) {
        return facts.platform().contains("Portable Computing Language");
    }

    /** Keeps on disk what was built from source since the last call. */
    void store() {
        for (Wanted wanted : List.copyOf(unstored)) {
            ClProgram program = programs.get(wanted);
            if (program != null && unstored.remove(wanted)) {
                store(wanted, program);
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
        programs.values().forEach(ClProgram::close);
        programs.clear();
        useless.forEach(ClProgram::close);
        useless.clear();
    }
}
