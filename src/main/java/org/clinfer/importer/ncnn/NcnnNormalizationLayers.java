package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;

/** Normalisation: by the statistics of training, and by those of the value itself; and factors and addends. */
final class NcnnNormalizationLayers {

    private static final int SECOND_INPUT = -233;
    private static final double EPSILON = 0.001f;
    private static final double SMALL_EPSILON = 0.0001f;

    private NcnnNormalizationLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("Softmax", NcnnNormalizationLayers::softmax);
        all.one("LRN", NcnnNormalizationLayers::responses);
        all.one("BatchNorm", NcnnNormalizationLayers::batchNorm);
        all.one("Scale", NcnnNormalizationLayers::scale);
        all.one("Bias", NcnnNormalizationLayers::bias);
        all.one("InstanceNorm", NcnnNormalizationLayers::instanceNorm);
        all.one("GroupNorm", NcnnNormalizationLayers::groupNorm);
        all.one("LayerNorm", NcnnNormalizationLayers::layerNorm);
        all.one("RMSNorm", NcnnNormalizationLayers::rootNorm);
        all.one("MVN", NcnnNormalizationLayers::meanAndVariance);
        all.one("Normalize", NcnnNormalizationLayers::length);
    }

    private static Value softmax(NcnnLayerCall call) {
        Value x = call.input();
        int given = call.params().integer(0, 0);
        if (given != 0 && !call.params().flag(1, false)) {
            throw call.unsupportedUse("an axis that counts the batch, which only old files have");
        }
        call.params().ignore(1);
        return call.add("Softmax", List.of(x), new Params().put("axis", (long) call.axis(0, given, x)));
    }

    private static Value responses(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.picture();
        int region = params.integer(0, 0);
        long size = params.size(1, 5, 1);
        double alpha = params.real(2, 1);
        double beta = params.real(3, 0.75);
        double bias = params.real(4, 1);
        if (size % 2 == 0 || region < 0 || region > 1) {
            throw call.unsupportedUse(region == 0 || region == 1 ? "a window of " + size : "region " + region);
        }
        if (region == 0) {
            Params across = new Params()
                    .put("size", size)
                    .put("alpha", alpha)
                    .put("beta", beta)
                    .put("bias", bias);
            return call.add("Lrn", List.of(x), across);
        }
        long pad = (size - 1) / 2;
        Params window = new Params()
                .put("kernel_size", new long[] {size, size})
                .put("padding", new long[] {pad, pad, pad, pad});
        Value mean = call.add("AvgPool", List.of(call.add("Mul", x, x)), window);
        Value base = call.add("Add", call.add("Mul", mean, call.number("alpha", alpha)), call.number("bias", bias));
        return call.add("Mul", x, call.add("Pow", base, call.number("beta", -beta)));
    }

    private static Value batchNorm(NcnnLayerCall call) {
        Value x = call.input();
        Shape channels = call.shape(call.params().size(0, 0, 1));
        Value scale = call.weight("scale", NcnnWeights.Kind.RAW, channels);
        Value mean = call.weight("mean", NcnnWeights.Kind.RAW, channels);
        Value variance = call.weight("variance", NcnnWeights.Kind.RAW, channels);
        Value bias = call.weight("bias", NcnnWeights.Kind.RAW, channels);
        Params epsilon = new Params().put("epsilon", call.params().real(1, 0));
        return call.add("BatchNorm", List.of(x, scale, bias, mean, variance), epsilon);
    }

    /** A factor and an addend for each channel: a normalisation that has nothing to normalise. */
    private static Value perChannel(NcnnLayerCall call, Value x, Value factor, Value addend, long count) {
        Value mean = call.filled("mean", count, 0);
        Value variance = call.filled("variance", count, 1);
        return call.add("BatchNorm", List.of(x, factor, addend, mean, variance), new Params().put("epsilon", 0.0));
    }

    private static Value scale(NcnnLayerCall call) {
        LayerParams params = call.params();
        boolean second = params.integer(0, 0) == SECOND_INPUT;
        if (second) {
            List<Value> inputs = call.inputs(2, 2);
            if (params.flag(1, false)) {
                throw call.unsupportedUse("a bias behind the factors of another blob");
            }
            Value x = inputs.get(0);
            Value factor = inputs.get(1);
            if (NcnnLayerCall.dims(factor) != 1) {
                throw call.unsupportedUse("factors of " + NcnnLayerCall.dims(factor) + " axes");
            }
            long[] behind = LongStream.range(2, x.rank()).toArray();
            Value aligned = behind.length == 0
                    ? factor
                    : call.add("Unsqueeze", List.of(factor), new Params().put("axis", behind));
            return call.add("Mul", x, aligned);
        }
        Value x = call.input();
        long count = params.size(0, 0, 1);
        Value factor = call.weight("scale", NcnnWeights.Kind.RAW, call.shape(count));
        Value addend = params.flag(1, false)
                ? call.weight("bias", NcnnWeights.Kind.RAW, call.shape(count))
                : call.filled("bias", count, 0);
        return perChannel(call, x, factor, addend, count);
    }

    private static Value bias(NcnnLayerCall call) {
        long count = call.params().size(0, 0, 1);
        Value addend = call.weight("bias", NcnnWeights.Kind.RAW, call.shape(count));
        return perChannel(call, call.input(), call.filled("scale", count, 1), addend, count);
    }

    /** Factors and addends of a normalisation: trained, or 1 and 0. */
    private static List<Value> affine(NcnnLayerCall call, boolean trained, long... sizes) {
        Shape shape = call.shape(sizes);
        if (trained) {
            return List.of(
                    call.weight("gamma", NcnnWeights.Kind.RAW, shape),
                    call.weight("beta", NcnnWeights.Kind.RAW, shape));
        }
        return List.of(call.filled("gamma", shape.elements(), 1), call.filled("beta", shape.elements(), 0));
    }

    private static Value instanceNorm(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.picture();
        boolean affine = params.flag(2, true);
        long count = params.has(0) && params.integer(0, 0) != 0 ? params.size(0, 0, 1) : x.sizeOr0(1);
        params.ignore(0);
        List<Value> factors = affine(call, affine, count);
        return call.add(
                "InstanceNorm",
                List.of(x, factors.get(0), factors.get(1)),
                new Params().put("epsilon", params.real(1, EPSILON)));
    }

    private static Value groupNorm(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        long group = params.size(0, 1, 1);
        long channels = params.size(1, 0, 1);
        if (channels % group != 0) {
            throw params.wrong(0, channels + " channels cannot be divided into " + group + " groups");
        }
        if (x.sizeOr0(1) != 0 && x.sizeOr0(1) != channels) {
            throw params.wrong(1, "there are " + x.sizeOr0(1) + " channels, not " + channels);
        }
        List<Value> operands = new ArrayList<>(List.of(x));
        if (params.flag(3, true)) {
            operands.addAll(affine(call, true, channels));
        }
        Params given = new Params().put("num_groups", group).put("epsilon", params.real(2, EPSILON));
        return call.add("GroupNorm", operands, given);
    }

    /** Over the last axis, or the last two, as the number of factors tells. */
    private static Value rootNorm(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        long size = params.size(0, 0, 1);
        if (x.sizeOr0(x.rank() - 1) != size) {
            throw call.unsupportedUse(size + " elements of " + x.shape());
        }
        Value scale = params.flag(2, true)
                ? call.weight("gamma", NcnnWeights.Kind.RAW, call.shape(size))
                : call.filled("gamma", size, 1);
        Params given = new Params().put("axis", -1L).put("epsilon", params.real(1, EPSILON));
        return call.add("RmsNorm", List.of(x, scale), given);
    }

    private static Value layerNorm(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        long size = params.size(0, 0, 1);
        int last = x.rank() - 1;
        long width = x.sizeOr0(last);
        boolean plane = width != size && NcnnLayerCall.dims(x) > 1 && width * x.sizeOr0(last - 1) == size;
        if (width != size && !plane) {
            throw call.unsupportedUse(size + " elements of " + x.shape());
        }
        long[] sizes = plane ? new long[] {x.sizeOr0(last - 1), width} : new long[] {size};
        Value scale;
        Value shift;
        if (params.flag(2, true)) {
            List<Value> factors = affine(call, true, sizes);
            scale = factors.get(0);
            shift = factors.get(1);
        } else {
            scale = inShape(call, call.filled("gamma", size, 1), sizes);
            shift = inShape(call, call.filled("beta", size, 0), sizes);
        }
        return call.add(
                "LayerNorm",
                List.of(x, scale, shift),
                new Params().put("axis", (long) -sizes.length).put("epsilon", params.real(1, EPSILON)));
    }

    private static Value inShape(NcnnLayerCall call, Value x, long[] sizes) {
        return sizes.length == 1 ? x : call.add("Reshape", List.of(x), new Params().put("shape", sizes));
    }

    private static Value meanAndVariance(NcnnLayerCall call) {
        LayerParams params = call.params();
        Params given = new Params()
                .put("normalize_variance", params.flag(0, false))
                .put("axes", params.flag(1, false) ? new long[] {1, 2, 3} : new long[] {2, 3})
                .put("epsilon", params.real(2, SMALL_EPSILON));
        return call.add("MeanVarianceNorm", List.of(call.picture()), given);
    }

    /** Divides by the Euclidean length of a picture, of each of its channels, or of the channels of each cell. */
    private static Value length(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.picture();
        boolean space = params.flag(0, false);
        boolean channels = params.flag(4, true);
        if (!space && !channels) {
            throw call.unsupportedUse("neither space nor channels");
        }
        long[] axes = LongStream.of(1, 2, 3)
                .filter(axis -> axis == 1 ? channels : space)
                .toArray();
        String mode = switch (params.integer(9, 0)) {
            case 0 -> "add";
            case 1 -> "max_norm";
            case 2 -> "max";
            default -> throw call.unsupportedUse("epsilon mode " + params.integer(9, 0));
        };
        Params given = new Params()
                .put("axes", axes)
                .put("epsilon", params.real(2, SMALL_EPSILON))
                .put("epsilon_mode", mode);
        Value normal = call.add("LpNorm", List.of(x), given);
        boolean shared = params.flag(1, false);
        long count = params.size(3, 0, 1);
        if (shared && count != 1) {
            throw params.wrong(3, "one factor for all channels cannot be " + count);
        }
        Value factors = call.weight("scale", NcnnWeights.Kind.RAW, call.shape(count));
        if (count == 1) {
            return call.add("Mul", normal, factors);
        }
        long[] behind = {1, 2};
        return call.add("Mul", normal, call.add("Unsqueeze", List.of(factors), new Params().put("axis", behind)));
    }
}
