package org.clinfer.plan.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.clinfer.describe.Binding;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.layout.BlockedForm.Operand;
import org.clinfer.plan.layout.BlockedForm.Output;
import org.clinfer.plan.rule.PlainActivation;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** The forms of nodes that can compute in blocked channels. */
final class BlockedForms {

    /** Channels that lie side by side. */
    static final long LANES = 16;

    /** Input channels below which a convolution of an NCHW tensor reads it as it is. */
    private static final long FEW_CHANNELS = 16;

    private static final Map<String, String> OPERATIONS =
            Map.of("Add", "ADD", "Sum", "ADD", "Sub", "SUB", "Mul", "MUL", "Max", "MAX");

    private final ChannelConstants constants;
    private final LayoutCosts costs;

    BlockedForms(ChannelConstants constants, LayoutCosts costs) {
        this.constants = constants;
        this.costs = costs;
    }

    /** The estimates by which forms gain. */
    LayoutCosts costs() {
        return costs;
    }

    /**
     * The form of a node.
     *
     * @param isPlain whether a value can only be an NCHW tensor, like inputs of the network
     */
    Optional<BlockedForm> of(PlacedNode placed, Predicate<String> isPlain) {
        String op = placed.op();
        if (!isImageTyped(placed)) {
            return Optional.empty();
        }
        Optional<Map<String, ExpressionValue>> activation = PlainActivation.of(placed);
        if (activation.isPresent()) {
            return Optional.of(scale(placed, List.of(), activation.get()));
        }
        return switch (op) {
            case "FusedConv" -> convolution(placed, isPlain);
            case "MaxPool", "AvgPool" -> pool(placed, op.equals("MaxPool"));
            case "Mean" -> mean(placed);
            case "Resize" -> resize(placed);
            case "BatchNorm" -> constants.scaleAndShift(placed).map(names -> scale(placed, names, Map.of()));
            case "Add", "Sum", "Sub", "Mul", "Max" -> binary(placed);
            case "Concat" -> concat(placed);
            case "Split" -> split(placed);
            default -> Optional.empty();
        };
    }

    /** {@return whether the first input and all outputs are float32 images of known size} */
    private static boolean isImageTyped(PlacedNode placed) {
        return !placed.inputTypes().isEmpty()
                && isImage(placed.inputTypes().get(0))
                && placed.outputTypes().stream().allMatch(BlockedForms::isImage);
    }

    private static boolean isImage(@Nullable TensorType type) {
        return type != null
                && type.dtype() == DType.FLOAT32
                && type.shape().isKnown()
                && type.shape().rank() == 4
                && type.shape().elements() > 0;
    }

    private BlockedForm scale(PlacedNode placed, List<String> scaleAndShift, Map<String, ExpressionValue> params) {
        List<String> inputs = new ArrayList<>();
        inputs.add(placed.inputs().get(0));
        inputs.addAll(scaleAndShift);
        return new BlockedForm(
                "BlockedScale", inputs, List.of(Operand.of(0, "crop")), params, Output.BLOCKED, costs.small(placed));
    }

