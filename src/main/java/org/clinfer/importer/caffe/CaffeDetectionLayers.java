package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Layers that find boxes, or look at parts of pictures. */
final class CaffeDetectionLayers {

    private CaffeDetectionLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("DetectionOutput", CaffeDetectionLayers::detections);
        all.several("Proposal", CaffeDetectionLayers::proposals);
        all.one("ROIPooling", CaffeDetectionLayers::regions);
        all.one("PSROIPooling", CaffeDetectionLayers::positionSensitive);
    }

    private static Value detections(CaffeLayerCall call) {
        CaffeFields params = call.params("detection_output_param");
        params.ignore("save_output_param", "visualize", "visualize_threshold", "save_file");
        List<Value> inputs = call.inputs(3, 4);
        long classes = params.requiredSize("num_classes", 1);
        boolean clip = params.flag("clip", false);
        boolean normalized = params.flag("normalized_bbox", true);
        if (clip && !normalized) {
            throw call.unsupportedUse("'clip' of boxes in pixels");
        }
        if (params.flag("loc_pred_transposed", false)) {
            throw call.unsupportedUse("'loc_pred_transposed'");
        }
        Params detector = new Params()
                .put("num_classes", classes)
                .put("share_location", params.flag("share_location", true))
                .put("background_label_id", params.integer("background_label_id", 0, Integer.MIN_VALUE, 1L << 30))
                .put("variance_encoded_in_target", params.flag("variance_encoded_in_target", false))
                .put("keep_top_k", limit(params, "keep_top_k"))
                .put("code_type", params.choice("code_type", "CORNER", "", "CORNER", "CENTER_SIZE", "CORNER_SIZE"))
                .put("clip", clip)
                .put("normalized", normalized);
        if (params.has("confidence_threshold")) {
            detector.put("confidence_threshold", params.real("confidence_threshold", 0));
        }
        CaffeFields suppression = params.message("nms_param");
        detector.put("nms_threshold", suppression.real("nms_threshold", 0.3f))
                .put("eta", suppression.real("eta", 1))
                .put("top_k", limit(suppression, "top_k"));
        List<Value> operands =
                List.of(rows(call, inputs.get(0)), rows(call, inputs.get(1)), priors(call, inputs.get(2)));
        return call.add("DetectionOutput", operands, detector);
    }

    /** The largest number of them; every negative number means all. */
    private static long limit(CaffeFields params, String field) {
        return Math.max(-1, params.integer(field, -1, Integer.MIN_VALUE, (1L << 30) - 1));
    }

    /** A row for each image. */
    private static Value rows(CaffeLayerCall call, Value x) {
        return x.rank() == 2 ? x : call.add("Flatten", List.of(x), new Params().put("axis", 1L));
    }

    private static Value priors(CaffeLayerCall call, Value x) {
        return x.rank() <= 3 ? x : call.add("Reshape", List.of(x), new Params().put("shape", new long[] {0, 0, -1}));
    }

    private static List<Value> proposals(CaffeLayerCall call) {
        CaffeFields params = call.params("proposal_param");
        Params network = new Params()
                .put("feat_stride", params.size("feat_stride", 16, 1))
                .put("base_size", params.size("base_size", 16, 1))
                .put("min_size", params.real("min_size", 16))
                .put("pre_nms_topn", params.size("pre_nms_topn", 6000, 0))
                .put("post_nms_topn", params.size("post_nms_topn", 300, 1))
                .put("nms_thresh", params.real("nms_thresh", 0.7f))
                .put("ratio", reals(params, "ratio"))
                .put("scale", reals(params, "scale"));
        return proposals(call, network);
    }

    static List<Value> proposals(CaffeLayerCall call, Params network) {
        List<Value> inputs = call.inputs(3, 3);
        int tops = call.layer().tops().size();
        if (tops > 2) {
            throw call.malformed("it gives 2 tops at most, but names " + tops);
        }
        List<Value> operands = List.of(inputs.get(0), inputs.get(1), rows(call, inputs.get(2)));
        return call.addAll("Proposal", operands, network, tops);
    }

    private static double[] reals(CaffeFields params, String field) {
        List<Double> given = params.reals(field);
        if (given.isEmpty()) {
            throw params.wrong(field, "it is missing");
        }
        return given.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static List<Value> withRegions(CaffeLayerCall call) {
        List<Value> inputs = new ArrayList<>(call.inputs(2, 2));
        inputs.set(1, rows(call, inputs.get(1)));
        return inputs;
    }

    private static Value regions(CaffeLayerCall call) {
        CaffeFields params = call.params("roi_pooling_param");
        long[] size = {params.requiredSize("pooled_h", 1), params.requiredSize("pooled_w", 1)};
        Params pool = new Params().put("pooled_size", size).put("spatial_scale", params.real("spatial_scale", 1));
        return call.add("RoiPool", withRegions(call), pool);
    }

    private static Value positionSensitive(CaffeLayerCall call) {
        CaffeFields params = call.params("psroi_pooling_param");
        long group = params.requiredSize("group_size", 1);
        long outputs = params.requiredSize("output_dim", 1);
        if (!params.has("spatial_scale")) {
            throw params.wrong("spatial_scale", "it is missing");
        }
        List<Value> operands = withRegions(call);
        Params pool = new Params().put("group_size", group).put("spatial_scale", params.real("spatial_scale", 1));
        Value y = call.add("PsRoiPool", operands, pool);
        if (y.shape().dim(1).isKnown() && y.shape().size(1) != outputs) {
            throw params.wrong(
                    "output_dim",
                    "the bottom has channels for " + y.shape().size(1) + " with group_size " + group + ", not "
                            + outputs);
        }
        return y;
    }
}
