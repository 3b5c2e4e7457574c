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
        /** The spelling {@code CORNER}. */
        CORNER,
        /** The spelling {@code CENTER_SIZE}. */
        CENTER_SIZE,
        /** The spelling {@code CORNER_SIZE}. */
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
     * @param shareLocation a bool; default {@code true}
     * @return this
     */
    public DetectionOutputOp shareLocation(boolean shareLocation) {
        return param("share_location", Attribute.of(shareLocation));
    }

    /**
     * a class that is left out; -1: none.
     *
     * @param backgroundLabelId an int; default {@code 0}
     * @return this
     */
    public DetectionOutputOp backgroundLabelId(long backgroundLabelId) {
        return param("background_label_id", Attribute.of(backgroundLabelId));
    }

    /**
     * What is not above it is left out; none: nothing is.
     *
     * @param confidenceThreshold a number; default none
     * @return this
     */
    public DetectionOutputOp confidenceThreshold(double confidenceThreshold) {
        return param("confidence_threshold", Attribute.of(confidenceThreshold));
    }

    /**
     * a box that overlaps one of its class with more confidence by more than this is left out: intersection by union.
     *
     * @param nmsThreshold a number; default {@code 0.3}; {@code >= 0}
     * @return this
     */
    public DetectionOutputOp nmsThreshold(double nmsThreshold) {
        return param("nms_threshold", Attribute.of(nmsThreshold));
    }

    /**
     * What nms_threshold is multiplied by after every box of a class, as long as it is above 0.5.
     *
     * @param eta a number; default {@code 1.0}; {@code > 0}; {@code <= 1}
     * @return this
     */
    public DetectionOutputOp eta(double eta) {
        return param("eta", Attribute.of(eta));
    }

    /**
     * So many candidates of a class are looked at; -1: all.
     *
     * @param topK an int; default {@code -1}; {@code >= -1}
     * @return this
     */
    public DetectionOutputOp topK(long topK) {
        return param("top_k", Attribute.of(topK));
    }

    /**
     * So many boxes of an image are kept; -1: all.
     *
     * @param keepTopK an int; default {@code -1}; {@code >= -1}
     * @return this
     */
    public DetectionOutputOp keepTopK(long keepTopK) {
        return param("keep_top_k", Attribute.of(keepTopK));
    }

    /**
     * What loc is relative to: corners; centre and size, the latter as a logarithm; corners in parts of the prior's
     * size.
     *
     * @param codeType a string; default {@code 'CORNER'}; one of {@code CORNER}, {@code CENTER_SIZE}, {@code
     *     CORNER_SIZE}
     * @return this
     */
    public DetectionOutputOp codeType(CodeType codeType) {
        return param("code_type", Attribute.of(codeType.toString()));
    }

    /**
     * Loc is not multiplied by the variances.
     *
     * @param varianceEncodedInTarget a bool; default {@code false}
     * @return this
     */
    public DetectionOutputOp varianceEncodedInTarget(boolean varianceEncodedInTarget) {
        return param("variance_encoded_in_target", Attribute.of(varianceEncodedInTarget));
    }

    /**
     * Boxes end at 0 and 1.
     *
     * @param clip a bool; default {@code false}
     * @return this
     */
    public DetectionOutputOp clip(boolean clip) {
        return param("clip", Attribute.of(clip));
    }

    /**
     * Boxes are parts of the picture; otherwise pixels, of which the last ones belong to the box.
     *
     * @param normalized a bool; default {@code true}
     * @return this
     */
    public DetectionOutputOp normalized(boolean normalized) {
        return param("normalized", Attribute.of(normalized));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code loc.dtype}; dims: {@code [1, 1, loc.dims[0] * rows, 7]}
     */
    public Edge y() {
        return output(0);
    }
}
