package org.clinfer.importer.ncnn;

import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.PriorBoxes;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Layers of detectors with prior boxes. */
final class NcnnPriorBoxLayers {

    /** Stands for a size that the blobs tell, and in one place for the layers of another framework. */
    private static final int UNSET = -233;

    private NcnnPriorBoxLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("PriorBox", NcnnPriorBoxLayers::priors);
        all.one("DetectionOutput", NcnnPriorBoxLayers::detections);
    }

    /** Two rows: left, top, right and bottom of each box, and the variances of these. */
    private static Value priors(NcnnLayerCall call) {
        LayerParams params = call.params();
        List<Value> inputs = call.inputs(1, 2);
        boolean sized = both(params, 9, params.integer(9, 0) != UNSET, params.integer(10, 0) != UNSET);
        if (inputs.size() == 1 && !sized) {
            throw call.unsupportedUse("no picture, as MXNet has it");
        }
        List<Double> variances =
                List.of(params.real(3, 0.1f), params.real(4, 0.1f), params.real(5, 0.2f), params.real(6, 0.2f));
        PriorBoxes boxes = new PriorBoxes(sizes(params), params.real(13, 0), params.flag(8, false), variances);
        PriorBoxes.Grid grid = PriorBoxes.Grid.of(call, call.picture(inputs.get(0)));
        Value picture = sized
                ? PriorBoxes.pair(call, "picture", params.size(10, 0, 1), params.size(9, 0, 1))
                : PriorBoxes.real(call, call.sizes(call.picture(inputs.get(1)), 2, 4));
        double across = params.real(11, UNSET);
        double down = params.real(12, UNSET);
        Value steps = both(params, 11, across != UNSET, down != UNSET)
                ? PriorBoxes.pair(call, "steps", down, across)
                : PriorBoxes.steps(call, grid, picture);
        return boxes.add(call, grid, steps, picture);
    }

    /** {@return whether numbers for both axes are given} One alone is refused. */
    private static boolean both(LayerParams params, int first, boolean width, boolean height) {
        if (width != height) {
            throw params.wrong(first, "it and parameter " + (first + 1) + " are not given together");
        }
        return width;
    }

    private static List<PriorBoxes.Box> sizes(LayerParams params) {
        List<Double> least = params.reals(0);
        List<Double> most = params.reals(1);
        if (least.isEmpty() || !(most.isEmpty() || most.size() == least.size())) {
            throw params.wrong(0, "there are " + least.size() + " least and " + most.size() + " largest sizes");
        }
        boolean flip = params.flag(7, true);
        List<Double> ratios = params.reals(2);
        for (double ratio : ratios) {
            if (!(ratio > 0)) {
                throw params.wrong(2, "expected numbers above 0, found " + ratio);
            }
        }
        // a ratio of 1, and one that is there already, give boxes all the same
        List<Double> all = ratios.stream()
                .flatMap(ratio -> (flip ? List.of(ratio, 1 / ratio) : List.of(ratio)).stream())
                .toList();
        return PriorBoxes.boxes(least, most, all);
    }

    /** Rows of class, score, left, top, right, bottom, by falling scores, as many as are found. */
    private static Value detections(NcnnLayerCall call) {
        LayerParams params = call.params();
        List<Value> inputs = call.inputs(3, 3);
        if (params.integer(0, 0) == UNSET) {
            throw call.unsupportedUse("parameter 0=" + UNSET + ", scores as MXNet has them");
        }
        // these are for priors without variances
        params.ignore(5, 6, 7, 8);
        int most = params.size(3, 100, 1);
        Params detector = new Params()
                .put("num_classes", (long) params.size(0, 0, 1))
                .put("nms_threshold", params.real(1, 0.05f))
                .put("top_k", (long) params.size(2, 300, 0))
                .put("keep_top_k", (long) most)
                .put("confidence_threshold", params.real(4, 0.5f))
                .put("code_type", "CENTER_SIZE");
        Value priors = inputs.get(2);
        if (NcnnLayerCall.dims(priors) != 2) {
            throw call.malformed("its priors must have two rows, but are " + priors.shape());
        }
        Value found = call.add("DetectionOutput", List.of(row(call, 0), row(call, 1), priors), detector);
        Value rows = call.add("Squeeze", new Params().put("axis", new long[] {1}), found);
        Params highest = new Params().put("axis", 1L).put("k", (long) most);
        Value order =
                call.addAll("TopK", List.of(column(call, rows, 2)), highest, 2).get(1);
        Value sorted = call.add(
                "Gather",
                List.of(rows, call.add("Squeeze", new Params().put("axis", new long[] {0}), order)),
                new Params().put("axis", 1L));
        Params behindLabel = new Params().put("starts", new long[] {0, 1}).put("axes", new long[] {1, 2});
        Value ends = call.join(List.of(count(call, rows), call.vector("columns", 7)));
        Shape open = new Shape(List.of(Dim.of(1), Dim.unknown(), Dim.of(6)));
        return call.add("Slice", List.of(sorted, Value.NONE, ends), behindLabel, open);
    }

    /** An input as one row. */
    private static Value row(NcnnLayerCall call, int number) {
        Value x = call.inputs(3, 3).get(number);
        return NcnnLayerCall.dims(x) == 1 ? x : call.add("Flatten", List.of(x), new Params().put("axis", 1L));
    }

    /** One column of the rows: {@code [1, rows]}. */
    private static Value column(NcnnLayerCall call, Value rows, long column) {
        Params part = new Params()
                .put("starts", new long[] {column})
                .put("ends", new long[] {column + 1})
                .put("axes", new long[] {2});
        Value one = call.add("Slice", List.of(rows), part);
        return call.add("Squeeze", new Params().put("axis", new long[] {2}), one);
    }

    /** The number of rows of an image, as a vector: the others have image -1. */
    private static Value count(NcnnLayerCall call, Value rows) {
        Value found = call.add("GreaterOrEqual", column(call, rows, 0), call.number("first", 0));
        Value ones = call.add("Cast", List.of(found), new Params().put("to", DType.INT64.toString()));
        Params over = new Params().put("axis", new long[] {1}).put("keep_dims", false);
        return call.add("ReduceSum", over, ones);
    }
}
