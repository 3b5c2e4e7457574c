package org.clinfer.importer.caffe;

import java.util.List;
import java.util.function.Function;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.PriorBoxes;
import org.clinfer.importer.Value;

/** Layers of {@link PriorBoxes}. */
final class PriorBoxLayers {

    private PriorBoxLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("PriorBox", call -> boxes(call, PriorBoxLayers::byRatios));
        all.one("PriorBoxClustered", call -> boxes(call, PriorBoxLayers::byPairs));
    }

    private static Value boxes(CaffeLayerCall call, Function<CaffeFields, List<PriorBoxes.Box>> sizes) {
        CaffeFields params = call.params("prior_box_param");
        List<Value> inputs = call.inputs(2, 2);
        Value map = inputs.get(0);
        Value picture = inputs.get(1);
        if (map.rank() != 4 || picture.rank() != 4) {
            throw call.malformed("its bottoms must have 4 axes");
        }
        PriorBoxes boxes = new PriorBoxes(
                sizes.apply(params), params.real("offset", 0.5), params.flag("clip", false), variances(params));
        PriorBoxes.Grid grid = PriorBoxes.Grid.of(call, map);
        Value pictureSize = pictureSize(call, params, picture);
        return boxes.add(call, grid, steps(call, params, grid, pictureSize), pictureSize);
    }

    private static List<PriorBoxes.Box> byPairs(CaffeFields params) {
        List<Double> widths = params.reals("width");
        List<Double> heights = params.reals("height");
        if (widths.isEmpty() || widths.size() != heights.size()) {
            throw params.wrong("width", "there are " + widths.size() + " widths and " + heights.size() + " heights");
        }
        return PriorBoxes.boxes(widths, heights);
    }

    private static List<PriorBoxes.Box> byRatios(CaffeFields params) {
        List<Double> least = params.reals("min_size");
        List<Double> most = params.reals("max_size");
        if (least.isEmpty() || !(most.isEmpty() || most.size() == least.size())) {
            throw params.wrong(
                    "min_size", "there are " + least.size() + " least and " + most.size() + " largest sizes");
        }
        List<Double> ratios = params.reals("aspect_ratio");
        for (double ratio : ratios) {
            if (!(ratio > 0)) {
                throw params.wrong("aspect_ratio", "expected numbers above 0, found " + ratio);
            }
        }
        // the sizes are whole numbers, whatever is written
        return PriorBoxes.boxes(
                least.stream().map(Math::floor).toList(),
                most.stream().map(Math::floor).toList(),
                PriorBoxes.ratios(ratios, params.flag("flip", true)));
    }

    private static List<Double> variances(CaffeFields params) {
        List<Double> given = params.reals("variance");
        if (given.size() > 1 && given.size() != 4) {
            throw params.wrong("variance", "expected 1 or 4 numbers, found " + given.size());
        }
        return PriorBoxes.variances(given);
    }

    /** Height and width of the picture. */
    private static Value pictureSize(CaffeLayerCall call, CaffeFields params, Value picture) {
        requireEither(params, "img_size", "img_h", "img_w");
        double side = params.size("img_size", 0, 1);
        double height = params.size("img_h", (long) side, 1);
        double width = params.size("img_w", (long) side, 1);
        return height == 0 || width == 0
                ? PriorBoxes.real(call, call.sizes(picture, 2, 4))
                : PriorBoxes.pair(call, "img_size", height, width);
    }

    /** Refuses a number for both axes beside one for each. */
    private static void requireEither(CaffeFields params, String both, String height, String width) {
        params.requireTogether(height, width);
        if (params.has(both) && params.has(height)) {
            throw params.wrong(both, "it is given beside " + height + " and " + width);
        }
    }

    /** Rows and columns of the picture for each of the map. */
    private static Value steps(CaffeLayerCall call, CaffeFields params, PriorBoxes.Grid grid, Value pictureSize) {
        requireEither(params, "step", "step_h", "step_w");
        double both = params.real("step", 0);
        double height = params.real("step_h", both);
        double width = params.real("step_w", both);
        return height == 0 || width == 0
                ? PriorBoxes.steps(call, grid, pictureSize)
                : PriorBoxes.pair(call, "steps", height, width);
    }
}
