package org.clinfer.cli;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Precision;
import org.clinfer.errors.InputException;
import org.clinfer.trace.TraceFile;
import org.clinfer.trace.TraceSink;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of commands that open an engine to run networks: those of any engine, and the precision. */
final class PrecisionSelection {

    @Mixin
    private EngineSelection engines = new EngineSelection();

    @Option(
            names = "--precision",
            paramLabel = "float32|tf32|float16",
            description = "Compute what a network has in float32 in float32 (default); with factors that matrix units"
                    + " round to TF32; or in float16 with sums in float32. Both are faster on some devices, and less"
                    + " accurate.")
    private Precision precision = Precision.FLOAT32;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write what the host's threads, the device and transfers did when, for Perfetto"
                    + " (ui.perfetto.dev) and chrome://tracing.")
    private Optional<Path> trace = Optional.empty();

    /** The same for all engines of a command; made when the first is opened. */
    private Optional<TraceFile> traceFile = Optional.empty();

    /** {@return whether a trace is written} */
    boolean isTraced() {
        return trace.isPresent();
    }

    /** @throws InputException if a trace was asked for, and is not whole now that the engines of a command are closed */
    static void requireWholeTrace(CommandSpec command) {
        for (CommandSpec mixin : command.mixins().values()) {
            if (mixin.userObject() instanceof PrecisionSelection engines) {
                engines.traceFile.flatMap(TraceFile::failure).ifPresent(failure -> {
                    throw failure;
                });
            }
        }
    }

    OperatorFolders operators() {
        return engines.operators();
    }

    /** Measures, for the shares in the trace that is asked for, what the CPU can do at most. */
    void tellHostPeak() {
        traceFile.ifPresent(file -> {
            try {
                file.accept(HostPeak.measured(threads()));
            } catch (UncheckedIOException cut) {
                // requireWholeTrace tells of it, when there is a result
            }
        });
    }

    /** Threads for operators on the CPU. */
    int threads() {
        return engines.threads();
    }

    /** True if {@code --device} asks for the CPU alone. */
    boolean isCpuAlone() {
        return engines.isCpuAlone();
    }

    Precision precision() {
        return precision;
    }

    EngineOptions options() {
        EngineOptions options = engines.options();
        if (options.exact() && precision != Precision.FLOAT32) {
            throw new UsageException("--exact needs --precision float32, but it is " + precision.word());
        }
        if (traceFile.isEmpty()) {
            traceFile = trace.map(TraceFile::new);
        }
        return traceFile.map(options::withTrace).orElse(options).withPrecision(precision);
    }

    /**
     * Opens the engine.
     *
     * @throws org.clinfer.errors.DeviceUnavailableException if the device that was asked for is not there
     */
    Engine open() {
        return Engine.open(options());
    }

    /**
     * The same with a sink beside the trace that is asked for.
     *
     * @throws org.clinfer.errors.DeviceUnavailableException if the device that was asked for is not there
     */
    Engine open(Optional<? extends TraceSink> sink) {
        EngineOptions options = options();
        return Engine.open(sink.map(each -> options.withTrace(each)).orElse(options));
    }

    /** Opens an engine on the first of the devices alone. */
    Engine openFirst() {
        EngineOptions options = options();
        DeviceChoice first = options.device();
        if (first instanceof DeviceChoice.Several several) {
            first = new DeviceChoice.Index(several.numbers().get(0));
        } else if (first instanceof DeviceChoice.All) {
            first = new DeviceChoice.FirstOpenCl();
        }
        return Engine.open(options.withDevice(first));
    }
}
