package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The boxes that a detector with prior boxes finds, as Caffe's SSD has it. Each row is image, label, confidence, left,
 * top, right, bottom; images in order, labels in order, falling confidence. There are as many rows as there may be at
 * most; those that are not needed are -1 throughout, and at the end.
 *
 * <p>One use of {@code DetectionOutput} while its optional fields are set; made by {@code Ops.detectionOutput}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class DetectionOutputOp extends OpBuilder<DetectionOutputOp> {

    /**
     * The values of {@code CodeType} of {@code DetectionOutput}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum CodeType {
        CORNER,
        CENTER_SIZE,
        CORNER_SIZE
    }

    DetectionOutputOp(Ops ops) {
        super(ops, "DetectionOutput", 1);
    }

    @Override
    DetectionOutputOp self() {
        return this;
    }

    /**
     * All classes have the same boxes.
     *
     * <p>A bool; default {@code true}.
     */
    public DetectionOutputOp shareLocation(boolean shareLocation) {
        return param("share_location", Attribute.of(shareLocation));
    }

    /**
     * a class that is left out; -1: none.
     *
     * <p>An int; default {@code 0}.
     */
    public DetectionOutputOp backgroundLabelId(long backgroundLabelId) {
        return param("background_label_id", Attribute.of(backgroundLabelId));
    }

    /**
     * What is not above it is left out; none: nothing is.
     *
     * <p>A number; default none.
     */
    public DetectionOutputOp confidenceThreshold(double confidenceThreshold) {
        return param("confidence_threshold", Attribute.of(confidenceThreshold));
    }

    /**
     * a box that overlaps one of its class with more confidence by more than this is left out: intersection by union.
     *
     * <p>A number; default {@code 0.3}; {@code >= 0}.
     */
    public DetectionOutputOp nmsThreshold(double nmsThreshold) {
        return param("nms_threshold", Attribute.of(nmsThreshold));
    }

    /**
     * What nms_threshold is multiplied by after every box of a class, as long as it is above 0.5.
     *
     * <p>A number; default {@code 1.0}; {@code > 0}; {@code <= 1}.
     */
    public DetectionOutputOp eta(double eta) {
        return param("eta", Attribute.of(eta));
    }

    /**
     * So many candidates of a class are looked at; -1: all.
     *
     * <p>An int; default {@code -1}; {@code >= -1}.
     */
    public DetectionOutputOp topK(long topK) {
        return param("top_k", Attribute.of(topK));
    }

    /**
     * So many boxes of an image are kept; -1: all.
     *
     * <p>An int; default {@code -1}; {@code >= -1}.
     */
    public DetectionOutputOp keepTopK(long keepTopK) {
        return param("keep_top_k", Attribute.of(keepTopK));
    }

    /**
     * What loc is relative to: corners; centre and size, the latter as a logarithm; corners in parts of the prior's
     * size.
     *
     * <p>A string; default {@code 'CORNER'}; one of {@code CORNER}, {@code CENTER_SIZE}, {@code CORNER_SIZE}.
     */
    public DetectionOutputOp codeType(CodeType codeType) {
        return param("code_type", Attribute.of(codeType.toString()));
    }

    /**
     * Loc is not multiplied by the variances.
     *
     * <p>A bool; default {@code false}.
     */
    public DetectionOutputOp varianceEncodedInTarget(boolean varianceEncodedInTarget) {
        return param("variance_encoded_in_target", Attribute.of(varianceEncodedInTarget));
    }

    /**
     * Boxes end at 0 and 1.
     *
     * <p>A bool; default {@code false}.
     */
    public DetectionOutputOp clip(boolean clip) {
        return param("clip", Attribute.of(clip));
    }

    /**
     * Boxes are parts of the picture; otherwise pixels, of which the last ones belong to the box.
     *
     * <p>A bool; default {@code true}.
     */
    public DetectionOutputOp normalized(boolean normalized) {
        return param("normalized", Attribute.of(normalized));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code loc.dtype}; dims: {@code [1, 1, loc.dims[0] * rows, 7]}.
     */
    public Edge y() {
        return output(0);
    }
}
