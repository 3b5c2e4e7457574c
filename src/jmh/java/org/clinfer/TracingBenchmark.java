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
 * and with a trace, in turn. Compare by the ratios, of what one in ten runs stays below.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1, time = 5)
@Measurement(iterations = 1, time = 30) // one, because JMH adds up what is counted in several
@Fork(1)
@SuppressWarnings("NullAway.Init")
public class TracingBenchmark {

    private static final int BLOCK = 60;
    private static final int BEFORE = 20;

    /** The ways of looking that are compared: nobody looks, nobody looks at another session, a recording, a trace. */
    private static final int KINDS = 4;

    private static final int RECORDED = 2;

    /** The session of each kind. */
    private static final int[] SESSIONS = {0, 1, 0, 2};

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
        static final int MOST = 1 << 16;

        private final long[][] nanos = new long[KINDS][MOST];
        private int runs;

        @Setup(Level.Iteration)
        public void clear() {
            runs = 0;
        }

        /** Microseconds of a run that one in ten runs stays below. */
        public double micros() {
            return tenth(0) / 1e3;
        }

        /** The time of a second session that nobody looks at by that of the first: the noise. */
        public double sameRatio() {
            return tenth(1) / tenth(0);
        }

        public double recordedRatio() {
            return tenth(2) / tenth(0);
        }

        public double tracedRatio() {
            return tenth(3) / tenth(0);
        }

        private double tenth(int which) {
            long[] sorted = Arrays.copyOf(nanos[which], Math.max(runs, 1));
            Arrays.sort(sorted);
            return sorted[sorted.length / 10];
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

    /** Blocks, so that a recording is started and stopped once for each; every other time in the opposite order. */
    @Benchmark
    public void inTurn(Times times) {
        if (times.runs + BLOCK > Times.MOST) {
            return;
        }
        boolean isForward = times.runs / BLOCK % 2 == 0;
        for (int i = 0; i < KINDS; i++) {
            int which = isForward ? i : KINDS - 1 - i;
            if (which == RECORDED) {
                recorded(times);
            } else {
                measure(times, which, SESSIONS[which]);
            }
        }
        times.runs += BLOCK;
    }

    private void recorded(Times times) {
        try (Recording recording = new Recording()) {
            if (recorded.equals("steps")) {
                recording.enable("org.clinfer.Step");
                recording.enable("org.clinfer.Transfer");
            }
            recording.enable("org.clinfer.Run");
            recording.start();
            measure(times, RECORDED, SESSIONS[RECORDED]);
        }
    }

    private void measure(Times times, int which, int session) {
        for (int i = 0; i < BEFORE; i++) {
            run(session); // finds the caches, and the compiled code, as the other left them
        }
        for (int i = 0; i < BLOCK; i++) {
            times.nanos[which][times.runs + i] = run(session);
        }
    }
}
