package org.clinfer.importer.openvino;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Normalisations, reductions, and what makes parts of a whole. */
final class OpenVinoNormalizationLayers {

    private static final Map<String, String> REDUCTIONS = Map.of(
            "ReduceMean", "Mean",
            "ReduceSum", "ReduceSum",
            "ReduceMax", "ReduceMax",
            "ReduceMin", "ReduceMin",
            "ReduceProd", "ReduceProd",
            "ReduceL1", "ReduceL1",
            "ReduceL2", "ReduceL2");

    /** Axes of which every choice is tried. */
    private static final int MOST_TRIED = 12;

    private OpenVinoNormalizationLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        REDUCTIONS.forEach((type, op) -> all.one(type, call -> reduction(call, op)));
        all.one("SoftMax", call -> parts(call, "Softmax"));
        all.one("Softmax", call -> parts(call, "Softmax"));
        all.one("LogSoftmax", call -> parts(call, "LogSoftmax"));
        all.one("BatchNormInference", OpenVinoNormalizationLayers::batchNorm);
        all.one("GroupNormalization", OpenVinoNormalizationLayers::groupNorm);
        all.one("LRN", OpenVinoNormalizationLayers::responses);
        all.one("MVN", OpenVinoNormalizationLayers::meanAndVariance);
        all.one("NormalizeL2", OpenVinoNormalizationLayers::length);
    }

    private static Value reduction(OpenVinoLayerCall call, String op) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        boolean keep = call.attributes().flag("keep_dims", false);
        long[] axes = call.isMissing(1) ? reducedAxes(call, x, keep) : call.axes(call.integers(1, "axes"), x.rank());
        Params params = new Params().put("axis", axes).put("keep_dims", keep).put("noop_with_empty_axis", true);
        return call.last(op, List.of(x), params);
    }

    /** The axes that the declared sizes leave no doubt about, but for axes of one element. */
    private static long[] reducedAxes(OpenVinoLayerCall call, Value x, boolean keep) {
        if (!x.shape().isKnown() || x.rank() > MOST_TRIED) {
            throw new MissingValues(1);
        }
        List<long[]> fitting = LongStream.range(0, 1L << x.rank())
                .mapToObj(set -> LongStream.range(0, x.rank())
                        .filter(axis -> (set >> axis & 1) == 1)
                        .toArray())
                .filter(axes -> reduced(x.shape(), axes, keep).equals(call.declared(0)))
                .toList();
        long different = fitting.stream()
                .map(axes -> LongStream.of(axes)
                        .filter(axis -> x.sizeOr0((int) axis) != 1)
                        .boxed()
                        .toList())
                .distinct()
                .count();
        if (different != 1) {
            throw new MissingValues(1);
        }
        return fitting.get(0);
    }

    private static Shape reduced(Shape shape, long[] axes, boolean keep) {
        List<Dim> dims = LongStream.range(0, shape.rank())
                .filter(axis -> keep || Arrays.stream(axes).noneMatch(each -> each == axis))
                .mapToObj(
                        axis -> Arrays.stream(axes).anyMatch(each -> each == axis) ? Dim.of(1) : shape.dim((int) axis))
                .toList();
        return new Shape(dims);
    }

    private static Value parts(OpenVinoLayerCall call, String op) {
        Value x = call.input();
        long axis = call.attributes().integer("axis", 1);
        return call.last(op, List.of(x), new Params().put("axis", (long) call.axis(axis, x.rank())));
    }

    /** The first form has scale and shift in front of the data, which alone has more than one axis. */
    private static Value batchNorm(OpenVinoLayerCall call) {
        call.requireInputs(5, 5);
        boolean dataFirst = call.input(0).rank() > 1;
        if (!dataFirst && call.input(2).rank() < 2) {
            throw call.unsupportedUse("data of one axis");
        }
        List<Value> operands = dataFirst
                ? call.inputs()
                : List.of(call.input(2), call.input(0), call.input(1), call.input(3), call.input(4));
        double epsilon = call.attributes().real(call.attributes().has("eps") ? "eps" : "epsilon");
        return call.last("BatchNorm", operands, new Params().put("epsilon", epsilon));
    }

    private static Value groupNorm(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        Value x = call.input(0);
        long groups = call.attributes().integer("num_groups");
        long channels = call.size(x, Math.min(1, x.rank() - 1), "channels");
        if (x.rank() < 3 || groups < 1 || channels % groups != 0) {
            throw call.malformed(x.type() + " cannot be divided into " + groups + " groups");
        }
        Params params = new Params()
                .put("num_groups", groups)
                .put("epsilon", call.attributes().real("epsilon"));
        return call.last("GroupNorm", call.inputs(), params);
    }

    /** Neighbours along the channels alone. */
    private static Value responses(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        if (!Arrays.equals(call.axes(call.integers(1, "axes"), x.rank()), new long[] {1})) {
            throw call.unsupportedUse("axes other than that of the channels");
        }
        OpenVinoAttributes attributes = call.attributes();
        Params params = new Params()
                .put("size", attributes.integer("size"))
                .put("alpha", attributes.real("alpha"))
                .put("beta", attributes.real("beta"))
                .put("bias", attributes.real("bias"));
        return call.last("Lrn", List.of(x), params);
    }

    private static Value meanAndVariance(OpenVinoLayerCall call) {
        call.requireInputs(1, 2);
        OpenVinoAttributes attributes = call.attributes();
        Value x = call.input(0);
        if (call.inputCount() == 2) {
            attributes.require("normalize_variance");
        }
        boolean divided = attributes.flag("normalize_variance", true);
        double epsilon = attributes.real("eps");
        boolean inside = true;
        long[] axes;
        if (call.inputCount() == 2) {
            inside = attributes
                    .requiredChoice("eps_mode", "inside_sqrt", "outside_sqrt")
                    .equals("inside_sqrt");
            axes = LongStream.of(call.axes(call.integers(1, "axes"), x.rank()))
                    .sorted()
                    .toArray();
        } else {
            boolean across = attributes.flag("across_channels", true);
            axes = LongStream.range(across ? 1 : 2, x.rank()).toArray();
        }
        if (axes.length == 0) {
            throw call.unsupportedUse("no axes");
        }
        Params params = new Params()
                .put("axes", axes)
                .put("normalize_variance", divided)
                .put("epsilon", epsilon)
                .put("epsilon_mode", inside ? "inside_sqrt" : "outside_sqrt");
        return call.last("MeanVarianceNorm", List.of(x), params);
    }

    private static Value length(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        String mode = call.attributes().requiredChoice("eps_mode", "add", "max");
        Params params = new Params()
                .put("axes", call.axes(call.integers(1, "axes"), x.rank()))
                .put("epsilon", call.attributes().real("eps"))
                .put("epsilon_mode", mode);
        return call.last("LpNorm", List.of(x), params);
    }
}
