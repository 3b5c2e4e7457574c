package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;

/**
 * Sums, products and convolutions of quantized numbers of 8 bits as Clinfer's quantized operators, which round once where
 * TensorFlow Lite rounds twice: a result may differ by one step. Empty where a tensor has another type, or several scales where
 * these operators have one.
 */
final class TfliteQuantizedOperators {

    private TfliteQuantizedOperators() {}

    private static boolean isOfBytes(TfliteTensor tensor) {
        return tensor.dtype() == DType.INT8 || tensor.dtype() == DType.UINT8;
    }

    private static Optional<TfliteQuantization> whole(TfliteTensor tensor) {
        return isOfBytes(tensor) ? tensor.quantization().filter(TfliteQuantization::isWhole) : Optional.empty();
    }

    private static Value scale(TfliteCall call, TfliteTensor tensor, TfliteQuantization quantization) {
        return call.shared(tensor.name() + "/scale", quantization::scaleTensor);
    }

    private static Value zero(TfliteCall call, TfliteTensor tensor, TfliteQuantization quantization) {
        return call.shared(tensor.name() + "/zero_point", () -> quantization.zeroTensor(tensor.dtype()));
    }

    /** The sum of two tensors. */
    static Optional<Value> sum(TfliteCall call) {
        Optional<TfliteQuantization> left = whole(call.tensor(0));
        Optional<TfliteQuantization> right = whole(call.tensor(1));
        Optional<TfliteQuantization> result = whole(call.output(0));
        boolean same = call.tensor(0).dtype() == call.tensor(1).dtype();
        if (left.isEmpty() || right.isEmpty() || result.isEmpty() || !same) {
            return Optional.empty();
        }
        TfliteOperands operands = TfliteOperands.of(call, List.of(call.stored(0), call.stored(1)));
        List<Value> inputs = new ArrayList<>(operands.values());
        inputs.add(zero(call, call.tensor(0), left.get()));
        inputs.add(zero(call, call.tensor(1), right.get()));
        inputs.add(scale(call, call.tensor(0), left.get()));
        inputs.add(scale(call, call.tensor(1), right.get()));
        inputs.add(scale(call, call.output(0), result.get()));
        inputs.add(zero(call, call.output(0), result.get()));
        return Optional.of(call.add("QuantizedAdd", inputs, new Params()));
    }

    /**
     * A sum of products of the elements of the input 0 and weights.
     *
     * @param op the operator
     * @param x the elements, as the operator wants them
     * @param weights the quantized weights, as the operator wants them
     * @param axis of the weights as they are in the file, to which several scales may belong
     */
    static Optional<Value> products(TfliteCall call, String op, Value x, Value weights, int axis, Params params) {
        TfliteTensor weightTensor = call.tensor(1);
        Optional<TfliteQuantization> input = whole(call.tensor(0));
        Optional<TfliteQuantization> result = whole(call.output(0));
        Optional<TfliteQuantization> steps = weightTensor
                .quantization()
                .filter(found -> isOfBytes(weightTensor) && (found.isWhole() || found.axis() == axis));
        boolean fits = !call.has(2) || call.tensor(2).dtype() == DType.INT32;
        if (input.isEmpty() || result.isEmpty() || steps.isEmpty() || !fits) {
            return Optional.empty();
        }
        List<Value> inputs = new ArrayList<>(List.of(x, weights, call.plain(2)));
        inputs.add(zero(call, call.tensor(0), input.get()));
        inputs.add(steps.get().hasZeros() ? zero(call, weightTensor, steps.get()) : Value.NONE);
        inputs.add(scale(call, call.tensor(0), input.get()));
        inputs.add(scale(call, weightTensor, steps.get()));
        inputs.add(scale(call, call.output(0), result.get()));
        inputs.add(zero(call, call.output(0), result.get()));
        return Optional.of(call.add(op, inputs, params));
    }

    /** The zero point of a tensor as a number; 0 where it is not quantized. */
    static long zeroPoint(TfliteTensor tensor) {
        return tensor.quantization().map(found -> found.zero(0)).orElse(0L);
    }
}
