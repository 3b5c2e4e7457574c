package org.clinfer.cpu.vector;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The code path by which operators on the CPU compute floats: with the JDK's Vector API where this Java virtual machine
 * has it, else in plain Java.
 */
public final class CpuPath {

    /**
     * Set to {@code off} to compute in plain Java in any case, or to {@code large} to compute networks in plain Java
     * unless they are large.
     */
    public static final String PROPERTY = "clinfer.vector";

    private static final String MODULE = "jdk.incubator.vector";

    /*
     * The Vector API is a module of its own, which a program has to ask for. The class that uses it is not named in the
     * rest of the code, so that it is loaded only where the module is there. Where HotSpot does not compile with its
     * optimising compiler, vectors are objects on the heap, and slower than any plain loop.
     */
    private static final String IMPLEMENTATION = "org.clinfer.cpu.vector.PanamaKernels";

    private static final int MIN_LANES = 4;

    private static final Logger LOG = LoggerFactory.getLogger(CpuPath.class);

    private final String word;
    private final String reason;
    private final @Nullable VectorKernels kernels;
    private final boolean isExact;

    private CpuPath(String word, String reason, @Nullable VectorKernels kernels, boolean isExact) {
        this.word = word;
        this.reason = reason;
        this.kernels = kernels;
        this.isExact = isExact;
    }

    /** The best path there is, found and reported once. */
    private static final class Best {
        static final CpuPath PATH = find(
                module -> ModuleLayer.boot().findModule(module).isPresent(), System.getProperty("java.vm.info", ""));

        static {
            if (!PATH.reason.isEmpty()) {
                LOG.info("{}", PATH.reason);
            }
        }
    }

    /** The best one, unless {@value #PROPERTY} is {@code off}. */
    public static CpuPath current() {
        return System.getProperty(PROPERTY, "").equals("off") ? plain(PROPERTY + " is off") : Best.PATH;
    }

    /**
     * {@return whether vectors are for large networks alone, because a network runs once: until HotSpot has compiled code
     * in vectors, which takes a second, each vector is an object on the heap, and slower than any plain loop}
     */
    public static boolean isForLargeNetworks() {
        return System.getProperty(PROPERTY, "").equals("large");
    }

    /** With or without convolutions whose terms are transformed before they are added; plain Java has none. */
    public CpuPath withExact(boolean required) {
        return new CpuPath(word, reason, kernels, required);
    }

    /** {@return whether the terms of a definition are added as they are} */
    public boolean isExact() {
        return isExact;
    }

    /** {@code vector} or {@code plain}. */
    public String word() {
        return word;
    }

    /** {@return whether floats are computed in vectors} */
    public boolean hasVectors() {
        return kernels != null;
    }

    /** The reason why it is plain, and the remedy; empty for vectors. */
    public String reason() {
        return reason;
    }

    /** The loops in vectors, or null. */
    @Nullable
    public VectorKernels kernels() {
        return kernels;
    }

    public static CpuPath plain(String reason) {
        return new CpuPath("plain", reason, null, false);
    }

    /**
     * The best path.
     *
     * @param hasModule whether a module is there
     * @param compilers how the virtual machine compiles, as it says itself
     */
    static CpuPath find(Predicate<String> hasModule, String compilers) {
        if (!hasModule.test(MODULE)) {
            return plain("floats on the CPU are computed in plain Java; with --add-modules " + MODULE
                    + " among the options of java they are several times as fast");
        }
        if (compilers.contains("interpreted mode") || compilers.contains("emulated-client")) {
            return plain("floats on the CPU are computed in plain Java, because this virtual machine does not compile"
                    + " vectors (" + compilers + ")");
        }
        try {
            VectorKernels kernels = Class.forName(IMPLEMENTATION)
                    .asSubclass(VectorKernels.class)
                    .getDeclaredConstructor()
                    .newInstance();
            return kernels.lanes() < MIN_LANES
                    ? plain("floats on the CPU are computed in plain Java, because this processor has vectors of "
                            + kernels.lanes() + " only")
                    : new CpuPath("vector", "", kernels, false);
        } catch (ReflectiveOperationException | LinkageError unusable) {
            return plain("floats on the CPU are computed in plain Java, because the Vector API of Java "
                    + System.getProperty("java.version") + " is not as expected: " + unusable);
        }
    }
}
