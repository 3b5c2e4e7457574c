package org.clinfer;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.clinfer.ops.BinaryConvolutionOp.Mode;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A 3x3 convolution of 256 to 256 channels with padding 1, of bits and of float32, each in a session of its own: from
 * float32 tensors of the caller to float32 results on the host.
 */
@State(Scope.Benchmark)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@SuppressWarnings("NullAway.Init")
public class BinaryConvolutionBenchmark {

    private static final int CHANNELS = 256;

    /** Height and width. */
    @Param({"28", "56"})
    int size;

    private Engine engine;
    private Session binary;
    private Session real;
    private Map<String, Tensor> inputs;

    @Setup
    public void open() {
        engine = Engine.open(EngineOptions.defaults());
        Random random = new Random(1);
        Tensor x = Tensor.allocate(DType.FLOAT32, 1, CHANNELS, size, size);
        Tensor bits = Tensor.allocate(DType.U1, CHANNELS, CHANNELS, 3, 3);
        Tensor reals = Tensor.allocate(DType.FLOAT32, CHANNELS, CHANNELS, 3, 3);
        for (int i = 0; i < x.elements(); i++) {
            x.setLong(i, random.nextInt(2));
        }
        for (int i = 0; i < bits.elements(); i++) {
            int bit = random.nextInt(2);
            bits.setLong(i, bit);
            reals.setLong(i, 2 * bit - 1);
        }
        inputs = Map.of("x", x);
        TensorType type = x.type();

        Ops ofBits = Ops.graph("binary");
        Edge bitInput = ofBits.input("x", type);
        ofBits.output(
                "y",
                ofBits.binaryConvolution(
                                bitInput,
                                ofBits.constant("weights", bits),
                                one(),
                                one(),
                                one(),
                                one(),
                                Mode.XNOR_POPCOUNT,
                                0)
                        .y());
        binary = engine.load(ofBits.build()).session();

        Ops ofReals = Ops.graph("real");
        Edge realInput = ofReals.input("x", type);
        ofReals.output(
                "y",
                ofReals.conv2d(realInput, ofReals.constant("weights", reals))
                        .padding(1, 1, 1, 1)
                        .y());
        real = engine.load(ofReals.build()).session();
    }

    private static long[] one() {
        return new long[] {1, 1};
    }

    @TearDown
    public void close() {
        engine.close();
    }

    @Benchmark
    public void binaryConvolution() {
        binary.run(inputs).close();
    }

    @Benchmark
    public void conv2d() {
        real.run(inputs).close();
    }
}
