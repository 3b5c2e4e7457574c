package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;

/**
 * Convolutions. Weights are {@code [out, height, width, in / groups]}; those of a depthwise convolution
 * {@code [1, height, width, out]}, where each channel is a group; those of volumes {@code [space..., in / groups, out]}.
 */
final class TfliteConvolutionLayers {

    private static final int BIAS = 2;

    private TfliteConvolutionLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("CONV_2D", TfliteConvolutionLayers::plain);
        all.one("DEPTHWISE_CONV_2D", TfliteConvolutionLayers::depthwise);
        all.one("CONV_3D", TfliteConvolutionLayers::ofVolumes);
    }

    /** Weights as they are in the file. */
    private static final class Weights {

        private final TfliteValue held;
        private final long[] order;
        private final int outputs;
        private final long groups;

        /**
         * @param order their axes as {@code [out, in / groups, space...]}
         * @param outputs the axis of the output channels
         */
        Weights(TfliteValue held, long[] order, int outputs, long groups) {
            this.held = held;
            this.order = order;
            this.outputs = outputs;
            this.groups = groups;
        }

        int outputs() {
            return outputs;
        }

        long groups() {
            return groups;
        }

        /** The quantized weights, or those of real numbers, in our order. */
        Value turned(TfliteCall call) {
            return call.turned(held.held(), "weights", order);
        }

        Value real(TfliteCall call) {
            Optional<TfliteQuantization> quantization = call.tensor(1).quantization();
            if (quantization.isEmpty()) {
                return turned(call);
            }
            TfliteQuantization steps = quantization.get();
            if (!steps.isWhole() && steps.axis() != outputs) {
                throw call.unsupportedUse("weights with a scale for each index of axis " + steps.axis());
            }
            return call.dequantized(turned(call), steps, 0);
        }
    }

    private static Value plain(TfliteCall call) {
        call.requireInputs(2, 3);
        call.options().ignore("quantized_bias_type");
        Weights weights = new Weights(call.stored(1, 4), new long[] {0, 3, 1, 2}, 0, groups(call, 4, 3));
        return pictures(call, weights);
    }

    private static Value depthwise(TfliteCall call) {
        call.requireInputs(2, 3);
        call.options().ignore("depth_multiplier");
        TfliteValue held = call.stored(1, 4);
        if (held.held().sizeOr0(0) != 1) {
            throw call.malformed("its weights are " + held.held().shape() + ", of which the first size must be 1");
        }
        long channels = channels(call, 4);
        if (channels < 1 || held.held().sizeOr0(3) % channels != 0) {
            throw call.malformed("its input has " + channels + " channels, but its weights are "
                    + held.held().shape());
        }
        return pictures(call, new Weights(held, new long[] {3, 0, 1, 2}, 3, channels));
    }

    private static Value ofVolumes(TfliteCall call) {
        call.requireInputs(2, 3);
        TfliteWindow window = TfliteWindow.of(call, 3, true);
        Weights weights = new Weights(call.stored(1, 5), new long[] {4, 3, 0, 1, 2}, 4, groups(call, 5, 3));
        Params params = window.convolutionParams()
                .put("groups", weights.groups())
                .put("data_format", "NCX")
                .put("weights_format", "OIX");
        Value result = call.add("Convolution", operands(call, weights, 5), params);
        return call.give(TfliteActivations.after(call, result), true);
    }

    private static long channels(TfliteCall call, int rank) {
        Dim channels = call.stored(0, rank).shape().dim(rank - 1);
        if (channels instanceof Dim.Known known) {
            return known.size();
        }
        throw call.unsupportedUse("a number of channels that is not known");
    }

    /** The channels of the input are those of the weights times the groups. */
    private static long groups(TfliteCall call, int rank, int weightAxis) {
        long channels = channels(call, rank);
        long each = call.stored(1, rank).held().sizeOr0(weightAxis);
        if (each < 1 || channels % each != 0) {
            throw call.malformed("its input has " + channels + " channels, but its weights are "
                    + call.stored(1).held().shape());
        }
        return Math.max(1, channels / each);
    }

    private static Value pictures(TfliteCall call, Weights weights) {
        TfliteWindow window = TfliteWindow.of(call, 2, true);
        Params params = window.convolutionParams().put("groups", weights.groups());
        Optional<Value> quantized = TfliteQuantizedOperators.products(
                call, "QuantizedConv", call.second(call.stored(0, 4)), weights.turned(call), weights.outputs(), params);
        Value result = quantized.orElseGet(() -> call.add(
                "Conv2d",
                operands(call, weights, 4),
                window.params().put("dilation", window.dilations()).put("group", weights.groups())));
        return call.give(TfliteActivations.after(call, result), true);
    }

    private static List<Value> operands(TfliteCall call, Weights weights, int rank) {
        call.stored(0, rank);
        List<Value> operands = new ArrayList<>(List.of(call.second(call.real(0)), weights.real(call)));
        if (call.has(BIAS)) {
            operands.add(call.plain(call.real(BIAS)));
        }
        return operands;
    }
}
