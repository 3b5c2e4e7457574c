package org.clinfer.importer.caffe;

import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.importer.caffe.proto.BlobProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Normalisation: by the statistics of training, and by those of the value itself. */
final class CaffeNormalizationLayers {

    private CaffeNormalizationLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("BatchNorm", CaffeNormalizationLayers::batchNorm);
        all.one("BN", CaffeNormalizationLayers::affineBatchNorm);
        all.one("LRN", CaffeNormalizationLayers::responses);
        all.one("MVN", CaffeNormalizationLayers::meanAndVariance);
        all.one("Normalize", CaffeNormalizationLayers::length);
        all.one("Softmax", call -> softmax(call, "Softmax"));
        all.one("LogSoftmax", call -> softmax(call, "LogSoftmax"));
    }

    private static Value softmax(CaffeLayerCall call, String op) {
        CaffeFields params = call.params("softmax_param");
        params.ignore("engine");
        Value x = call.input();
        int axis = call.axis(params, "axis", 1, x.rank());
        return call.add(op, List.of(x), new Params().put("axis", (long) axis));
    }

    /** Mean and variance are sums of training, to be divided by the third blob. */
    private static Value batchNorm(CaffeLayerCall call) {
        CaffeFields params = call.params("batch_norm_param");
        params.ignore("moving_average_fraction", "engine");
        double epsilon = params.real("eps", 1e-5);
        Value x = call.input();
        boolean affine = params.flag("scale_bias", false);
        if (!params.flag("use_global_stats", true)) {
            if (affine) {
                throw call.unsupportedUse("'scale_bias' and the statistics of its bottom");
            }
            return ofBatch(call, x, epsilon);
        }
        params.ignore("scale_filler", "bias_filler");
        Shape channels = channels(call, x);
        if (call.blobs().isEmpty()) {
            return statistics(call, x, epsilon, affine);
        }
        double sum = call.blobs().size() > 2 ? first(call, 2) : 1;
        double factor = sum == 0 ? 0 : 1 / sum;
        Value mean = call.constant("mean", scaled(call, 0, channels, factor));
        Value variance = call.constant("variance", scaled(call, 1, channels, factor));
        Value scale = affine
                ? call.weight(3, "scale", channels, Filler.UNKNOWN)
                : call.constant("scale", filled(channels, 1));
        Value bias =
                affine ? call.weight(4, "bias", channels, Filler.UNKNOWN) : call.constant("bias", filled(channels, 0));
        return call.add("BatchNorm", List.of(x, scale, bias, mean, variance), new Params().put("epsilon", epsilon));
    }

    private static Shape channels(CaffeLayerCall call, Value x) {
        if (x.rank() < 2 && call.blobs().isEmpty()) {
            throw call.malformed("its bottom must have channels, but has " + x.rank() + " axes");
        }
        return call.blobs().isEmpty()
                ? new Shape(List.of(x.shape().dim(1)))
                : Shape.of(Blobs.elements(call.blobs().get(0)));
    }

    private static double first(CaffeLayerCall call, int number) {
        return Blobs.tensor(call.blobs().get(number), Shape.of(1), call.source())
                .getDouble(0);
    }

    private static Tensor scaled(CaffeLayerCall call, int number, Shape shape, double factor) {
        List<BlobProto> blobs = call.blobs();
        if (number >= blobs.size()) {
            throw call.malformed("its weights have no blob " + number);
        }
        Tensor tensor = Blobs.tensor(blobs.get(number), shape, call.source());
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, tensor.getDouble(i) * factor);
        }
        return tensor;
    }

    static Tensor filled(Shape shape, double value) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, shape.sizes());
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, value);
        }
        return tensor;
    }

    /** Without weights: scale, bias, mean and variance of the right shape. */
    private static Value statistics(CaffeLayerCall call, Value x, double epsilon, boolean affine) {
        Filler unknown = Filler.UNKNOWN;
        List<Value> operands = List.of(
                x,
                perChannel(call, x, 3, "scale", affine ? unknown : new Filler(1)),
                perChannel(call, x, 4, "bias", affine ? unknown : new Filler(0)),
                perChannel(call, x, 0, "mean", unknown),
                perChannel(call, x, 1, "variance", unknown));
        return call.add("BatchNorm", operands, new Params().put("epsilon", epsilon));
    }

    /** A blob with a number for each channel. */
    private static Value perChannel(CaffeLayerCall call, Value x, int number, String name, Filler filler) {
        if (number < call.blobs().size()) {
            return call.weight(
                    number, name, Shape.of(Blobs.elements(call.blobs().get(number))), filler);
        }
        Dim channels = x.shape().dim(1);
        Shape shape = new Shape(List.of(channels));
        return channels.isKnown()
                ? call.weight(number, name, shape, filler)
                : call.weight(number, name, List.of(call.sizes(x, 1, 2)), shape, filler);
    }

    /** By the statistics of all images together. */
    private static Value ofBatch(CaffeLayerCall call, Value x, double epsilon) {
        long[] axes = LongStream.range(0, x.rank()).filter(axis -> axis != 1).toArray();
        Value centred = call.add("Sub", x, mean(call, x, axes));
        Value variance = mean(call, call.add("Mul", centred, centred), axes);
        Value deviation = call.add("Sqrt", call.add("Add", variance, call.number("eps", epsilon)));
        return call.add("Div", centred, deviation);
    }

    private static Value mean(CaffeLayerCall call, Value x, long[] axes) {
        return call.add("Mean", List.of(x), new Params().put("axis", axes).put("keep_dims", true));
    }

    /**
     * Two layers of this name: with slope, bias, mean and variance, or with scale and shift alone, which the statistics were
     * made part of.
     */
    private static Value affineBatchNorm(CaffeLayerCall call) {
        CaffeFields params = call.params("bn_param");
        params.ignore("momentum", "frozen", "engine", "icnet", "update_global_stats");
        params.ignore("slope_filler", "bias_filler", "scale_filler", "shift_filler");
        Value x = call.input();
        int blobs = call.blobs().size();
        boolean shiftOnly = blobs == 2 || (blobs == 0 && (params.has("scale_filler") || params.has("shift_filler")));
        Filler unknown = Filler.UNKNOWN;
        if (!shiftOnly) {
            List<Value> operands = List.of(
                    x,
                    perChannel(call, x, 0, "slope", unknown),
                    perChannel(call, x, 1, "bias", unknown),
                    perChannel(call, x, 2, "mean", unknown),
                    perChannel(call, x, 3, "variance", unknown));
            return call.add("BatchNorm", operands, new Params().put("epsilon", params.real("eps", 1e-5)));
        }
        String mode = params.choice("bn_mode", "LEARN", "LEARN", "INFERENCE");
        double epsilon = params.real("var_eps", VARIANCE_EPSILON);
        Value normal = mode.equals("INFERENCE") ? x : ofBatch(call, x, epsilon);
        int behind = x.rank() - 2;
        Value scale = perChannel(call, x, 0, "scale", unknown);
        Value shift = perChannel(call, x, 1, "shift", unknown);
        if (scale.shape().isKnown() && shift.shape().isKnown()) {
            return ScaleLayers.perChannel(call, normal, scale, shift);
        }
        Value scaled = call.add("Mul", normal, ScaleLayers.withAxesBehind(call, scale, behind));
        return call.add("Add", scaled, ScaleLayers.withAxesBehind(call, shift, behind));
    }

    /** The number that SegNet's layer adds to the variance. */
    private static final double VARIANCE_EPSILON = 1e-9;

    private static Value responses(CaffeLayerCall call) {
        CaffeFields params = call.params("lrn_param");
        params.ignore("engine");
        Value x = call.input();
        long size = params.size("local_size", 5, 1);
        if (size % 2 == 0) {
            throw params.wrong("local_size", "expected an odd number, found " + size);
        }
        double alpha = params.real("alpha", 1);
        double beta = params.real("beta", 0.75);
        if (params.choice("norm_region", "ACROSS_CHANNELS", "ACROSS_CHANNELS", "WITHIN_CHANNEL")
                .equals("ACROSS_CHANNELS")) {
            Params across = new Params()
                    .put("size", size)
                    .put("alpha", alpha)
                    .put("beta", beta)
                    .put("bias", params.real("k", 1));
            return call.add("Lrn", List.of(x), across);
        }
        params.ignore("k");
        long pad = (size - 1) / 2;
        Params window = new Params()
                .put("kernel_size", new long[] {size, size})
                .put("padding", new long[] {pad, pad, pad, pad});
        Value mean = call.add("AvgPool", List.of(call.add("Mul", x, x)), window);
        Value scaled = call.add("Mul", mean, call.number("alpha", alpha));
        Value base = call.add("Add", scaled, call.number("one", 1));
        return call.add("Mul", x, call.add("Pow", base, call.number("beta", -beta)));
    }

    private static Value meanAndVariance(CaffeLayerCall call) {
        CaffeFields params = call.params("mvn_param");
        Value x = call.input();
        int first = params.flag("across_channels", false) ? 1 : 2;
        if (x.rank() <= first) {
            throw call.malformed("its bottom has " + x.rank() + " axes, and none to normalise over");
        }
        Params given = new Params()
                .put("axes", LongStream.range(first, x.rank()).toArray())
                .put("epsilon", params.real("eps", 1e-9))
                .put("normalize_variance", params.flag("normalize_variance", true));
        return call.add("MeanVarianceNorm", List.of(x), given);
    }

    /** Divides by the Euclidean length of an image, or of the channels of each pixel. */
    private static Value length(CaffeLayerCall call) {
        CaffeFields params = call.params("norm_param");
        Value x = call.input();
        if (x.rank() < 2) {
            throw call.malformed("its bottom must have channels, but has " + x.rank() + " axes");
        }
        boolean acrossSpace = params.flag("across_spatial", true);
        long[] axes = acrossSpace ? LongStream.range(1, x.rank()).toArray() : new long[] {1};
        Params given = new Params()
                .put("axes", axes)
                .put("epsilon", params.real("eps", 1e-10))
                .put("epsilon_mode", "add");
        Value normal = call.add("LpNorm", List.of(x), given);
        Filler filler = params.has("scale_filler") ? Filler.of(params, "scale_filler") : new Filler(1);
        if (params.flag("channel_shared", true)) {
            return call.add("Mul", normal, call.weight(0, "scale", Shape.of(1), filler));
        }
        Value scale = perChannel(call, x, 0, "scale", filler);
        if (x.sizeOr0(1) != 0 && scale.sizeOr0(0) != 0 && x.sizeOr0(1) != scale.sizeOr0(0)) {
            throw params.wrong(
                    "channel_shared", "there are " + scale.sizeOr0(0) + " factors for " + x.sizeOr0(1) + " channels");
        }
        return call.add("Mul", normal, ScaleLayers.withAxesBehind(call, scale, x.rank() - 2));
    }
}
