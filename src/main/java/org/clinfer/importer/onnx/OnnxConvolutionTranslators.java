package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;

/** Conv and ConvTranspose. */
final class OnnxConvolutionTranslators {

    private OnnxConvolutionTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "Conv", OnnxConvolutionTranslators::conv, "ConvTranspose", OnnxConvolutionTranslators::convTranspose);
    }

    static void conv(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        int rank = rank(node, graph);
        checkKernelShape(node, graph);
        List<String> inputs = List.of(node.input(0), node.input(1), node.optionalInput(2));
        if (rank == 4) {
            graph.add(node, "Conv2d", inputs, conv2dParams(node));
        } else {
            graph.add(node, "Convolution", inputs, convolutionParams(node, rank - 2));
        }
    }

    private static Params conv2dParams(OnnxNode node) {
        Params params = new Params().put("group", node.integer("group", 1));
        new OnnxWindow(node).putPadding(params);
        node.integers("kernel_shape").ifPresent(kernel -> params.put("kernel_size", kernel));
        node.integers("strides").ifPresent(strides -> params.put("strides", strides));
        node.integers("dilations").ifPresent(dilation -> params.put("dilation", dilation));
        return params;
    }

    private static Params convolutionParams(OnnxNode node, int spatial) {
        OnnxWindow window = new OnnxWindow(node);
        window.padMode(); // refuses an unknown mode
        long[] pads = window.pads().orElse(new long[2 * spatial]);
        int half = pads.length / 2;
        node.ignore("kernel_shape"); // already compared with the weights
        return new Params()
                .put("data_format", "NCX")
                .put("weights_format", "OIX")
                .put("groups", node.integer("group", 1))
                .put("strides", node.integers("strides").orElse(ones(spatial)))
                .put("dilations", node.integers("dilations").orElse(ones(spatial)))
                .put(
                        "auto_pad",
                        window.autoPad().equals("NOTSET")
                                ? "none"
                                : window.autoPad().toLowerCase(Locale.ROOT))
                .put("pads_begin", Arrays.copyOfRange(pads, 0, half))
                .put("pads_end", Arrays.copyOfRange(pads, half, pads.length));
    }

    private static void convTranspose(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        int rank = rank(node, graph);
        checkKernelShape(node, graph);
        Params params = new Params().put("group", node.integer("group", 1));
        node.integers("kernel_shape").ifPresent(kernel -> params.put("kernel_size", kernel));
        node.integers("strides").ifPresent(strides -> params.put("strides", strides));
        node.integers("dilations").ifPresent(dilation -> params.put("dilation", dilation));
        node.integers("output_padding").ifPresent(extra -> params.put("output_padding", extra));
        OnnxWindow window = new OnnxWindow(node);
        Optional<long[]> outputShape = node.integers("output_shape");
        if (outputShape.isPresent()) {
            // the output shape stands above pads; where it leaves an odd pixel, only SAME_UPPER puts it at the end
            long[] whole = wholeShape(node, graph, outputShape.get(), rank);
            boolean later = window.padMode().equals("SAME");
            Optional<long[]> totals = later ? totalPadding(node, graph, whole, rank) : Optional.empty();
            boolean isCut = totals.isPresent() && Arrays.stream(totals.get()).allMatch(total -> total >= 0);
            boolean isEven =
                    totals.isPresent() && Arrays.stream(totals.get()).allMatch(total -> total < 0 || total % 2 == 0);
            if (isCut) {
                params.put("padding", laterPadding(totals.get()));
            } else {
                params.put("output_shape", whole);
            }
            params.put("pad_mode", later && !isCut && !isEven ? "SAME" : "PADDING");
        } else {
            window.putPadding(params);
        }
        List<String> inputs = List.of(node.input(0), node.input(1), node.optionalInput(2));
        graph.add(node, rank == 4 ? "Conv2dTranspose" : "ConvTranspose", inputs, params);
    }

    /** The padding before and behind each axis, an odd pixel at the end. */
    private static long[] laterPadding(long[] totals) {
        long[] padding = new long[2 * totals.length];
        for (int axis = 0; axis < totals.length; axis++) {
            padding[2 * axis] = totals[axis] / 2;
            padding[2 * axis + 1] = totals[axis] - totals[axis] / 2;
        }
        return padding;
    }

    /** The padding that each axis needs for an output shape, negative beyond the full result; empty where sizes are open. */
    private static Optional<long[]> totalPadding(OnnxNode node, OnnxGraphWriter graph, long[] whole, int rank) {
        long[] totals = new long[rank - 2];
        for (int axis = 0; axis < rank - 2; axis++) {
            Optional<Long> in = graph.types().of(node.input(0)).size(axis + 2);
            Optional<Long> kernel = graph.types().of(node.input(1)).size(axis + 2);
            if (in.isEmpty() || kernel.isEmpty()) {
                return Optional.empty();
            }
            long full = node.element("strides", axis, 1) * (in.get() - 1)
                    + node.element("output_padding", axis, 0)
                    + node.element("dilations", axis, 1) * (kernel.get() - 1)
                    + 1;
            totals[axis] = full - whole[axis + 2];
        }
        return Optional.of(totals);
    }

    /**
     * ONNX gives the spatial sizes of the output, Clinfer's operators want batch and channels before them. Some
     * exporters write those too, -1 where they do not know, as here.
     */
    private static long[] wholeShape(OnnxNode node, OnnxGraphWriter graph, long[] given, int rank) {
        boolean isWhole = given.length == rank;
        if (!isWhole && given.length != rank - 2) {
            throw node.malformed("output_shape must have " + (rank - 2) + " sizes, but is " + Arrays.toString(given));
        }
        long[] whole = new long[rank];
        System.arraycopy(given, 0, whole, rank - given.length, given.length);
        KnownTypes types = graph.types();
        KnownType output = types.of(node.output());
        if (!isWhole || given[0] < 0) {
            whole[0] = types.of(node.input(0)).size(0).or(() -> output.size(0)).orElse(-1L);
        }
        if (!isWhole || given[1] < 0) {
            whole[1] = types.of(node.input(1))
                    .size(1)
                    .map(perGroup -> perGroup * node.integer("group", 1))
                    .or(() -> output.size(1))
                    .orElse(-1L);
        }
        return whole;
    }

    /** Rank of the input, from the weights, the attributes or the input itself. */
    private static int rank(OnnxNode node, OnnxGraphWriter graph) {
        OptionalInt rank = graph.types().rank(node.input(1));
        if (rank.isEmpty()) {
            rank = graph.types().rank(node.input(0));
        }
        for (String attribute : List.of("kernel_shape", "strides", "dilations")) {
            if (rank.isEmpty()) {
                rank = node.integers(attribute)
                        .map(found -> OptionalInt.of(found.length + 2))
                        .orElse(OptionalInt.empty());
            }
        }
        int found = rank.orElseThrow(() -> node.unsupportedUse("a number of axes that is not known"));
        if (found < 3 || found > 5) {
            throw node.unsupportedUse((found - 2) + " spatial axes");
        }
        return found;
    }

    private static void checkKernelShape(OnnxNode node, OnnxGraphWriter graph) {
        Optional<long[]> kernel = node.integers("kernel_shape");
        if (kernel.isEmpty()) {
            return;
        }
        KnownType weights = graph.types().of(node.input(1));
        for (int axis = 0; axis < kernel.get().length; axis++) {
            long size = kernel.get()[axis];
            if (weights.size(axis + 2).filter(known -> known != size).isPresent()) {
                throw node.malformed("kernel_shape is " + Arrays.toString(kernel.get()) + ", but the weights are "
                        + weights.shape().map(Object::toString).orElse("unknown"));
            }
        }
    }

    private static long[] ones(int length) {
        long[] ones = new long[length];
        Arrays.fill(ones, 1);
        return ones;
    }
}
