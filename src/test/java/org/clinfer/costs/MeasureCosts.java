package org.clinfer.costs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Placement;
import org.clinfer.RunProfile;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.device.DeviceFacts;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * Measures on this machine what {@code machine.json} says of it, and prints the figures of the file beside: {@code mvn -q
 * process-test-classes -Pcosts}. Of a loop with terms and bytes, the larger part of its time is measured, and the smaller
 * one taken to be as in the file. Changes nothing.
 */
final class MeasureCosts {

    private static final int MANY = 33;
    private static final long NARROW = 1 << 10;
    private static final long WIDE = 1 << 16;
    private static final MachineCosts COSTS = MachineCosts.builtIn();
    private static final EngineOptions OPTIONS =
            EngineOptions.defaults().withFusion(false).withExact(true).withTrust(true);

    private MeasureCosts() {}

    /** Takes nothing. */
    public static void main(String[] args) {
        Optional<Engine> device = device(OPTIONS);
        try (Engine host = Engine.open(OPTIONS.withDevice(new DeviceChoice.Cpu()))) {
            System.out.println("CPU path: " + host.cpuPath());
            System.out.println("device: " + device.map(Engine::deviceNote).orElse("none"));
            loops(host, device);
        }
        device.ifPresent(engine -> {
            try (engine) {
                deviceCosts(engine);
                layout(engine);
            }
        });
    }

    private static Optional<Engine> device(EngineOptions options) {
        try {
            return Optional.of(Engine.open(options.withDevice(new DeviceChoice.FirstOpenCl())));
        } catch (DeviceUnavailableException none) {
            return Optional.empty();
        }
    }

    private static void row(String name, Number file, double measured) {
        System.out.printf(Locale.ROOT, "%-42s %12s %12s%n", name, shown(file.doubleValue()), shown(measured));
    }

    private static String shown(double value) {
        return value != 0 && Math.abs(value) < 10
                ? String.format(Locale.ROOT, "%.4f", value)
                : String.format(Locale.ROOT, "%.0f", value);
    }

    private static void head(String group) {
        System.out.printf(Locale.ROOT, "%n%-42s %12s %12s%n", group, "file", "measured");
    }

    private static void loops(Engine host, Optional<Engine> device) {
        head("host");
        List<Double> factors = new ArrayList<>();
        try (Engine plain = plain()) {
            for (LoopCase loop : LoopCase.all()) {
                double inVectors = loop(loop, host, device);
                factors.add(Measured.nodes(plain, loop.large(), entry -> true) / inVectors);
            }
        }
        factors.sort(null);
        row("plain_factor (median of all loops)", COSTS.host().plainFactor(), factors.get(factors.size() / 2));
    }

    /** An engine that computes without vectors. */
    private static Engine plain() {
        System.setProperty(CpuPath.PROPERTY, "off");
        try {
            return Engine.open(OPTIONS.withDevice(new DeviceChoice.Cpu()));
        } finally {
            System.clearProperty(CpuPath.PROPERTY);
        }
    }

    /** Prints the figures of a loop; what its large case takes without what every node takes. */
    private static double loop(LoopCase loop, Engine host, Optional<Engine> device) {
        MachineCosts.Loop file = Objects.requireNonNull(COSTS.host().loops().get(loop.loop()));
        String name = loop.loop().label() + "_loop.";
        double whole = Measured.nodes(host, loop.large(), entry -> true);
        double small = Measured.nodes(host, loop.small(), entry -> true);
        double large = whole - small;
        row(name + "node_nanos", file.nodeNanos(), small);
        double terms = file.termNanos() * loop.terms();
        double bytes = file.byteNanos() * loop.bytes();
        if (terms > bytes) {
            row(name + "term_nanos", file.termNanos(), (large - bytes) / loop.terms());
        } else {
            row(name + "byte_nanos", file.byteNanos(), (large - terms) / loop.bytes());
        }
        device.ifPresent(engine -> row(
                name + "kernel_share",
                file.kernelShare(),
                Measured.nodes(engine, loop.large(), MeasureCosts::isKernel) / large));
        return large;
    }

    private static boolean isKernel(RunProfile.Entry entry) {
        boolean isCopy = entry.op().equals("upload") || entry.op().equals("download");
        return entry.target() == Placement.Target.DEVICE && !isCopy;
    }

    private static Graph chain(int nodes) {
        Ops ops = Ops.graph("chain");
        Edge edge = ops.input("x", TensorType.of(DType.FLOAT32, NARROW));
        for (int i = 0; i < nodes; i++) {
            edge = ops.neg(edge);
        }
        return ops.output("y", edge).build();
    }

    /** Negatives of values that go there and back. */
    private static Graph crossings(int values, long elements) {
        Ops ops = Ops.graph("crossings");
        for (int i = 0; i < values; i++) {
            ops.output("y" + i, ops.neg(ops.input("x" + i, TensorType.of(DType.FLOAT32, elements))));
        }
        return ops.build();
    }

