package org.clinfer;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.clinfer.graph.Graph;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
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
 * Float32 convolutions of one picture, channels first, as they occur in ResNet-50 and VGG: with the kernel variant that is
 * placed by default and with the variant {@code tile}, in turn. A chain of equal convolutions is run, so that what a
 * session does besides counts little; every other one leads back to the channels of x.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@SuppressWarnings("NullAway.Init")
public class ConvolutionBenchmark {

    /** Convolutions one after the other in a run. */
    private static final int CHAIN = 8;

    /** Kernel, stride, channels of x and y, height and width. */
    @Param({
        "3 1 64 64 56",
        "3 1 128 128 28",
        "3 1 256 256 14",
        "3 1 512 512 7",
        "3 1 64 64 224",
        "3 1 256 256 56",
        "3 1 512 512 28",
        "3 1 16 64 13",
        "1 1 64 256 56",
        "1 1 256 64 56",
        "1 1 128 512 28",
        "1 1 256 1024 14",
        "1 1 512 2048 7"
    })
    String shape;

    private Engine engine;
    private Session chosen;
    private Session tile;
    private Map<String, Tensor> inputs;
    private double multiplyAdds;

    /** What the runs of an iteration took. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Times {
        private final long[] chosen = new long[1 << 16];
        private final long[] tile = new long[1 << 16];
        private int runs;
        private double multiplyAdds;

        @Setup(Level.Iteration)
        public void clear() {
            runs = 0;
        }

        /** Microseconds of a convolution that one in ten runs stays below. */
        public double chosenMicros() {
            return p10(chosen);
        }

        public double tileMicros() {
            return p10(tile);
        }

        public double chosenGflops() {
            return 2e-3 * multiplyAdds / p10(chosen);
        }

        public double tileGflops() {
            return 2e-3 * multiplyAdds / p10(tile);
        }

        /** The time by default as a part of the time of {@code tile}. */
        public double ratio() {
            return p10(chosen) / p10(tile);
        }

        private double p10(long[] nanos) {
            long[] sorted = Arrays.copyOf(nanos, Math.max(runs, 1));
            Arrays.sort(sorted);
            return sorted[runs / 10] / 1e3 / CHAIN;
        }
    }

    @Setup
    public void open() {
        int[] sizes =
                Arrays.stream(shape.split(" ", -1)).mapToInt(Integer::parseInt).toArray();
        int kernel = sizes[0];
        int in = sizes[2];
        int out = sizes[3];
        int size = sizes[4];
        engine = Engine.open(EngineOptions.defaults());
        Random random = new Random(1);
        Tensor x = random(random, 1, in, size, size);
        Ops ops = Ops.graph("chain");
        Edge edge = ops.input("x", x.type());
        int pad = kernel / 2;
        for (int i = 0; i < CHAIN; i++) {
            int from = i % 2 == 0 ? in : out;
            int to = i % 2 == 0 ? out : in;
            Tensor weights = random(random, to, from, kernel, kernel);
            edge = ops.conv2d(edge, ops.constant("weights" + i, weights))
                    .strides(sizes[1], sizes[1])
                    .padding(pad, pad, pad, pad)
                    .y();
        }
        ops.output("y", edge);
        Graph graph = ops.build();
        inputs = Map.of("x", x);
        multiplyAdds = (double) in * out * kernel * kernel * size * size;
        Model model = engine.load(graph);
        chosen = model.session();
        tile = model.session();
        List<KernelVariant> variants = engine.context().kernels().variants("FusedConv");
        variants.stream()
                .filter(variant -> !variant.name().equals("tile"))
                .forEach(variant -> tile.avoid(variant.optype(), "compared with"));
    }

    private static Tensor random(Random random, long... dims) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, dims);
        double scale = dims.length == 4 && dims[0] > 1 ? 1 / Math.sqrt((double) (dims[1] * dims[2] * dims[3])) : 1;
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, scale * random.nextGaussian());
        }
        return tensor;
    }

    @TearDown
    public void close() {
        engine.close();
    }

    @Benchmark
    public void inTurn(Times times) {
        long start = System.nanoTime();
        chosen.run(inputs).close();
        long between = System.nanoTime();
        tile.run(inputs).close();
        long end = System.nanoTime();
        times.multiplyAdds = multiplyAdds;
        if (times.runs < times.chosen.length) {
            times.chosen[times.runs] = between - start;
            times.tile[times.runs++] = end - between;
        }
    }
}
