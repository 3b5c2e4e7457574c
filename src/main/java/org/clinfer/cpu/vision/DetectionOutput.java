package org.clinfer.cpu.vision;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;

/** The boxes that a detector with prior boxes finds; all in double precision. */
final class DetectionOutput implements CpuOperator {

    private static final int SIDES = 4;
    private static final int ROW = 7;

    @Override
    public void run(CpuCall call) {
        Parameters params = call.parameters();
        Detector detector = new Detector(params, TensorValues.allDoubles(call.input(2)));
        double[] loc = TensorValues.allDoubles(call.input(0));
        double[] conf = TensorValues.allDoubles(call.input(1));
        double[] rows = new double[Math.toIntExact(call.output().elements())];
        Arrays.fill(rows, -1);
        int images = Math.toIntExact(call.input(0).shape().size(0));
        int row = 0;
        for (int image = 0; image < images; image++) {
            int at = image;
            double[] own = Arrays.copyOfRange(loc, at * (loc.length / images), (at + 1) * (loc.length / images));
            Boxes[] boxes = IntStream.range(0, detector.locClasses)
                    .mapToObj(label -> detector.boxes(own, label))
                    .toArray(Boxes[]::new);
            double[][] scores = detector.scores(conf, at * (conf.length / images));
            int[][] kept = new int[detector.classes][];
            call.parallel().forRange(detector.classes, 1, (from, to) -> {
                for (int label = from; label < to; label++) {
                    kept[label] = detector.kept(boxes[label % detector.locClasses], scores[label], label);
                }
            });
            row = write(rows, row, at, boxes, scores, detector.best(kept, scores));
        }
        TensorValues.of(call.output()).write(0, rows, 0, rows.length);
    }

    private static int write(double[] rows, int first, int image, Boxes[] boxes, double[][] scores, int[][] kept) {
        int row = first;
        for (int label = 0; label < kept.length; label++) {
            Boxes own = boxes[label % boxes.length];
            for (int box : kept[label]) {
                int at = row++ * ROW;
                rows[at] = image;
                rows[at + 1] = label;
                rows[at + 2] = scores[label][box];
                for (int side = 0; side < SIDES; side++) {
                    rows[at + 3 + side] = own.corner(box, side);
                }
            }
        }
        return row;
    }

    /** The parameters and the priors, which do not depend on the image. */
    private static final class Detector {

        private final Parameters params;
        private final double[] priors;
        private final int count;
        private final int classes;
        private final int locClasses;
        private final boolean clip;
        private final String code;
        private final double rim;

        Detector(Parameters params, double[] priors) {
            this.params = params;
            this.priors = priors;
            this.count = Math.toIntExact(params.integer("prior_count"));
            this.classes = Math.toIntExact(params.integer("num_classes"));
            this.locClasses = Math.toIntExact(params.integer("loc_classes"));
            this.clip = params.flag("clip");
            this.code = params.text("code_type");
            this.rim = params.flag("normalized") ? 0 : 1;
        }

        /** The boxes of a class, of all classes where they share them. */
        Boxes boxes(double[] loc, int label) {
            double[] corners = new double[count * SIDES];
            double[] box = new double[SIDES];
            boolean scaled = !params.flag("variance_encoded_in_target");
            for (int prior = 0; prior < count; prior++) {
                for (int side = 0; side < SIDES; side++) {
                    double variance = scaled ? priors[(count + prior) * SIDES + side] : 1;
                    box[side] = variance * loc[(prior * locClasses + label) * SIDES + side];
                }
                decode(prior, box);
                for (int side = 0; side < SIDES; side++) {
                    corners[prior * SIDES + side] = clip ? Math.max(Math.min(box[side], 1), 0) : box[side];
                }
            }
            return new Boxes(corners, rim);
        }

        /** The corners of a box that is relative to its prior. */
        private void decode(int prior, double[] box) {
            double left = priors[prior * SIDES];
            double top = priors[prior * SIDES + 1];
            double right = priors[prior * SIDES + 2];
            double bottom = priors[prior * SIDES + 3];
            switch (code) {
                case "CENTER_SIZE" -> {
                    double width = right - left + rim;
                    double height = bottom - top + rim;
                    double centreX = box[0] * width + (left + width / 2);
                    double centreY = box[1] * height + (top + height / 2);
                    double halfWidth = Math.exp(box[2]) * width / 2;
                    double halfHeight = Math.exp(box[3]) * height / 2;
                    set(box, centreX - halfWidth, centreY - halfHeight, centreX + halfWidth, centreY + halfHeight);
                }
                case "CORNER_SIZE" -> {
                    double width = right - left + rim;
                    double height = bottom - top + rim;
                    set(
                            box,
                            left + box[0] * width,
                            top + box[1] * height,
                            right + box[2] * width,
                            bottom + box[3] * height);
                }
                default -> set(box, left + box[0], top + box[1], right + box[2], bottom + box[3]);
            }
        }

        private static void set(double[] box, double left, double top, double right, double bottom) {
            box[0] = left;
            box[1] = top;
            box[2] = right;
            box[3] = bottom;
        }

        /** The confidence of each prior, for each class. */
        double[][] scores(double[] conf, int first) {
            double[][] scores = new double[classes][count];
            for (int prior = 0; prior < count; prior++) {
                for (int label = 0; label < classes; label++) {
                    scores[label][prior] = conf[first + prior * classes + label];
                }
            }
            return scores;
        }

        /** The boxes of a class that stay, best first. */
        int[] kept(Boxes boxes, double[] scores, int label) {
            if (label == params.integer("background_label_id")) {
                return new int[0];
            }
            double least = params.has("confidence_threshold") ? params.real("confidence_threshold") : -Float.MAX_VALUE;
            int[] order = Boxes.byScore(IntStream.range(0, count).filter(box -> scores[box] > least), scores);
            long most = params.integer("top_k");
            int[] first = most < 0 || most >= order.length ? order : Arrays.copyOf(order, (int) most);
            return boxes.apart(first, params.real("nms_threshold"), params.real("eta"), Integer.MAX_VALUE);
        }

        /** The best boxes of all classes, by class. */
        int[][] best(int[][] kept, double[][] scores) {
            int total = Arrays.stream(kept).mapToInt(own -> own.length).sum();
            long most = params.integer("keep_top_k");
            if (most < 0 || total <= most) {
                return kept;
            }
            int[] labels = new int[total];
            int[] boxes = new int[total];
            double[] own = new double[total];
            int next = 0;
            for (int label = 0; label < kept.length; label++) {
                for (int box : kept[label]) {
                    labels[next] = label;
                    boxes[next] = box;
                    own[next++] = scores[label][box];
                }
            }
            int[] chosen = Boxes.byScore(IntStream.range(0, total), own);
            return IntStream.range(0, kept.length)
                    .mapToObj(label -> Arrays.stream(chosen, 0, (int) most)
                            .filter(number -> labels[number] == label)
                            .map(number -> boxes[number])
                            .toArray())
                    .toArray(int[][]::new);
        }
    }
}
