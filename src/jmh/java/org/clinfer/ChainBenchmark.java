package org.clinfer;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.clinfer.graph.Graph;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
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

/** Products of square matrices, each of what the one before gives, in one launch and in a launch each, in turn. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1, time = 1)
@Measurement(iterations = 1, time = 4)
@Fork(1)
@SuppressWarnings("NullAway.Init")
public class ChainBenchmark {

    @Param({"2", "8", "32"})
    int nodes;

    /** Rows and columns. */
    @Param({"32", "96", "192", "384"})
    int size;

    private Engine engine;
    private Engine withoutChains;
    private Session chained;
    private Session oneByOne;
    private Map<String, Tensor> inputs;

    /** What the runs of an iteration took. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Times {
        private final long[] chained = new long[1 << 16];
        private final long[] oneByOne = new long[1 << 16];
        private int runs;
        private int nodes;

        @Setup(Level.Iteration)
        public void clear() {
            runs = 0;
        }

        /** Microseconds of a run that one in ten runs stays below. */
        public double chainedMicros() {
            return p10(chained);
        }

        public double oneByOneMicros() {
            return p10(oneByOne);
        }

        /** What each launch that is not made saves. */
        public double microsPerLaunch() {
            return (p10(oneByOne) - p10(chained)) / (nodes - 1);
        }

        /** The time in one launch as a part of the time in a launch each. */
        public double ratio() {
            return p10(chained) / p10(oneByOne);
        }

        /** The same of what half of the runs stay below. */
        public double medianRatio() {
            return atTenth(5, chained) / atTenth(5, oneByOne);
        }

        private double p10(long[] nanos) {
            return atTenth(1, nanos);
        }

        private double atTenth(int tenth, long[] nanos) {
            long[] sorted = Arrays.copyOf(nanos, Math.max(runs, 1));
            Arrays.sort(sorted);
            return sorted[runs * tenth / 10] / 1e3;
        }
    }

    @Setup
    public void open() {
        Ops ops = Ops.graph("chain");
        Edge value = ops.input("x", TensorType.of(DType.FLOAT32, size, size));
        for (int i = 0; i < nodes; i++) {
            value = ops.matMul(value, ops.constant("weights" + i, random(2.0 / size, size, size)));
        }
        Graph graph = ops.output("y", value).build();
        inputs = Map.of("x", random(1, size, size));
        engine = Engine.open(EngineOptions.defaults());
        withoutChains = Engine.open(EngineOptions.defaults().withChain(false));
        chained = engine.load(graph).session();
        oneByOne = withoutChains.load(graph).session();
    }

    private static Tensor random(double scale, long... dims) {
        Random random = new Random(1);
        Tensor tensor = Tensor.allocate(DType.FLOAT32, dims);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, scale * random.nextDouble());
        }
        return tensor;
    }

    @TearDown
    public void close() {
        engine.close();
        withoutChains.close();
    }

    @Benchmark
    public void inTurn(Times times) {
        long start = System.nanoTime();
        chained.run(inputs).close();
        long between = System.nanoTime();
        oneByOne.run(inputs).close();
        long end = System.nanoTime();
        times.nodes = nodes;
        if (times.runs < times.chained.length) {
            times.chained[times.runs] = between - start;
            times.oneByOne[times.runs++] = end - between;
        }
    }
}
