package org.clinfer.networks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Precision;
import org.clinfer.Result;
import org.clinfer.RunProfile;
import org.clinfer.Session;
import org.clinfer.tensor.Tensor;

/**
 * Measures networks on the first OpenCL device in one process: {@code src/dev/gpu-run.sh bench} calls it. Each argument
 * behind the folder for details is {@code FILE=PRECISION,…[+cpu]}; with {@code +cpu} outputs are compared with those of
 * the CPU in float32. Prints a row for each network and precision; the folder gets the time of every step.
 */
final class MeasureGpu {

    private static final int PROFILES = 7;
    private static final double SECONDS = 0.7;
    private static final int FEWEST_RUNS = 10;
    private static final int WARMUP = 5;

    private MeasureGpu() {}

    public static void main(String[] args) throws IOException {
        System.out.println(
                "| network | precision | first result s | ms, p10 | ms, median | kernels ms | launches | error |\n|---|---|--:|--:|--:|--:|--:|--:|");
        for (String argument : List.of(args).subList(1, args.length)) {
            String[] parts = argument.split("=", 2);
            Path file = Path.of(parts[0]);
            boolean compared = parts[1].endsWith("+cpu");
            Map<String, Tensor> expected = compared
                    ? MeasurePrecision.outputs(file, EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))
                    : Map.of();
            for (String precision : parts[1].replace("+cpu", "").split(",", -1)) {
                try {
                    measure(file, Precision.valueOf(precision.toUpperCase(Locale.ROOT)), expected, Path.of(args[0]));
                } catch (RuntimeException failed) {
                    System.out.println("| " + name(file) + " | " + precision + " | " + failed + " |");
                    failed.printStackTrace();
                }
            }
        }
    }

    private static void measure(Path file, Precision precision, Map<String, Tensor> expected, Path details)
            throws IOException {
        EngineOptions options = EngineOptions.defaults()
                .withDevice(new DeviceChoice.FirstOpenCl())
                .withPrecision(precision);
        long begin = System.nanoTime();
        try (Engine engine = Engine.open(options);
                Model model = engine.load(file);
                Session session = model.session()) {
            Map<String, Tensor> inputs = BenchmarkNetworkTest.inputs(model);
            double error = Double.NaN;
            double first;
            try (Result result = session.run(inputs)) {
                first = seconds(begin);
                if (!expected.isEmpty()) {
                    error = MeasurePrecision.error(expected, result.outputs());
                }
            }
            List<Double> times = new ArrayList<>();
            long started = System.nanoTime();
            for (int run = -WARMUP; run < FEWEST_RUNS || seconds(started) < SECONDS; run++) {
                long at = System.nanoTime();
                session.run(inputs).close();
                if (run >= 0) {
                    times.add(1e3 * seconds(at));
                }
            }
            times.sort(null);
            List<RunProfile> profiles = new ArrayList<>();
            for (int run = 0; run < PROFILES; run++) {
                profiles.add(session.profile(inputs));
            }
            profiles.sort(java.util.Comparator.comparingLong(RunProfile::kernelNanos));
            RunProfile profile = profiles.get(PROFILES / 2);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %.2f | %.3f | %.3f | %.3f | %d | %.1e |%n",
                    name(file),
                    precision,
                    first,
                    times.get(times.size() / 10),
                    times.get(times.size() / 2),
                    1e-6 * profile.kernelNanos(),
                    session.placement().launches(),
                    error);
            String name = name(file) + "-" + precision + ".steps";
            try (PrintStream out =
                    new PrintStream(Files.newOutputStream(details.resolve(name)), false, StandardCharsets.UTF_8)) {
                for (RunProfile.Entry entry : profile.entries()) {
                    out.printf(
                            Locale.ROOT,
                            "%10.1f %s %s %s %s%n",
                            1e-3 * entry.nanos(),
                            entry.target(),
                            entry.op(),
                            entry.variant(),
                            entry.node());
                }
            }
        }
    }

    /** The file's name behind that of its folder, which says the batch. */
    private static String name(Path file) {
        return file.toAbsolutePath().getParent().getFileName() + "-" + file.getFileName();
    }

    private static double seconds(long since) {
        return 1e-9 * (System.nanoTime() - since);
    }
}