    private Optional<BlockedForm> convolution(PlacedNode placed, Predicate<String> isPlain) {
        Binding binding = placed.binding();
        long groups = binding.integer("groups");
        long inChannels = binding.integer("in_channels");
        long outChannels = binding.integer("out_channels");
        boolean isDepthwise = groups > 1 && groups == inChannels && groups == outChannels;
        boolean hasWholeBlocks = inChannels / groups % LANES == 0 && outChannels / groups % LANES == 0;
        List<String> inputs = new ArrayList<>(placed.inputs());
        boolean isTaken = binding.text("data_format").equals("NCX")
                && binding.text("out_type").equals("SAME")
                && (groups == 1 || isDepthwise || hasWholeBlocks);
        Optional<String> weights =
                isTaken ? constants.weights(placed, binding.text("weights_format")) : Optional.empty();
        if (weights.isEmpty()) {
            return Optional.empty();
        }
        inputs.set(1, weights.get());
        Map<String, ExpressionValue> params = new HashMap<>();
        for (String name : List.of("strides", "dilations", "activation", "alpha", "beta", "residual_add")) {
            params.put(name, binding.params().getOrDefault(name, ExpressionValue.absent()));
        }
        List<Operand> operands = new ArrayList<>();
        if (inputs.size() > 3 && !inputs.get(3).isEmpty()) {
            operands.add(Operand.of(3, "residual_crop"));
        }
        long[] begin = binding.integers("pads_begin");
        long[] end = binding.integers("pads_end");
        Margin padding = Margin.of(begin[0], begin[1], end[0], end[1]);
        boolean readsPlain = inChannels < FEW_CHANNELS && groups == 1 && isPlain.test(inputs.get(0));
        long gain = isDepthwise ? costs.depthwise(placed) : costs.convolution(placed, readsPlain);
        if (readsPlain) {
            params.put("pads", padding.value());
            return Optional.of(new BlockedForm("ConvToBlocks", inputs, operands, params, Output.BLOCKED, gain));
        }
        params.put("groups", ExpressionValue.of(groups));
        params.put("zeros", padding.value());
        operands.add(0, new Operand(0, "crop", padding));
        return Optional.of(new BlockedForm("BlockedConv", inputs, operands, params, Output.BLOCKED, gain));
    }

    private static boolean isOnes(long[] values) {
        return values[0] == 1 && values[1] == 1;
    }

    private Optional<BlockedForm> pool(PlacedNode placed, boolean isMax) {
        Binding binding = placed.binding();
        long[] size = binding.integers("in_size");
        long[] kernel = binding.integers("kernel");
        long[] pads = binding.integers("pads");
        boolean isWhole = kernel[0] == size[0] && kernel[1] == size[1] && pads[0] + pads[1] + pads[2] + pads[3] == 0;
        if (!isMax && isWhole) {
            return Optional.of(globalAverage(placed));
        }
        if (!isOnes(binding.integers("dilation"))) {
            return Optional.empty();
        }
        Map<String, ExpressionValue> params = new HashMap<>();
        params.put("kind", ExpressionValue.of(isMax ? "MAX" : "AVERAGE"));
        params.put("kernel", ExpressionValue.ints(kernel));
        params.put("strides", ExpressionValue.ints(binding.integers("strides")));
        params.put("pads", Margin.of(pads[0], pads[2], pads[1], pads[3]).value());
        params.put("pool_size", ExpressionValue.ints(binding.integers("out_size")));
        if (!isMax) {
            params.put("count_include_pad", ExpressionValue.of(binding.flag("count_include_pad")));
        }
        return Optional.of(new BlockedForm(
                "BlockedPool",
                placed.inputs().subList(0, 1),
                List.of(Operand.of(0, "crop")),
                params,
                Output.BLOCKED,
                costs.small(placed)));
    }

    private Optional<BlockedForm> mean(PlacedNode placed) {
        long[] axes = placed.binding().integers("reduced");
        boolean isImagePlane = axes.length == 2 && axes[0] == 2 && axes[1] == 3;
        return isImagePlane ? Optional.of(globalAverage(placed)) : Optional.empty();
    }

    private BlockedForm globalAverage(PlacedNode placed) {
        long channels = sizes(placed, 0)[1];
        return new BlockedForm(
                "BlockedGlobalAveragePool",
                placed.inputs().subList(0, 1),
                List.of(Operand.of(0, "crop")),
                Map.of("channels", ExpressionValue.of(channels)),
                Output.PLAIN,
                costs.small(placed));
    }

