package org.clinfer.image;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.clinfer.tensor.Tensor;

/**
 * Reads the boxes of a detector: those with a score above a threshold, without those that overlap a better one of their
 * class too much (non-maximum suppression as ONNX {@code NonMaxSuppression} defines it: best first, a box goes if its {@link
 * Box#iou} with one that stays is above the threshold), in pixels of the picture. Immutable.
 *
 * <pre>{@code
 * Detections yolo = Detections.yolo().withLabels(labels);             // YOLOv5: 1 x boxes x (4 + 1 + classes)
 * Detections v8 = yolo.withObjectness(false).withTransposed(true);     // YOLOv8: 1 x (4 + classes) x boxes
 * List<Detection> found = yolo.of(result.get("output"), prepared);
 * }</pre>
 *
 * @param format what the four numbers of a box are
 * @param normalized whether they are parts of the input's width and height, from 0 to 1, rather than pixels of it
 * @param objectness whether a number behind those of the box says how sure it is that there is anything; scores are
 *     multiplied by it
 * @param transposed whether boxes stand side by side: {@code [1, numbers, boxes]} rather than {@code [1, boxes, numbers]}
 * @param background whether class 0 is the background, which is not found; the classes behind it then count from 0
 * @param scoreThreshold a score must be above it
 * @param iouThreshold from 0 to 1
 * @param acrossClasses whether a box also goes for a better one of another class
 * @param most how many are found at most, of all classes
 * @param labels names of the classes, without the background
 */
