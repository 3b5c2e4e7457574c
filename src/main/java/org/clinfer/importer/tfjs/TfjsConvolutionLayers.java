package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Convolutions, plain, depthwise and separable. Their kernels are {@code [spatial..., in / groups, out]}; one of a
 * depthwise convolution, {@code [spatial..., in, multiplier]}, has the memory order of {@code [spatial..., 1, in *
 * multiplier]}, as a convolution has it where each channel is a group.
 */
final class TfjsConvolutionLayers {

    private TfjsConvolutionLayers() {}

    static void addTo(LayerTable<TfjsLayerCall> all) {
        for (int spatial = 1; spatial <= 3; spatial++) {
            int axes = spatial;
            all.one("Conv" + axes + "D", call -> plain(call, axes));
            all.one("Convolution" + axes + "D", call -> plain(call, axes));
        }
        for (int spatial = 1; spatial <= 2; spatial++) {
            int axes = spatial;
            all.one("DepthwiseConv" + axes + "D", call -> depthwise(call, axes));
            all.one("SeparableConv" + axes + "D", call -> separable(call, axes));
        }
    }

    private static Value plain(TfjsLayerCall call, int spatial) {
        call.config().require("filters", "kernel_size");
        Value x = call.input(spatial + 2);
        String name = call.weightName("kernel", 0);
        Tensor kernel = call.weight(name, spatial + 2);
        requireKernel(call, kernel, spatial);
        requireSize(call, "filters", kernel, spatial + 1);
        Params params = window(call, spatial).put("groups", call.config().integer("groups", 1));
        return TfjsActivations.fused(
                call, convolution(call, x, call.shared(name, () -> kernel), bias(call, 1), params));
    }

    private static Value depthwise(TfjsLayerCall call, int spatial) {
        Value x = call.input(spatial + 2);
        call.config().require("kernel_size");
        call.config().ignore("filters"); // channels times depth_multiplier
        String name = call.findWeight("depthwise_kernel", 0).orElseGet(() -> call.weightName("kernel", 0));
        Params params = window(call, spatial);
        Value weights = depthwiseKernel(call, name, spatial, params);
        return TfjsActivations.fused(call, convolution(call, x, weights, bias(call, 1), params));
    }

    private static Value separable(TfjsLayerCall call, int spatial) {
        call.config().require("filters", "kernel_size");
        Value x = call.input(spatial + 2);
        Params params = window(call, spatial);
        Value weights = depthwiseKernel(call, call.weightName("depthwise_kernel", 0), spatial, params);
        Value each = convolution(call, x, weights, Optional.empty(), params);
        String name = call.weightName("pointwise_kernel", 1);
        Tensor pointwise = call.weight(name, spatial + 2);
        requireSize(call, "filters", pointwise, spatial + 1);
        Params unit = layout(call)
                .put("strides", ones(spatial))
                .put("dilations", ones(spatial))
                .put("groups", 1)
                .put("auto_pad", "valid")
                .put("pads_begin", new long[spatial])
                .put("pads_end", new long[spatial]);
        Value second = call.shared(name, () -> pointwise);
        return TfjsActivations.fused(call, convolution(call, each, second, bias(call, 2), unit));
    }

    /** Adds a depthwise kernel as that of a convolution in groups, whose number it puts into {@code params}. */
    private static Value depthwiseKernel(TfjsLayerCall call, String name, int spatial, Params params) {
        Tensor kernel = call.weight(name, spatial + 2);
        requireKernel(call, kernel, spatial);
        requireSize(call, "depth_multiplier", kernel, spatial + 1);
        long[] sizes = kernel.shape().sizes();
        params.put("groups", sizes[spatial]);
        sizes[spatial + 1] *= sizes[spatial];
        sizes[spatial] = 1;
        return call.own("depthwise_kernel", () -> kernel.reshaped(Shape.of(sizes)));
    }

    private static Value convolution(TfjsLayerCall call, Value x, Value weights, Optional<Value> bias, Params params) {
        List<Value> operands = new ArrayList<>(List.of(x, weights));
        bias.ifPresent(operands::add);
        return call.add("Convolution", operands, params);
    }

    /** The bias, if the layer has one. */
    static Optional<Value> bias(TfjsLayerCall call, int number) {
        if (!call.config().flag("use_bias", true)) {
            return Optional.empty();
        }
        String name = call.weightName("bias", number);
        return Optional.of(call.shared(name, () -> call.weight(name, 1)));
    }

    private static Params layout(TfjsLayerCall call) {
        return new Params()
                .put("data_format", call.isChannelsFirst() ? "NCX" : "NXC")
                .put("weights_format", "XIO");
    }

    private static Params window(TfjsLayerCall call, int spatial) {
        TfjsFields config = call.config();
        long[] dilations = config.perAxis("dilation_rate", spatial, 1).orElse(ones(spatial));
        String padding = config.choice("padding", "valid", "same", "causal");
        long[] before = new long[spatial];
        if (padding.equals("causal")) {
            if (spatial != 1) {
                throw call.malformed("config.padding is causal, which is for one spatial axis only");
            }
            before[0] = (requiredKernel(call, spatial)[0] - 1) * dilations[0];
        }
        return layout(call)
                .put("strides", config.perAxis("strides", spatial, 1).orElse(ones(spatial)))
                .put("dilations", dilations)
                .put(
                        "auto_pad",
                        switch (padding) {
                            case "same" -> "same_upper";
                            case "valid" -> "valid";
                            default -> "none";
                        })
                .put("pads_begin", before)
                .put("pads_end", new long[spatial]);
    }

    private static long[] requiredKernel(TfjsLayerCall call, int spatial) {
        return call.config().perAxis("kernel_size", spatial, 1).orElseThrow();
    }

    /** Checks that the weights are of the size the configuration says. */
    static void requireKernel(TfjsLayerCall call, Tensor kernel, int spatial) {
        long[] size = requiredKernel(call, spatial);
        if (!Arrays.equals(size, Arrays.copyOf(kernel.shape().sizes(), spatial))) {
            throw call.malformed(
                    "config.kernel_size is " + Arrays.toString(size) + ", but its kernel is " + kernel.type());
        }
    }

    /** Checks that a size of the weights is what the configuration says, where it does. */
    static void requireSize(TfjsLayerCall call, String field, Tensor weight, int axis) {
        long size = weight.shape().size(axis);
        if (call.config().integer(field, size) != size) {
            throw call.malformed("config." + field + " is " + call.config().integer(field, size)
                    + ", but its weights are " + weight.type());
        }
    }

    static long[] ones(int count) {
        long[] ones = new long[count];
        Arrays.fill(ones, 1);
        return ones;
    }
}
