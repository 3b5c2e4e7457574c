package org.clinfer.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.clinfer.cpu.CpuOperators;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.describe.DescriptionException;
import org.clinfer.describe.OpCatalog;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelSources;
import org.clinfer.run.HostOperators;

/** Reads the descriptions of operators in a thread of its own, while the device is opened. */
public final class DescriptionLoading {

    /** The usual operators of networks, and what they become: statistics of networks, which no description knows. */
    private static final List<String> USUAL = List.of(
            "Conv2d",
            "Relu",
            "BatchNorm",
            "MaxPool",
            "Add",
            "FusedConv",
            "AvgPool",
            "Reshape",
            "Gemm",
            "ConvToBlocks",
            "BlockedConv",
            "BlockedPool");

    private final List<Path> folders;
    private final boolean exact;
    private final KernelSources sources;
    private final CompletableFuture<Loaded> loading = new CompletableFuture<>();

    /** The operators and kernels of the descriptions. */
    public record Loaded(OpCatalog operators, KernelCatalog kernels, HostOperators hostOperators) {}

    private DescriptionLoading(List<Path> folders, boolean exact) {
        this.folders = folders;
        this.exact = exact;
        KernelSources all = KernelSources.packaged();
        for (Path folder : folders) {
            all = all.and(folder);
        }
        this.sources = all;
    }

    /**
     * Begins to read.
     *
     * @param folders those with operators beside the built-in ones
     * @param exact whether operators on the CPU add the terms of their definitions as they are
     */
    public static DescriptionLoading start(List<Path> folders, boolean exact) {
        DescriptionLoading loading = new DescriptionLoading(folders, exact);
        Thread reader = new Thread(loading::read, "clinfer-descriptions");
        reader.setDaemon(true);
        reader.start();
        return loading;
    }

    private void read() {
        try {
            KernelCatalog kernels = load();
            USUAL.forEach(kernels::variants); // while nobody needs them yet
        } catch (RuntimeException | Error e) {
            loading.completeExceptionally(e);
        }
    }

    private KernelCatalog load() {
        OpCatalog operators = OpCatalog.builtIn();
        for (Path folder : folders) {
            operators = operators.with(folder);
        }
        KernelCatalog kernels = KernelCatalog.of(operators, sources);
        if (!folders.isEmpty()) {
            List<String> mistakes = kernels.mistakes();
            if (!mistakes.isEmpty()) {
                throw DescriptionException.of(mistakes);
            }
        }
        loading.complete(new Loaded(operators, kernels, hostOperators(operators)));
        return kernels;
    }

    private HostOperators hostOperators(OpCatalog operators) {
        Supplier<CpuOperators> best =
                () -> CpuOperators.builtIn(CpuPath.current().withExact(exact));
        if (!CpuPath.isForLargeNetworks()) {
            return new HostOperators(operators, best.get());
        }
        CpuPath plain = CpuPath.plain(CpuPath.PROPERTY + " is large").withExact(exact);
        return new HostOperators(operators, CpuOperators.builtIn(plain), best);
    }

    /** Rehearses the first plan in a thread of its own, if that pays while this device is opened. */
    public void rehearse(DeviceFacts device) {
        if (Rehearsal.isDue(device, Runtime.getRuntime().availableProcessors())) {
            Thread rehearsal = new Thread(() -> rehearseLoaded(device), "clinfer-rehearsal");
            rehearsal.setDaemon(true);
            rehearsal.start();
        }
    }

    private void rehearseLoaded(DeviceFacts device) {
        Loaded loaded = loading.handle((read, wrong) -> read).join();
        if (loaded != null) {
            Rehearsal.of(loaded, device);
        }
    }

    /** The sources of kernels; known at once. */
    public KernelSources sources() {
        return sources;
    }

    /**
     * Waits until they are read.
     *
     * @throws DescriptionException if a folder cannot be read, or an operator of it describes a kernel that is not there or
     *     takes other arguments
     */
    public Loaded join() {
        try {
            return loading.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException wrong) {
                throw wrong;
            }
            throw e;
        }
    }
}
