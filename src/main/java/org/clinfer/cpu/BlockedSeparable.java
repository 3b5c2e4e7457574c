package org.clinfer.cpu;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Depthwise separable convolution of blocked channels: one convolution after the other. */
final class BlockedSeparable implements CpuOperator {

    private static final List<String> ACTIVATIONS = List.of("expand_activation", "activation", "project_activation");
    private static final int EXPAND = 1;
    private static final int WEIGHTS = 3;
    private static final int PROJECT = 5;
    private static final int RESIDUAL = 7;
    private static final int[] NONE = {0, 0, 0, 0};

    private final BlockedConvolution convolution;

    BlockedSeparable(CpuPath path) {
        this.convolution = new BlockedConvolution(path);
    }

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        if (call.optionalInput(EXPAND) == null) {
            filter(call, call.input(0), parameters.ints("crop"));
            return;
        }
        int[] size = parameters.ints("padded_size");
        try (Tensor expanded = between(call, size)) {
            Map<String, Object> own = pointwise("in_channels", "middle_channels", "in_size", parameters);
            own.put("crop", parameters.ints("crop"));
            own.put("y_halo", parameters.ints("pads"));
            convolve(call, 0, own, Arrays.asList(call.input(0), call.input(EXPAND), call.optionalInput(2)), expanded);
            filter(call, expanded, NONE);
        }
    }

    private void filter(CpuCall call, Tensor x, int[] crop) {
        Parameters parameters = call.parameters();
        try (Tensor filtered = between(call, parameters.ints("conv_size"))) {
            Map<String, Object> own = pointwise("middle_channels", "middle_channels", "conv_size", parameters);
            own.put("is_depthwise", true);
            own.put("groups", parameters.integer("middle_channels"));
            own.put("kernel", parameters.ints("kernel"));
            own.put("strides", parameters.ints("strides"));
            own.put("crop", crop);
            convolve(call, 1, own, Arrays.asList(x, call.input(WEIGHTS), call.optionalInput(4)), filtered);
            Map<String, Object> last = pointwise("middle_channels", "out_channels", "conv_size", parameters);
            last.put("y_halo", parameters.ints("y_halo"));
            List<@Nullable Tensor> inputs =
                    Arrays.asList(filtered, call.input(PROJECT), call.optionalInput(6), call.optionalInput(RESIDUAL));
            convolve(call, 2, last, inputs, call.output());
        }
    }

    private static Tensor between(CpuCall call, int[] size) {
        long[] x = call.input(0).shape().sizes();
        return Tensor.allocate(
                DType.FLOAT32,
                x[0],
                call.parameters().integer("middle_blocks"),
                size[0],
                size[1],
                BlockedEpilogue.LANES);
    }

    /** Parameters of a 1x1 convolution that reads and writes everything. */
    private static Map<String, Object> pointwise(String in, String out, String size, Parameters parameters) {
        long channels = parameters.integer(out);
        Map<String, Object> own = new HashMap<>();
        own.put("in_channels", parameters.integer(in));
        own.put("out_channels", channels);
        own.put("out_blocks", (channels + BlockedEpilogue.LANES - 1) / BlockedEpilogue.LANES);
        own.put("conv_size", parameters.ints(size));
        own.put("kernel", new int[] {1, 1});
        own.put("strides", new int[] {1, 1});
        own.put("dilations", new int[] {1, 1});
        own.put("groups", 1L);
        own.put("is_depthwise", false);
        own.put("crop", NONE);
        own.put("y_halo", NONE);
        return own;
    }

    private void convolve(CpuCall call, int number, Map<String, Object> own, List<@Nullable Tensor> inputs, Tensor y) {
        Parameters parameters = new OfOne(call.parameters(), number, own);
        convolution.run(new CpuCall(parameters, inputs, List.of(y), call.parallel()));
    }

    /**
     * The parameters of one of the convolutions.
     *
     * @param own those that differ from the whole operator's
     */
    private record OfOne(Parameters whole, int number, Map<String, Object> own) implements Parameters {

        @Override
        public boolean has(String name) {
            return own.containsKey(name) || whole.has(name);
        }

        @Override
        public long integer(String name) {
            return own.get(name) instanceof Long value ? value : whole.integer(name);
        }

        @Override
        public double real(String name) {
            return whole.reals(name + "s")[number];
        }

        @Override
        public boolean flag(String name) {
            return own.get(name) instanceof Boolean value ? value : whole.flag(name);
        }

        @Override
        public String text(String name) {
            return name.equals("activation") ? whole.text(ACTIVATIONS.get(number)) : whole.text(name);
        }

        @Override
        public long[] integers(String name) {
            return own.get(name) instanceof int[] values
                    ? Arrays.stream(values).asLongStream().toArray()
                    : whole.integers(name);
        }

        @Override
        public double[] reals(String name) {
            return whole.reals(name);
        }
    }
}
