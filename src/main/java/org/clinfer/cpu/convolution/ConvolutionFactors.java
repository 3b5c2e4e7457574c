package org.clinfer.cpu.convolution;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.memory.TensorValues;

/**
 * The two factors of a convolution as floats, in the order of their tensors: real numbers, or integers less their zero points.
 *
 * @param x the first input of the call
 * @param weights makes all of the second
 * @param kind tells weights made of a tensor from others made of it, by {@code equals}
 */
public record ConvolutionFactors(CpuCall call, ElementReader<float[]> x, Supplier<float[]> weights, Object kind) {

    private static final int WEIGHTS = 1;

    /** A form of weights that is kept. */
    private record Form(Object order, Object kind) {}

    /** The inputs as they are. */
    static ConvolutionFactors ofFloats(CpuCall call) {
        return new ConvolutionFactors(
                call,
                TensorValues.of(call.input(0))::read,
                () -> TensorValues.allFloats(call.input(WEIGHTS), call.parallel()),
                "as they are");
    }

    /** All weights. */
    float[] allWeights() {
        return call.packed(WEIGHTS, kind, weights);
    }

    /**
     * A form of the weights that {@code make} makes, kept where they are a constant.
     *
     * @param order what decides how it is made, comparable by {@code equals}
     */
    float[] packed(Object order, UnaryOperator<float[]> make) {
        return call.packed(WEIGHTS, new Form(order, kind), () -> make.apply(weights.get()));
    }
}
