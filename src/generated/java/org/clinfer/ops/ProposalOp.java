package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The regions that a region proposal network finds, as Faster R-CNN has it: boxes around every place of a map, of
 * several sizes and shapes, moved by deltas, without those that overlap. Each row of rois is image, left, top, right,
 * bottom, in pixels; falling scores. Every image has post_nms_topn rows; those that are not needed are 0 but for the
 * image.
 *
 * <p>One use of {@code Proposal} while its optional fields are set; made by {@code Ops.proposal}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ProposalOp extends OpBuilder<ProposalOp> {

    ProposalOp(Ops ops) {
        super(ops, "Proposal", 1);
    }

    @Override
    ProposalOp self() {
        return this;
    }

    /**
     * Pixels from one place of the map to the next.
     *
     * @param featStride an int; default {@code 16}; {@code >= 1}; {@code < 1073741824}
     * @return this
     */
    public ProposalOp featStride(long featStride) {
        return param("feat_stride", Attribute.of(featStride));
    }

    /**
     * Side of the square that ratio and scale are applied to.
     *
     * @param baseSize an int; default {@code 16}; {@code >= 1}; {@code < 1048576}
     * @return this
     */
    public ProposalOp baseSize(long baseSize) {
        return param("base_size", Attribute.of(baseSize));
    }

    /**
     * Boxes with a shorter side, in pixels of the picture before it was enlarged, are left out.
     *
     * @param minSize a number; default {@code 16}; {@code >= 0}
     * @return this
     */
    public ProposalOp minSize(double minSize) {
        return param("min_size", Attribute.of(minSize));
    }

    /**
     * Heights by widths.
     *
     * @param ratio a list of numbers; default {@code [0.5, 1.0, 2.0]}; each {@code > 0}
     * @return this
     */
    public ProposalOp ratio(double... ratio) {
        return param("ratio", Attribute.ofReals(ratio));
    }

    /**
     * The parameter {@code scale}.
     *
     * @param scale a list of numbers; default {@code [8.0, 16.0, 32.0]}; each {@code > 0}
     * @return this
     */
    public ProposalOp scale(double... scale) {
        return param("scale", Attribute.ofReals(scale));
    }

    /**
     * So many boxes of an image are looked at; 0: all.
     *
     * @param preNmsTopn an int; default {@code 6000}; {@code >= 0}
     * @return this
     */
    public ProposalOp preNmsTopn(long preNmsTopn) {
        return param("pre_nms_topn", Attribute.of(preNmsTopn));
    }

    /**
     * So many boxes of an image are kept.
     *
     * @param postNmsTopn an int; default {@code 300}; {@code >= 1}
     * @return this
     */
    public ProposalOp postNmsTopn(long postNmsTopn) {
        return param("post_nms_topn", Attribute.of(postNmsTopn));
    }

    /**
     * a box that overlaps one with a higher score by more than this is left out: intersection by union.
     *
     * @param nmsThresh a number; default {@code 0.7}; {@code >= 0}
     * @return this
     */
    public ProposalOp nmsThresh(double nmsThresh) {
        return param("nms_thresh", Attribute.of(nmsThresh));
    }

    /**
     * The output {@code rois}, which ends this use of the operator.
     *
     * @return its value; type: {@code scores.dtype}; dims: {@code [scores.dims[0] * post_nms_topn, 5]}
     */
    public Edge rois() {
        return output(0);
    }

    /**
     * The output {@code roi_scores}, which ends this use of the operator.
     *
     * @return its value; type: {@code scores.dtype}; dims: {@code [scores.dims[0] * post_nms_topn, 1]}
     */
    public Edge roiScores() {
        return output(1);
    }
}
