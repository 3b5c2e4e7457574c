package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Layers of networks for optical flow. */
final class FlowLayers {

    /** Displacements of one layer at most; each is a few operators. */
    private static final long MOST_DISPLACEMENTS = 2500;

    private FlowLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("Correlation", FlowLayers::correlation);
        all.one("DataAugmentation", FlowLayers::withoutMean);
    }

    /**
     * The mean product of two values' windows, for each displacement of the second one.
     *
     * <pre>{@code
     * one ─► Pad ─► Slice ──────────┐
     * two ─► Pad ─► Slice (moved) ─► Mul ─► Mean over channels ─► AvgPool ─► Concat
     * }</pre>
     */
    private static Value correlation(CaffeLayerCall call) {
        CaffeFields params = call.params("correlation_param");
        params.ignore("do_abs");
        List<Value> inputs = call.inputs(2, 2);
        if (inputs.get(0).rank() != 4 || inputs.get(1).rank() != 4) {
            throw call.malformed("its bottoms must have 4 axes");
        }
        if (params.choice("correlation_type", "MULTIPLY", "MULTIPLY", "SUBTRACT")
                .equals("SUBTRACT")) {
            throw call.unsupportedUse("'correlation_type' SUBTRACT");
        }
        if (params.size("single_direction", 0, 0) != 0) {
            throw call.unsupportedUse("'single_direction'");
        }
        long kernel = params.requiredSize("kernel_size", 1);
        long reach = params.requiredSize("max_displacement", 0);
        long stride = params.size("stride_1", 1, 1);
        long step = params.size("stride_2", 1, 1);
        long pad = params.size("pad", 0, 0);
        if (kernel % 2 == 0) {
            throw params.wrong("kernel_size", "expected an odd number, found " + kernel);
        }
        long count = reach / step;
        if ((2 * count + 1) * (2 * count + 1) > MOST_DISPLACEMENTS) {
            throw call.unsupportedUse("more than " + MOST_DISPLACEMENTS + " displacements");
        }
        Value one = padded(call, inputs.get(0), pad);
        Value two = padded(call, inputs.get(1), pad);
        Value centre = moved(call, one, reach, 0, 0);
        List<Value> maps = new ArrayList<>();
        for (long row = -count; row <= count; row++) {
            for (long column = -count; column <= count; column++) {
                Value product = call.add("Mul", centre, moved(call, two, reach, row * step, column * step));
                maps.add(call.add(
                        "Mean",
                        List.of(product),
                        new Params().put("axis", new long[] {1}).put("keep_dims", true)));
            }
        }
        Value all = maps.size() == 1 ? maps.get(0) : call.add("Concat", maps, new Params().put("axis", 1L));
        if (kernel == 1 && stride == 1) {
            return all;
        }
        return call.add(
                "AvgPool",
                List.of(all),
                new Params().put("kernel_size", new long[] {kernel, kernel}).put("strides", new long[] {stride, stride
                }));
    }

    private static Value padded(CaffeLayerCall call, Value x, long pad) {
        return pad == 0
                ? x
                : call.add(
                        "Pad", List.of(x), new Params().put("pad_with", new long[] {0, 0, 0, 0, pad, pad, pad, pad}));
    }

    /** The part that is left without a border, moved by some rows and columns. */
    private static Value moved(CaffeLayerCall call, Value x, long border, long rows, long columns) {
        if (border == 0) {
            return x;
        }
        long top = border + rows;
        long left = border + columns;
        long bottom = border - rows;
        long right = border - columns;
        return call.add(
                "Slice",
                List.of(x),
                new Params()
                        .put("starts", new long[] {top, left})
                        .put("ends", new long[] {
                            bottom == 0 ? Long.MAX_VALUE : -bottom, right == 0 ? Long.MAX_VALUE : -right
                        })
                        .put("axes", new long[] {2, 3}));
    }

    /** Nothing is augmented at inference; the mean of training is subtracted. */
    private static Value withoutMean(CaffeLayerCall call) {
        CaffeFields params = call.params("augmentation_param");
        params.ignore("augment_during_test", "max_multiplier", "write_augmented", "write_mean");
        Value x = call.input();
        if (x.rank() != 4) {
            throw call.malformed("its bottom must have 4 axes, but has " + x.rank());
        }
        boolean perPixel = params.flag("mean_per_pixel", true);
        long recomputed = params.size("recompute_mean", 0, 0);
        List<Double> mean = params.reals("mean");
        if (recomputed == 0) {
            return mean.isEmpty() || perPixel ? x : call.add("Sub", x, perChannel(call, mean));
        }
        if (call.blobs().size() < 3) {
            throw params.wrong("recompute_mean", "the mean is not among the weights");
        }
        long[] axes = perPixel ? new long[] {0} : new long[] {0, 2, 3};
        Value own = call.add("Mean", List.of(x), new Params().put("axis", axes).put("keep_dims", true));
        double runs = runs(call, x);
        if (runs == 0) {
            return call.add("Sub", x, own);
        }
        Value known = known(call, perPixel ? 1 : 2, perPixel);
        if (!(runs < recomputed)) {
            return call.add("Sub", x, known);
        }
        // the mean of what was seen in training goes on with this batch
        double share = 1 / (Math.floor(runs) + 1);
        Value before = call.add("Mul", known, call.number("before", 1 - share));
        Value now = call.add("Mul", own, call.number("now", share));
        return call.add("Sub", x, call.add("Add", before, now));
    }

    /** The number of batches of the mean; none, if it is that of pictures of another size, and begins anew. */
    private static double runs(CaffeLayerCall call, Value x) {
        Shape mean = Shape.of(Blobs.dims(call.blobs().get(1)));
        boolean fits = mean.rank() == 4
                && mean.dims().subList(1, 4).equals(x.shape().dims().subList(1, 4));
        return fits
                ? Blobs.tensor(call.blobs().get(0), Shape.of(1), call.source()).getDouble(0)
                : 0;
    }

    private static Value known(CaffeLayerCall call, int number, boolean perPixel) {
        long[] dims = Blobs.dims(call.blobs().get(number));
        Shape shape = perPixel
                ? Shape.of(dims)
                : Shape.of(1, Blobs.elements(call.blobs().get(number)), 1, 1);
        return call.weight(number, "mean", shape, Filler.UNKNOWN);
    }

    private static Value perChannel(CaffeLayerCall call, List<Double> mean) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, 1, mean.size(), 1, 1);
        for (int i = 0; i < mean.size(); i++) {
            tensor.setDouble(i, mean.get(i));
        }
        return call.constant("mean", tensor);
    }
}