public record Detections(
        BoxFormat format,
        boolean normalized,
        boolean objectness,
        boolean transposed,
        boolean background,
        double scoreThreshold,
        double iouThreshold,
        boolean acrossClasses,
        int most,
        Labels labels) {

    private static final int BOX = 4;
    private static final int USUAL_MOST = 300;

    public Detections {
        if (!(iouThreshold >= 0 && iouThreshold <= 1)) {
            throw new IllegalArgumentException("the IoU threshold is from 0 to 1, but is " + iouThreshold);
        }
        if (Double.isNaN(scoreThreshold)) {
            throw new IllegalArgumentException("the score threshold is no number");
        }
        if (most < 1) {
            throw new IllegalArgumentException("at least 1 box is to be found, not " + most);
        }
    }

    /**
     * {@return the settings for a YOLO with objectness: centre and size in pixels of the input, scores above 0.25, IoU of at most
     * 0.45}
     */
    public static Detections yolo() {
        return new Detections(BoxFormat.CXCYWH, false, true, false, false, 0.25, 0.45, false, USUAL_MOST, Labels.NONE);
    }

    /**
     * {@return the settings for an SSD with boxes and scores apart: corners as parts of the input, class 0 the background, scores
     * above 0.5}
     */
    public static Detections ssd() {
        return new Detections(BoxFormat.XYXY, true, false, false, true, 0.5, 0.45, false, USUAL_MOST, Labels.NONE);
    }

    /**
     * {@return these settings with boxes in another form}
     *
     * @param other what the four numbers of a box are
     * @param areParts whether they are parts of the input's width and height, from 0 to 1, rather than pixels of it
     */
    public Detections withFormat(BoxFormat other, boolean areParts) {
        return with(next -> {
            next.format = other;
            next.normalized = areParts;
        });
    }

    /**
     * {@return these settings with or without a number that says how sure it is that there is anything}
     *
     * @param there whether that number is behind those of the box
     */
    public Detections withObjectness(boolean there) {
        return with(next -> next.objectness = there);
    }

    /**
     * {@return these settings with boxes that stand side by side, or below each other}
     *
     * @param sideBySide whether the tensor is {@code [1, numbers, boxes]} rather than {@code [1, boxes, numbers]}
     */
    public Detections withTransposed(boolean sideBySide) {
        return with(next -> next.transposed = sideBySide);
    }

    /**
     * {@return these settings with class 0 as the background, or as one like others}
     *
     * @param there whether class 0 is the background
     */
    public Detections withBackground(boolean there) {
        return with(next -> next.background = there);
    }

    /**
     * {@return these settings with other thresholds of the score and of the IoU}
     *
     * @param score a score must be above it
     * @param iou from 0 to 1; of two boxes that overlap more, the better one stays
     */
    public Detections withThresholds(double score, double iou) {
        return with(next -> {
            next.scoreThreshold = score;
            next.iouThreshold = iou;
        });
    }

    /**
     * {@return these settings with at most so many boxes}
     *
     * @param count at least 1
     */
    public Detections withMaxDetections(int count) {
        return with(next -> next.most = count);
    }

    /**
     * {@return these settings with non-maximum suppression among the boxes of all classes, or of each class alone}
     *
     * @param amongAllClasses whether a box also goes for a better one of another class
     */
    public Detections withClassAgnosticNms(boolean amongAllClasses) {
        return with(next -> next.acrossClasses = amongAllClasses);
    }

    /**
     * {@return these settings with these names of the classes}
     *
     * @param names without the background
     */
    public Detections withLabels(Labels names) {
        return with(next -> next.labels = names);
    }

    /**
     * The boxes of one tensor, each with its numbers in a row: four of the box, the objectness if there is one, then a score
     * for each class.
     *
     * @param rows {@code [1, boxes, numbers]}, or {@code [1, numbers, boxes]} if {@link #transposed}
     * @param picture the input that the network was given
     * @return the best first
     * @throws IllegalArgumentException if the tensor has another shape
     */
    public List<Detection> of(Tensor rows, PreparedPicture picture) {
        Table table = Table.of(rows, transposed);
        int first = objectness ? BOX + 1 : BOX;
        if (table.columns <= first) {
            throw new IllegalArgumentException("the boxes " + rows.type() + " have " + table.columns + " numbers each"
                    + " where there are " + first + " before the scores; are they transposed?");
        }
        return found(table, table, first, picture);
    }

    /**
     * The boxes and the scores of two tensors. The box need not have an objectness.
     *
     * @param boxes {@code [1, boxes, 4]}, or {@code [1, 4, boxes]} if {@link #transposed}
     * @param scores {@code [1, boxes, classes]}, or {@code [1, classes, boxes]}
     * @param picture the input that the network was given
     * @return the best first
     * @throws IllegalArgumentException if the tensors have other shapes
     */
    public List<Detection> of(Tensor boxes, Tensor scores, PreparedPicture picture) {
        Table places = Table.of(boxes, transposed);
        Table table = Table.of(scores, transposed);
        if (places.columns != BOX || places.rows != table.rows || objectness) {
            throw new IllegalArgumentException("boxes " + boxes.type() + " and scores " + scores.type()
                    + " are not four numbers and some scores for each box" + (objectness ? " without objectness" : ""));
        }
        return found(places, table, 0, picture);
    }

    /** Numbers in rows, one row for each box. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Table(float[] values, int rows, int columns, boolean transposed) {

        static Table of(Tensor tensor, boolean transposed) {
            long[] sizes = tensor.shape().sizes();
            int last = sizes.length - 1;
            boolean single = last >= 1;
            for (int axis = 0; axis < last - 1; axis++) {
                single &= sizes[axis] == 1;
            }
            if (!single) {
                throw new IllegalArgumentException(
                        "boxes of one picture are 1 x boxes x numbers, not " + tensor.type());
            }
            int rows = (int) sizes[transposed ? last : last - 1];
            int columns = (int) sizes[transposed ? last - 1 : last];
            return new Table(tensor.toFloatArray(), rows, columns, transposed);
        }

        float at(int row, int column) {
            return values[transposed ? column * rows + row : row * columns + column];
        }
    }

    private List<Detection> found(Table places, Table scores, int first, PreparedPicture picture) {
        List<Detection> candidates = new ArrayList<>();
        int from = background ? first + 1 : first;
        for (int row = 0; row < scores.rows; row++) {
            double sure = objectness ? scores.at(row, BOX) : 1;
            for (int column = from; column < scores.columns; column++) {
                double score = sure * scores.at(row, column);
                if (score > scoreThreshold) {
                    Box box = box(places, row, picture);
                    int number = column - from;
                    if (box.isFinite()) {
                        candidates.add(new Detection(box, number, labels.name(number), score));
                    }
                }
            }
        }
        return suppressed(candidates).stream()
                .map(each -> new Detection(picture.toPicture(each.box()), each.number(), each.name(), each.score()))
                .toList();
    }

    private Box box(Table places, int row, PreparedPicture picture) {
        double x = normalized ? picture.width() : 1;
        double y = normalized ? picture.height() : 1;
        Box box = format.box(places.at(row, 0), places.at(row, 1), places.at(row, 2), places.at(row, 3));
        return Box.of(box.left() * x, box.top() * y, box.right() * x, box.bottom() * y);
    }

    /** The boxes that stay, in pixels of the input as they came. */
    private List<Detection> suppressed(List<Detection> candidates) {
        List<Detection> kept = new ArrayList<>();
        candidates.sort(Comparator.comparingDouble(Detection::score).reversed());
        for (Detection each : candidates) {
            boolean hidden = kept.stream()
                    .filter(better -> acrossClasses || better.number() == each.number())
                    .anyMatch(better -> better.box().iou(each.box()) > iouThreshold);
            if (!hidden) {
                kept.add(each);
            }
            if (kept.size() == most) {
                break;
            }
        }
        return kept;
    }

    /** A copy with a change. */
    private Detections with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.detections();
    }

    /** Settings that are about to be changed. */
    private static final class Draft {
        private BoxFormat format;
        private boolean normalized;
        private boolean objectness;
        private boolean transposed;
        private boolean background;
        private double scoreThreshold;
        private double iouThreshold;
        private boolean acrossClasses;
        private int most;
        private Labels labels;

        private Draft(Detections from) {
            format = from.format;
            normalized = from.normalized;
            objectness = from.objectness;
            transposed = from.transposed;
            background = from.background;
            scoreThreshold = from.scoreThreshold;
            iouThreshold = from.iouThreshold;
            acrossClasses = from.acrossClasses;
            most = from.most;
            labels = from.labels;
        }

        private Detections detections() {
            return new Detections(
                    format,
                    normalized,
                    objectness,
                    transposed,
                    background,
                    scoreThreshold,
                    iouThreshold,
                    acrossClasses,
                    most,
                    labels);
        }
    }
}