    private static void deviceCosts(Engine engine) {
        boolean isCpu = engine.device().orElseThrow().kind() == DeviceFacts.Kind.CPU;
        boolean sharesHost = engine.device().orElseThrow().limit("host_unified_memory", 0) != 0;
        MachineCosts.Device file = isCpu ? COSTS.cpuDevice() : COSTS.gpuDevice();
        head(isCpu ? "cpu_device" : "gpu_device");
        double one = Measured.runs(engine, crossings(1, NARROW));
        double chained = launchNanos(engine);
        double launch;
        try (Engine single = device(OPTIONS.withChain(false)).orElseThrow()) {
            launch = launchNanos(single);
        }
        double crossing = (Measured.runs(engine, crossings(MANY, NARROW)) - one) / (MANY - 1);
        row("start_nanos", file.startNanos(), one - crossing);
        row("launch_nanos", file.launchNanos(), launch);
        row("chained_nanos", file.chainedNanos(), chained);
        row("crossing_nanos", file.crossingNanos(), crossing / 2);
        double wide = Measured.runs(engine, crossings(MANY, WIDE)) - Measured.runs(engine, crossings(MANY, NARROW));
        double computed = Measured.nodes(engine, crossings(MANY, WIDE), MeasureCosts::isKernel);
        row(
                sharesHost ? "shared_byte_nanos" : "crossing_byte_nanos",
                sharesHost ? file.sharedByteNanos() : file.crossingByteNanos(),
                Math.max(0, wide - computed) / (2.0 * MANY * (WIDE - NARROW) * Float.BYTES));
        if (isCpu) {
            head("layout");
            row("launch_nanos", COSTS.layout().launchNanos(), launch - chained);
        }
    }

    /** What one more kernel takes that computes next to nothing. */
    private static double launchNanos(Engine engine) {
        return (Measured.runs(engine, chain(MANY)) - Measured.runs(engine, chain(1))) / (MANY - 1);
    }

    /** Convolutions alone, and the same as parts of a network that computes in blocked channels. */
    private static void layout(Engine plain) {
        if (plain.device().orElseThrow().kind() != DeviceFacts.Kind.CPU) {
            return;
        }
        MachineCosts.Layout file = COSTS.layout();
        try (Engine blocked = device(OPTIONS.withFusion(true)).orElseThrow()) {
            Convolutions dense = new Convolutions(64, 56, 3, 1, 1);
            row("plain_term_nanos", file.plainTermNanos(), dense.termNanos(plain));
            row("blocked_term_nanos", file.blockedTermNanos(), dense.termNanos(blocked));
            row("reordered_byte_nanos", file.reorderedByteNanos(), dense.reorderedByteNanos(blocked));
            Convolutions strided = new Convolutions(64, 112, 3, 2, 1);
            row("plain_strided_term_nanos", file.plainStridedTermNanos(), strided.termNanos(plain));
            Convolutions grouped = new Convolutions(128, 28, 3, 1, 4);
            row("plain_grouped_term_nanos", file.plainGroupedTermNanos(), grouped.termNanos(plain));
            Convolutions single = new Convolutions(64, 56, 3, 1, 64);
            row("depthwise_term_nanos", file.depthwiseTermNanos(), single.termNanos(plain) - single.termNanos(blocked));
            Convolutions wide = new Convolutions(64, 56, 7, 1, 64);
            row(
                    "any_depthwise_term_nanos",
                    file.anyDepthwiseTermNanos(),
                    wide.termNanos(plain) - wide.termNanos(blocked));
        }
    }

    /** Equal convolutions one after the other, so that layouts pay. */
    private record Convolutions(long channels, long size, long kernel, long stride, long groups) {

        private static final int COUNT = 4;

        private Graph graph() {
            Ops ops = Ops.graph("convolutions");
            Edge edge = ops.input("x", TensorType.of(DType.FLOAT32, 1, channels, size, size));
            long pad = kernel / 2;
            for (int i = 0; i < COUNT; i++) {
                Edge weights = ops.constant("w" + i, Measured.random(channels, channels / groups, kernel, kernel));
                edge = ops.conv2d(edge, weights)
                        .strides(stride, stride)
                        .padding(pad, pad, pad, pad)
                        .group(groups)
                        .y();
            }
            return ops.output("y", edge).build();
        }

        double termNanos(Engine engine) {
            double rows = (double) size;
            double pixels = 0;
            for (int i = 0; i < COUNT; i++) {
                rows = Math.ceil(rows / (double) stride);
                pixels += rows * rows;
            }
            double terms = pixels * (double) (channels * channels / groups * kernel * kernel);
            return Measured.nodes(engine, graph(), entry -> entry.op().equals("Conv2d")) / terms;
        }

        double reorderedByteNanos(Engine engine) {
            return Measured.nodes(engine, graph(), entry -> entry.op().equals("UnblockChannels"))
                    / (Float.BYTES * (double) channels * size * size);
        }
    }
}