    /** Rows and columns alone, nearest or linear. */
    private Optional<BlockedForm> resize(PlacedNode placed) {
        Binding binding = placed.binding();
        double[] scales = binding.reals("ratio");
        long[] x = sizes(placed, 0);
        long[] y = placed.outputTypes().get(0).shape().sizes();
        boolean isTaken = scales[0] == 1
                && scales[1] == 1
                && x[0] == y[0]
                && x[1] == y[1]
                && !binding.text("filter").equals("cubic")
                && !binding.text("coordinates").equals("tf_crop_and_resize")
                && !binding.flag("widens");
        if (!isTaken) {
            return Optional.empty();
        }
        Map<String, ExpressionValue> params = Map.of(
                "scales", ExpressionValue.reals(scales[2], scales[3]),
                "mode", ExpressionValue.of(binding.text("filter")),
                "coordinate_mode", ExpressionValue.of(binding.text("coordinates")),
                "nearest_mode", ExpressionValue.of(binding.text("rounding")),
                "resized", ExpressionValue.ints(y[2], y[3]));
        return Optional.of(new BlockedForm(
                "BlockedResize",
                placed.inputs().subList(0, 1),
                List.of(Operand.of(0, "crop")),
                params,
                Output.BLOCKED,
                costs.small(placed)));
    }

    private Optional<BlockedForm> binary(PlacedNode placed) {
        List<String> inputs = placed.inputs();
        if (inputs.size() != 2
                || !isImage(placed.inputTypes().get(1))
                || inputs.get(0).equals(inputs.get(1))) {
            return Optional.empty();
        }
        long[] y = placed.outputTypes().get(0).shape().sizes();
        boolean isFirstWhole = Arrays.equals(sizes(placed, 0), y);
        String op = placed.op();
        int whole = isFirstWhole ? 0 : 1;
        if (!Arrays.equals(sizes(placed, whole), y)
                || !isRepeated(sizes(placed, 1 - whole), y)
                || (!isFirstWhole && op.equals("Sub"))) {
            return Optional.empty();
        }
        return Optional.of(new BlockedForm(
                "BlockedBinary",
                List.of(inputs.get(whole), inputs.get(1 - whole)),
                List.of(Operand.of(0, "crop"), Operand.of(1, "z_crop")),
                Map.of("operation", ExpressionValue.of(Objects.requireNonNull(OPERATIONS.get(op)))),
                Output.BLOCKED,
                costs.small(placed)));
    }

    private static boolean isRepeated(long[] sizes, long[] whole) {
        boolean isSame = sizes[2] == whole[2] && sizes[3] == whole[3];
        return sizes[0] == whole[0] && sizes[1] == whole[1] && (isSame || (sizes[2] == 1 && sizes[3] == 1));
    }

    private static long[] sizes(PlacedNode placed, int input) {
        TensorType type = placed.inputTypes().get(input);
        return type == null ? new long[0] : type.shape().sizes();
    }

    private static Optional<BlockedForm> concat(PlacedNode placed) {
        List<String> inputs = placed.inputs();
        for (int i = 0; i < inputs.size(); i++) {
            boolean isLast = i == inputs.size() - 1;
            if (!isImage(placed.inputTypes().get(i)) || (!isLast && sizes(placed, i)[1] % LANES != 0)) {
                return Optional.empty();
            }
        }
        if (placed.binding().integer("joined") != 1) {
            return Optional.empty();
        }
        List<Operand> operands = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            operands.add(Operand.of(i, ""));
        }
        return Optional.of(new BlockedForm(
                "Concat", inputs, operands, Map.of("axis", ExpressionValue.of(1)), Output.AS_OPERANDS, 0));
    }

    private static Optional<BlockedForm> split(PlacedNode placed) {
        Binding binding = placed.binding();
        long[] parts = binding.integers("sizes");
        long[] blocks = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] % LANES != 0 && i < parts.length - 1) {
                return Optional.empty();
            }
            blocks[i] = (parts[i] + LANES - 1) / LANES;
        }
        return binding.integer("cut") != 1
                ? Optional.empty()
                : Optional.of(new BlockedForm(
                        "Split",
                        placed.inputs().subList(0, 1),
                        List.of(Operand.of(0, "")),
                        Map.of("axis", ExpressionValue.of(1), "split", ExpressionValue.ints(blocks)),
                        Output.AS_OPERANDS,
                        0));
    }
}
