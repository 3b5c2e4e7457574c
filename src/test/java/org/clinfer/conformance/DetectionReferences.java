package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;

/** Detections as Caffe's SSD, Faster R-CNN and R-FCN define them: box by box, with lists. */
final class DetectionReferences {

    private DetectionReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "DetectionOutput", Reference.single(DetectionReferences::detections),
                "Proposal", DetectionReferences::proposals,
                "NonMaxSuppression", DetectionReferences::chosen,
                "RoiPool", Reference.single(DetectionReferences::roiPool),
                "PsRoiPool", Reference.single(DetectionReferences::positionSensitive));
    }

    /** A box of a class with its score; {@code rim} is 1 where the last pixels belong to it. */
    private record Box(double left, double top, double right, double bottom, double score, long label, double rim) {

        private static final Comparator<Box> BEST_FIRST =
                Comparator.comparingDouble(Box::score).reversed();

        double width() {
            return right - left + rim;
        }

        double height() {
            return bottom - top + rim;
        }

        double area() {
            return right < left || bottom < top ? 0 : width() * height();
        }

        double overlap(Box other) {
            Box both = new Box(
                    Math.max(left, other.left),
                    Math.max(top, other.top),
                    Math.min(right, other.right),
                    Math.min(bottom, other.bottom),
                    0,
                    0,
                    rim);
            return both.area() == 0 ? 0 : both.area() / (area() + other.area() - both.area());
        }
    }

    /** Goes through boxes from the best one on, and leaves out what overlaps one that is kept. */
    private static List<Box> apart(List<Box> boxes, double threshold, double eta) {
        List<Box> kept = new ArrayList<>();
        double limit = threshold;
        for (Box box : boxes) {
            double now = limit;
            if (kept.stream().allMatch(other -> box.overlap(other) <= now)) {
                kept.add(box);
                limit = eta < 1 && limit > 0.5 ? limit * eta : limit;
            }
        }
        return kept;
    }

    private static <T> List<T> first(List<T> list, long count) {
        return count < 0 || count >= list.size() ? list : list.subList(0, (int) count);
    }

    private static Array detections(Call call) {
        Array priors = call.input(2);
        int images = (int) call.input(0).dim(0);
        int count = (int) priors.dim(2) / 4;
        long classes = call.integer("num_classes", 0);
        long background = call.integer("background_label_id", 0);
        long top = call.integer("top_k", -1);
        long keep = call.integer("keep_top_k", -1);
        List<double[]> rows = new ArrayList<>();
        for (int image = 0; image < images; image++) {
            List<Box> all = new ArrayList<>();
            for (long label = 0; label < classes; label++) {
                if (label == background) {
                    continue;
                }
                List<Box> own = new ArrayList<>();
                for (int prior = 0; prior < count; prior++) {
                    Box box = decoded(call, image, prior, label, classes);
                    if (box.score > call.real("confidence_threshold", -Float.MAX_VALUE)) {
                        own.add(box);
                    }
                }
                own.sort(Box.BEST_FIRST);
                all.addAll(apart(first(own, top), call.real("nms_threshold", 0.3), call.real("eta", 1)));
            }
            all.sort(Box.BEST_FIRST);
            List<Box> best = new ArrayList<>(first(all, keep));
            best.sort(Comparator.comparingLong(Box::label));
            for (Box box : best) {
                rows.add(new double[] {image, box.label, box.score, box.left, box.top, box.right, box.bottom});
            }
        }
        boolean isThere = background >= 0 && background < classes;
        long most = keep >= 0 ? keep : (isThere ? classes - 1 : classes) * (top >= 0 ? Math.min(top, count) : count);
        return Array.of(
                new long[] {1, 1, images * most, 7},
                at -> at[2] < rows.size() ? rows.get((int) at[2])[(int) at[3]] : -1);
    }

    private static Box decoded(Call call, int image, int prior, long label, long classes) {
        Array priors = call.input(2);
        boolean shared = call.flag("share_location", true);
        double rim = call.flag("normalized", true) ? 0 : 1;
        double[] code = new double[4];
        double[] old = new double[4];
        for (int side = 0; side < 4; side++) {
            long place = (shared ? prior : prior * classes + label) * 4 + side;
            old[side] = priors.at(0, 0, prior * 4L + side);
            code[side] = call.input(0).at(image, place)
                    * (call.flag("variance_encoded_in_target", false) ? 1 : priors.at(0, 1, prior * 4L + side));
        }
        double width = old[2] - old[0] + rim;
        double height = old[3] - old[1] + rim;
        double[] box = new double[4];
        for (int side = 0; side < 4; side++) {
            double size = side % 2 == 0 ? width : height;
            box[side] = switch (call.text("code_type", "CORNER")) {
                case "CORNER" -> old[side] + code[side];
                case "CORNER_SIZE" -> old[side] + code[side] * size;
                default -> {
                    double centre = old[side % 2] + size * 0.5 + code[side % 2] * size;
                    double half = Math.exp(code[2 + side % 2]) * size * 0.5;
                    yield side < 2 ? centre - half : centre + half;
                }
            };
            if (call.flag("clip", false)) {
                box[side] = box[side] < 0 ? 0 : box[side] > 1 ? 1 : box[side];
            }
        }
        double score = call.input(1).at(image, prior * classes + label);
        return new Box(box[0], box[1], box[2], box[3], score, label, rim);
    }

    private static List<Array> chosen(Call call) {
        Array boxes = call.input(0);
        Array scores = call.input(1);
        double threshold =
                call.hasInput(4) ? call.input(4).flat(0) : call.real("score_threshold", Double.NEGATIVE_INFINITY);
        boolean all = !call.hasInput(4) && !call.has("score_threshold");
        double overlap = call.hasInput(3) ? call.input(3).flat(0) : call.real("iou_threshold", 0);
        long asked = call.hasInput(2) ? (long) call.input(2).flat(0) : call.integer("max_output_boxes_per_class", 0);
        long most = Math.max(0, Math.min(asked, scores.dim(2)));
        List<double[]> rows = new ArrayList<>();
        for (long image = 0; image < scores.dim(0); image++) {
            for (long label = 0; label < scores.dim(1); label++) {
                List<Box> own = new ArrayList<>();
                for (long i = 0; i < scores.dim(2); i++) {
                    double score = scores.at(image, label, i);
                    if (score > threshold || (all && !Double.isNaN(score))) {
                        own.add(box(call, boxes, image, i, score));
                    }
                }
                own.sort(Box.BEST_FIRST);
                for (Box box : first(apart(own, overlap, 1), most)) {
                    rows.add(new double[] {image, label, box.label});
                }
            }
        }
        Array chosen = Array.of(
                new long[] {scores.dim(0) * scores.dim(1) * most, 3},
                at -> at[0] < rows.size() ? rows.get((int) at[0])[(int) at[1]] : -1);
        Array count = Array.of(new long[] {1}, at -> rows.size());
        return List.of(chosen.as(DType.INT64), count.as(DType.INT64));
    }

    /** A box with its number in the place of a label. */
    private static Box box(Call call, Array boxes, long image, long number, double score) {
        double a = boxes.at(image, number, 0);
        double b = boxes.at(image, number, 1);
        double c = boxes.at(image, number, 2);
        double d = boxes.at(image, number, 3);
        return call.flag("center_point_box", false)
                ? new Box(a - c / 2, b - d / 2, a + c / 2, b + d / 2, score, number, 0)
                : new Box(Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d), score, number, 0);
    }

    private static List<Array> proposals(Call call) {
        Array scores = call.input(0);
        Array info = call.input(2);
        double[] ratios = call.reals("ratio", 0.5, 1, 2);
        double[] scales = call.reals("scale", 8, 16, 32);
        int kinds = ratios.length * scales.length;
        long most = call.integer("post_nms_topn", 300);
        int images = (int) scores.dim(0);
        double[] rois = new double[Math.toIntExact(images * most * 5)];
        double[] kept = new double[Math.toIntExact(images * most)];
        for (int image = 0; image < images; image++) {
            int row = info.dim(0) == 1 ? 0 : image;
            double least = call.real("min_size", 16) * info.at(row, 2);
            List<Box> boxes = new ArrayList<>();
            for (int y = 0; y < scores.dim(2); y++) {
                for (int x = 0; x < scores.dim(3); x++) {
                    for (int kind = 0; kind < kinds; kind++) {
                        Box anchor = anchor(call, ratios[kind / scales.length], scales[kind % scales.length]);
                        Box box = moved(call, anchor, image, kind, y, x, scores.at(image, kinds + kind, y, x));
                        Box clipped = clipped(box, info.at(row, 1) - 1, info.at(row, 0) - 1);
                        if (clipped.width() >= least && clipped.height() >= least) {
                            boxes.add(clipped);
                        }
                    }
                }
            }
            boxes.sort(Box.BEST_FIRST);
            long before = call.integer("pre_nms_topn", 6000);
            List<Box> best =
                    first(apart(first(boxes, before == 0 ? -1 : before), call.real("nms_thresh", 0.7), 1), most);
            for (int i = 0; i < most; i++) {
                int at = (int) (image * most + i);
                double[] found = i < best.size()
                        ? new double[] {
                            best.get(i).left, best.get(i).top, best.get(i).right, best.get(i).bottom,
                        }
                        : new double[4];
                rois[at * 5] = image;
                System.arraycopy(found, 0, rois, at * 5 + 1, 4);
                kept[at] = i < best.size() ? best.get(i).score : 0;
            }
        }
        return List.of(new Array(new long[] {images * most, 5}, rois), new Array(new long[] {images * most, 1}, kept));
    }

    /** A box around the first place: as large as the base, as high as the ratio says, whole sides, then scaled. */
    private static Box anchor(Call call, double ratio, double scale) {
        double base = call.integer("base_size", 16);
        double width = Math.rint(Math.sqrt(base * base / ratio));
        double height = Math.rint(width * ratio);
        double centre = 0.5 * (base - 1);
        return new Box(
                centre - 0.5 * (width * scale - 1),
                centre - 0.5 * (height * scale - 1),
                centre + 0.5 * (width * scale - 1),
                centre + 0.5 * (height * scale - 1),
                0,
                0,
                1);
    }

    private static Box moved(Call call, Box anchor, int image, int kind, int y, int x, double score) {
        Array deltas = call.input(1);
        double stride = call.integer("feat_stride", 16);
        double centreX =
                anchor.left + x * stride + 0.5 * anchor.width() + deltas.at(image, kind * 4L, y, x) * anchor.width();
        double centreY = anchor.top
                + y * stride
                + 0.5 * anchor.height()
                + deltas.at(image, kind * 4L + 1, y, x) * anchor.height();
        double width = Math.exp(deltas.at(image, kind * 4L + 2, y, x)) * anchor.width();
        double height = Math.exp(deltas.at(image, kind * 4L + 3, y, x)) * anchor.height();
        return new Box(
                centreX - 0.5 * width,
                centreY - 0.5 * height,
                centreX + 0.5 * width,
                centreY + 0.5 * height,
                score,
                0,
                1);
    }

    private static Box clipped(Box box, double right, double bottom) {
        return new Box(
                Math.max(Math.min(box.left, right), 0),
                Math.max(Math.min(box.top, bottom), 0),
                Math.max(Math.min(box.right, right), 0),
                Math.max(Math.min(box.bottom, bottom), 0),
                box.score,
                box.label,
                box.rim);
    }

    private static Array roiPool(Call call) {
        Array x = call.input(0);
        Array rois = call.input(1);
        long[] size = call.ints("pooled_size");
        float scale = (float) call.real("spatial_scale", 1);
        return Array.of(new long[] {rois.dim(0), x.dim(1), size[0], size[1]}, at -> {
            double image = rois.at(at[0], 0);
            if (image < 0 || image >= x.dim(0)) {
                return 0;
            }
            double largest = Double.NEGATIVE_INFINITY;
            boolean isEmpty = true;
            for (int row = 0; row < x.dim(2); row++) {
                for (int column = 0; column < x.dim(3); column++) {
                    if (inside(rois, at[0], 1, scale, row, at[2], size[0])
                            && inside(rois, at[0], 0, scale, column, at[3], size[1])) {
                        largest = Math.max(largest, x.at((long) image, at[1], row, column));
                        isEmpty = false;
                    }
                }
            }
            return isEmpty ? 0 : largest;
        });
    }

    /** Whether a window of a region has a pixel, along one axis. */
    private static boolean inside(Array rois, long region, int axis, float scale, int pixel, long window, long count) {
        float start = halfUp((float) rois.at(region, 1 + axis) * scale);
        float end = halfUp((float) rois.at(region, 3 + axis) * scale);
        float bin = Math.max(end - start + 1, 1) / count;
        return pixel >= Math.floor(window * bin) + start && pixel < Math.ceil((window + 1) * bin) + start;
    }

    /** C's round. */
    private static float halfUp(float value) {
        return value < 0 ? -halfUp(-value) : (float) Math.floor(value + 0.5);
    }

    private static Array positionSensitive(Call call) {
        Array x = call.input(0);
        Array rois = call.input(1);
        long group = call.integer("group_size", 1);
        float scale = (float) call.real("spatial_scale", 1);
        return Array.of(new long[] {rois.dim(0), x.dim(1) / (group * group), group, group}, at -> {
            double image = rois.at(at[0], 0);
            if (image < 0 || image >= x.dim(0)) {
                return 0;
            }
            double sum = 0;
            int count = 0;
            for (int row = 0; row < x.dim(2); row++) {
                for (int column = 0; column < x.dim(3); column++) {
                    if (within(rois, at[0], 1, scale, row, at[2], group)
                            && within(rois, at[0], 0, scale, column, at[3], group)) {
                        sum += x.at((long) image, (at[1] * group + at[2]) * group + at[3], row, column);
                        count++;
                    }
                }
            }
            return count == 0 ? 0 : sum / count;
        });
    }

    private static boolean within(Array rois, long region, int axis, float scale, int pixel, long window, long count) {
        float start = halfUp((float) rois.at(region, 1 + axis)) * scale;
        float end = (halfUp((float) rois.at(region, 3 + axis)) + 1) * scale;
        float bin = Math.max(end - start, 0.1f) / count;
        return pixel >= Math.floor(window * bin + start) && pixel < Math.ceil((window + 1) * bin + start);
    }
}
