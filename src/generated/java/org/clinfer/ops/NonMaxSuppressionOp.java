package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The boxes of each class of each image that overlap none with a higher score by more than a threshold. Each row of
 * chosen is image, class, box: images in order, classes in order, falling scores, of equal ones the first box first.
 * There are as many rows as there may be at most; count says how many have a box, and the others are -1 throughout. A
 * box whose score is no number is not chosen.
 *
 * <p>One use of {@code NonMaxSuppression} while its optional fields are set; made by {@code Ops.nonMaxSuppression}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class NonMaxSuppressionOp extends OpBuilder<NonMaxSuppressionOp> {

    NonMaxSuppressionOp(Ops ops) {
        super(ops, "NonMaxSuppression", 2);
    }

    @Override
    NonMaxSuppressionOp self() {
        return this;
    }

    /**
     * The input {@code most_tensor}.
     *
     * <p>Supplies the parameter {@code max_output_boxes_per_class}, and takes back what was given for it.
     *
     * @param mostTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public NonMaxSuppressionOp mostTensor(Edge mostTensor) {
        return supplier(2, mostTensor, "max_output_boxes_per_class");
    }

    /**
     * The input {@code overlap_tensor}.
     *
     * <p>Supplies the parameter {@code iou_threshold}, and takes back what was given for it.
     *
     * @param overlapTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public NonMaxSuppressionOp overlapTensor(Edge overlapTensor) {
        return supplier(3, overlapTensor, "iou_threshold");
    }

    /**
     * The input {@code score_tensor}.
     *
     * <p>Supplies the parameter {@code score_threshold}, and takes back what was given for it.
     *
     * @param scoreTensor types: any; optional; must be known when the run is planned
     * @return this
     */
    public NonMaxSuppressionOp scoreTensor(Edge scoreTensor) {
        return supplier(4, scoreTensor, "score_threshold");
    }

    /**
     * So many boxes of a class of an image are chosen at most; none if it is below 1.
     *
     * <p>Takes back what was given for the input {@code most_tensor}.
     *
     * @param maxOutputBoxesPerClass an int; default {@code 0}; or the input {@code most_tensor}
     * @return this
     */
    public NonMaxSuppressionOp maxOutputBoxesPerClass(long maxOutputBoxesPerClass) {
        return param("max_output_boxes_per_class", Attribute.of(maxOutputBoxesPerClass), 2);
    }

    /**
     * Intersection by union beyond which the box with the lower score is left out.
     *
     * <p>Takes back what was given for the input {@code overlap_tensor}.
     *
     * @param iouThreshold a number; default {@code 0.0}; {@code >= 0}; {@code <= 1}; or the input {@code
     *     overlap_tensor}
     * @return this
     */
    public NonMaxSuppressionOp iouThreshold(double iouThreshold) {
        return param("iou_threshold", Attribute.of(iouThreshold), 3);
    }

    /**
     * Boxes whose score is not above it are left out; none: no box is.
     *
     * <p>Takes back what was given for the input {@code score_tensor}.
     *
     * @param scoreThreshold a number; default none; or the input {@code score_tensor}
     * @return this
     */
    public NonMaxSuppressionOp scoreThreshold(double scoreThreshold) {
        return param("score_threshold", Attribute.of(scoreThreshold), 4);
    }

    /**
     * Boxes are centre and size: x, y, width, height; else two opposite corners: y, x, y, x.
     *
     * @param centerPointBox a bool; default {@code false}
     * @return this
     */
    public NonMaxSuppressionOp centerPointBox(boolean centerPointBox) {
        return param("center_point_box", Attribute.of(centerPointBox));
    }

    /**
     * The output {@code chosen}, which ends this use of the operator.
     *
     * @return its value; type: int64; dims: {@code [scores.dims[0] * scores.dims[1] * most, 3]}
     */
    public Edge chosen() {
        return output(0);
    }

    /**
     * The output {@code count}, which ends this use of the operator.
     *
     * @return its value; type: int64; dims: {@code [1]}
     */
    public Edge count() {
        return output(1);
    }
}
