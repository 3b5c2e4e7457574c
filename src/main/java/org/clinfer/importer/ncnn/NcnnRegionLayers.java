package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Regions of pictures: those that a network proposes, and windows of the first region of a blob. */
final class NcnnRegionLayers {

    private static final double[] RATIOS = {0.5, 1, 2};
    private static final double[] SCALES = {8, 16, 32};

    /** Below every score. */
    private static final double LEAST = -Float.MAX_VALUE;

    private NcnnRegionLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.several("Proposal", NcnnRegionLayers::proposals);
        all.one("ROIPooling", NcnnRegionLayers::pool);
        all.one("PSROIPooling", NcnnRegionLayers::positionSensitive);
        all.one("ROIAlign", NcnnRegionLayers::align);
    }

    /** The four numbers of the first region: {@code [1, 4]}. */
    private static Value region(NcnnLayerCall call, Value regions) {
        return call.reshaped(call.part(call.reshaped(regions, -1), 0, 0, 4), 1, 4);
    }

    /** The first region behind the number of its picture. */
    private static List<Value> operands(NcnnLayerCall call) {
        List<Value> inputs = call.inputs(2, 2);
        Value picture = call.constant("picture", Tensor.of(new float[1], 1, 1));
        Value region = region(call, inputs.get(1));
        return List.of(call.picture(inputs.get(0)), call.add("Concat", new Params().put("axis", 1L), picture, region));
    }

    private static Value pool(NcnnLayerCall call) {
        LayerParams params = call.params();
        long[] size = {params.size(1, 0, 1), params.size(0, 0, 1)};
        Params pool = new Params().put("pooled_size", size).put("spatial_scale", params.real(2, 1));
        return call.add("RoiPool", operands(call), pool);
    }

    private static Value positionSensitive(NcnnLayerCall call) {
        LayerParams params = call.params();
        long group = params.size(0, 7, 1);
        if (params.size(1, 7, 1) != group) {
            throw call.unsupportedUse("windows in " + params.size(1, 7, 1) + " rows and " + group + " columns");
        }
        long outputs = params.size(3, 0, 1);
        List<Value> operands = operands(call);
        if (operands.get(0).sizeOr0(1) != outputs * group * group) {
            throw params.wrong(
                    3,
                    operands.get(0).shape().dim(1) + " channels are not those of " + outputs + " outputs with " + group
                            + " rows and columns of windows");
        }
        Params pool = new Params().put("group_size", group).put("spatial_scale", params.real(2, 0.0625f));
        return call.add("PsRoiPool", operands, pool);
    }

    private static Value align(NcnnLayerCall call) {
        LayerParams params = call.params();
        boolean aligned = params.flag(4, false);
        int version = params.integer(5, 0);
        if (version < 0 || version > 1) {
            throw params.wrong(5, "expected 0 or 1, found " + version);
        }
        List<Value> inputs = call.inputs(2, 2);
        if (version == 0) {
            return new NcnnClippedRegion(call, region(call, inputs.get(1))).means(call.picture(inputs.get(0)));
        }
        Params pool = new Params()
                .put("output_height", (long) params.size(1, 0, 1))
                .put("output_width", (long) params.size(0, 0, 1))
                .put("sampling_ratio", (long) Math.max(params.integer(3, 0), 0))
                .put("spatial_scale", params.real(2, 1))
                .put("coordinate_transformation_mode", aligned ? "half_pixel" : "output_half_pixel");
        Value picture = call.vector("picture", 0);
        return call.add("RoiAlign", pool, call.picture(inputs.get(0)), region(call, inputs.get(1)), picture);
    }

    /** The map of places around which boxes are. */
    private record Places(long rows, long columns, int stride, int side) {

        private static final int BOXES = RATIOS.length * SCALES.length;

        static Places of(NcnnLayerCall call, Value scores, Value deltas) {
            LayerParams params = call.params();
            Places map = new Places(scores.sizeOr0(2), scores.sizeOr0(3), params.size(0, 16, 1), params.size(1, 16, 1));
            if (map.rows == 0 || map.columns == 0) {
                throw call.unsupportedUse("blobs of a size that is not known");
            }
            Shape wanted = Shape.of(1, 4L * BOXES, map.rows, map.columns);
            if (scores.sizeOr0(1) != 2L * BOXES || !deltas.shape().equals(wanted)) {
                throw call.malformed("it takes scores of " + 2 * BOXES + " channels and deltas " + wanted
                        + ", but is given " + scores.shape() + " and " + deltas.shape());
            }
            if (map.rows > NcnnLayerCall.MOST_FILLED / BOXES / map.columns) {
                throw call.malformed("it has " + map.rows + " x " + map.columns + " places, which are too many");
            }
            return map;
        }

        /** The number of places. */
        long places() {
            return rows * columns;
        }

        /** The middle of the boxes of each place. */
        Value middles(NcnnLayerCall call) {
            Tensor middles = Tensor.allocate(DType.FLOAT32, places(), 2);
            for (long place = 0; place < places(); place++) {
                long column = place % columns;
                long row = place / columns;
                middles.setDouble(2 * place, side * 0.5 + (double) (column * stride));
                middles.setDouble(2 * place + 1, side * 0.5 + (double) (row * stride));
            }
            return call.constant("middles", middles);
        }

        /** Width and height of the boxes of a place. */
        Value sizes(NcnnLayerCall call) {
            Tensor sizes = Tensor.allocate(DType.FLOAT32, BOXES, 1, 2);
            int i = 0;
            for (double ratio : RATIOS) {
                double width = Math.floor(side / Math.sqrt(ratio) + 0.5);
                double height = Math.floor(width * ratio + 0.5);
                for (double scale : SCALES) {
                    sizes.setDouble(i++, width * scale);
                    sizes.setDouble(i++, height * scale);
                }
            }
            return call.constant("sizes", sizes);
        }
    }

    /** Boxes inside of the picture, in the order of their scores, without those that overlap a better one. */
    private static List<Value> proposals(NcnnLayerCall call) {
        LayerParams params = call.params();
        List<Value> inputs = call.inputs(3, 3);
        Value scores = call.picture(inputs.get(0));
        Value deltas = call.picture(inputs.get(1));
        if (call.outputs() > 2) {
            throw call.malformed("it gives 2 blobs at most, but names " + call.outputs());
        }
        Places map = Places.of(call, scores, deltas);
        long count = Places.BOXES * map.places();
        Value info = call.reshaped(inputs.get(2), -1);
        Value corners = call.reshaped(clipped(call, boxes(call, map, deltas), info), 1, count, 4);
        Value objects = call.reshaped(call.part(scores, 1, Places.BOXES, 2L * Places.BOXES), 1, count);
        Value least = call.add("Mul", call.part(info, 0, 2, 3), call.number("min_size", params.integer(5, 16)));
        Value sides = call.add(
                "Add",
                call.add("Sub", call.part(corners, 2, 2, 4), call.part(corners, 2, 0, 2)),
                call.number("one", 1));
        Value shorter = call.add("ReduceMin", new Params().put("axis", new long[] {2}), sides);
        Value large = call.add("GreaterOrEqual", shorter, least);
        Value valid = call.add("Where", large, objects, call.number("none", LEAST));
        long looked = params.integer(2, 6000) > 0 ? Math.min(count, params.integer(2, 6000)) : count;
        Params best = new Params().put("k", looked).put("axis", 1L);
        List<Value> order = call.addAll("TopK", List.of(valid), best, 2);
        Params along = new Params().put("axis", 1L);
        Value sorted = call.add("Gather", along, corners, call.reshaped(order.get(1), looked));
        Params suppression = new Params()
                .put("max_output_boxes_per_class", (long) params.size(3, 300, 1))
                .put("iou_threshold", params.real(4, 0.7f))
                .put("score_threshold", LEAST);
        Value kept = NcnnDetectionLayers.kept(call, sorted, call.reshaped(order.get(0), 1, 1, looked), suppression);
        List<Value> results = new ArrayList<>();
        results.add(call.reshaped(call.add("Gather", along, sorted, kept), 1, -1, 1, 4));
        if (call.outputs() > 1) {
            results.add(call.reshaped(call.add("Gather", along, order.get(0), kept), 1, -1, 1, 1));
        }
        return results;
    }

    /** Left, top, right and bottom of every box: {@code [1, boxes, places, 4]}. */
    private static Value boxes(NcnnLayerCall call, Places map, Value deltas) {
        Value split = call.reshaped(deltas, 1, Places.BOXES, 4, map.places());
        Value last = call.add("Transpose", new Params().put("perm", new long[] {0, 1, 3, 2}), split);
        Value sizes = map.sizes(call);
        Value moved = call.add("Mul", call.part(last, 3, 0, 2), sizes);
        Value middle = call.add("Add", map.middles(call), moved);
        Value size = call.add("Mul", call.add("Exp", call.part(last, 3, 2, 4)), sizes);
        Value half = call.add("Mul", size, call.number("half", 0.5));
        Params columns = new Params().put("axis", 3L);
        return call.add("Concat", columns, call.add("Sub", middle, half), call.add("Add", middle, half));
    }

    /** Boxes as far as they are inside of the picture, of which height and width are given. */
    private static Value clipped(NcnnLayerCall call, Value boxes, Value info) {
        Value limits = call.add("Gather", new Params().put("axis", 0L), info, call.vector("sides", 1, 0, 1, 0));
        Value most = call.add("Sub", limits, call.number("pixel", 1));
        return call.add("Max", call.add("Min", boxes, most), call.number("zero", 0));
    }
}
