package org.clinfer.cli;

import java.util.List;
import java.util.Optional;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.OnUnsupported;
import org.clinfer.options.ClBinding;
import org.clinfer.profile.DeviceProfile;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that opens an engine. */
final class EngineSelection {

    private enum Switch {
        ON,
        OFF
    }

    @Option(
            names = "--device",
            paramLabel = "auto|cpu|opencl|all|INDEX[,INDEX...]",
            description =
                    "Where to compute: the first OpenCL device, if there is one, but for groups of nodes that the CPU"
                            + " computes sooner (auto, the default); the CPU alone; the first OpenCL device or an"
                            + " error; a device number of 'clinfer devices'; several of them, or all of the first one's"
                            + " type, to which runs are spread. But for auto, for all that the device takes.")
    private DeviceChoice device = new DeviceChoice.Auto();

    @Option(
            names = "--binding",
            paramLabel = "lwjgl|jocl",
            description =
                    "Java library through which OpenCL is called (default: the first of them that can be loaded).")
    private Optional<ClBinding> binding = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads for operators on the CPU (default: one per processor).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--exact",
            description = "Add the terms of every sum as they are: no Winograd convolutions, which are faster.")
    private boolean exact;

    @Option(
            names = "--no-fusion",
            description = "Run every node by itself, also where a convolution could do its work.")
    private boolean noFusion;

    @Option(
            names = "--chain",
            paramLabel = "on|off",
            description = "Whether a processor runs several operators in one launch (default: on).")
    private Switch chain = Switch.ON;

    @Option(
            names = "--trust",
            description = "Believe the device: do not hold kernels against the CPU before their first use.")
    private boolean trust;

    @Option(
            names = "--on-unsupported",
            paramLabel = "cpu|fail",
            description =
                    "What becomes of nodes that the device does not take: the CPU computes them (default), or the model is"
                            + " refused with all of them.")
    private OnUnsupported onUnsupported = OnUnsupported.CPU;

    @Option(
            names = "--memory-limit",
            paramLabel = "BYTES[K|M|G]",
            converter = ByteCount.class,
            description =
                    "What weights, values and transfers may take together, on the host and on devices; 1K is 1024 (default:"
                            + " what there is).")
    private Optional<Long> memoryLimit = Optional.empty();

    @Mixin
    private OperatorFolders operators = new OperatorFolders();

    @Mixin
    private ProfileSelection profiles = new ProfileSelection();

    OperatorFolders operators() {
        return operators;
    }

    ProfileSelection profiles() {
        return profiles;
    }

    /** True if {@code --device} asks for the CPU alone. */
    boolean isCpuAlone() {
        return device instanceof DeviceChoice.Cpu;
    }

    /** True if {@code --on-unsupported} asks for models to be refused. */
    boolean refusesUnsupported() {
        return onUnsupported == OnUnsupported.FAIL;
    }

    /** Threads for operators on the CPU. */
    int threads() {
        try {
            return EngineOptions.defaults().withThreads(threads).threads();
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--" + wrong.getMessage());
        }
    }

    /** Without a profile. */
    EngineOptions deviceOptions() {
        EngineOptions options = new EngineOptions(device, binding, threads())
                .withOperators(operators.folders())
                .withOnUnsupported(onUnsupported)
                .withExact(exact)
                .withFusion(!noFusion)
                .withChain(chain == Switch.ON);
        EngineOptions limited = memoryLimit.map(options::withMemoryLimit).orElse(options);
        return trust ? limited.withTrust(true) : limited;
    }

    EngineOptions options() {
        EngineOptions options = deviceOptions();
        List<DeviceProfile> given = profiles.profiles();
        if (given.size() > 1) {
            throw new UsageException("one device can have one profile only; 'clinfer check' takes several");
        }
        return given.isEmpty() ? options : options.withProfile(given.get(0), profiles.reading());
    }

    /**
     * Opens the engine.
     *
     * @throws org.clinfer.errors.DeviceUnavailableException if the device that was asked for is not there
     */
    Engine open() {
        return Engine.open(options());
    }
}
