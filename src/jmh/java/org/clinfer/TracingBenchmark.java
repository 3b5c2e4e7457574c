package org.clinfer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of being looked at: runs of the demo's network that nobody looks at, with a recording of the Flight Recorder,
 * and with a trace, in turn.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 5)
@Fork(1)
@SuppressWarnings("NullAway.Init")
public class TracingBenchmark {

    /** The device. */
    @Param({"opencl", "cpu"})
    String device;

    /** The events that are recorded: {@code runs} by default; {@code steps} with the events that are off by default. */
    @Param({"runs", "steps"})
    String recorded;

    private Engine plain;
    private Engine other;
    private Engine traced;
    private Session[] sessions;
    private Map<String, Tensor> inputs;
    private Path file;

    /** The times of the runs of an iteration. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Times {
        private final long[][] nanos = new long[4][1 << 16];
        private int runs;

        @Setup(Level.Iteration)
        public void clear() {
            runs = 0;
        }

        /** Microseconds of a run that half of the runs stay below. */
        public double micros() {
            return median(0) / 1e3;
        }

        /** The time of a second session that nobody looks at by that of the first: the noise. */
        public double sameRatio() {
            return median(1) / median(0);
        }

        public double recordedRatio() {
            return median(2) / median(0);
        }

        public double tracedRatio() {
            return median(3) / median(0);
        }

        private double median(int which) {
            long[] sorted = Arrays.copyOf(nanos[which], Math.max(runs, 1));
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }
    }

    @Setup
    public void open() throws Exception {
        file = Files.createTempFile("trace", ".json");
        EngineOptions options = EngineOptions.defaults()
                .withDevice(device.equals("cpu") ? new DeviceChoice.Cpu() : new DeviceChoice.FirstOpenCl());
        plain = Engine.open(options);
        other = Engine.open(options);
        traced = Engine.open(options.withTrace(file));
        Path network = Path.of("src/main/resources/org/clinfer/demo/shapes.onnx");
        sessions = new Session[] {session(plain, network), session(other, network), session(traced, network)};
        inputs = Map.of("image", Tensor.allocate(DType.FLOAT32, 1, 3, 192, 192));
    }

    private static Session session(Engine engine, Path network) {
        return engine.load(network).session();
    }

    @TearDown
    public void close() throws Exception {
        plain.close();
        other.close();
        traced.close();
        Files.delete(file);
    }

    private long run(int session) {
        long start = System.nanoTime();
        sessions[session].run(inputs).close();
        return System.nanoTime() - start;
    }

    /** Blocks of ten, so that a recording is started and stopped once for each. */
    @Benchmark
    public void inTurn(Times times) {
        int block = 10;
        if (times.runs + block > 1 << 16) {
            return;
        }
        measure(times, 0, 0, block);
        try (Recording recording = new Recording()) {
            if (recorded.equals("steps")) {
                recording.enable("org.clinfer.Step");
                recording.enable("org.clinfer.Transfer");
            }
            recording.enable("org.clinfer.Run");
            recording.start();
            measure(times, 2, 0, block);
        }
        measure(times, 1, 1, block);
        measure(times, 3, 2, block);
        times.runs += block;
    }

    private void measure(Times times, int which, int session, int block) {
        run(session); // finds the caches as the other left them
        for (int i = 0; i < block; i++) {
            times.nanos[which][times.runs + i] = run(session);
        }
    }
}
