package org.clinfer.cpu.vision;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;

/** The regions that a region proposal network finds; all in double precision. */
final class Proposal implements CpuOperator {

    private static final int SIDES = 4;
    private static final int ROW = 5;

    @Override
    public void run(CpuCall call) {
        Parameters params = call.parameters();
        Tensor scores = call.input(0);
        int images = Math.toIntExact(scores.shape().size(0));
        double[] allScores = TensorValues.allDoubles(scores);
        double[] deltas = TensorValues.allDoubles(call.input(1));
        double[] info = TensorValues.allDoubles(call.input(2));
        int infoRows = Math.toIntExact(call.input(2).shape().size(0));
        int infoColumns = Math.toIntExact(call.input(2).shape().size(1));
        int rows = Math.toIntExact(params.integer("post_nms_topn"));
        Grid grid = new Grid(
                params, (int) scores.shape().size(2), (int) scores.shape().size(3));
        double[] rois = new double[images * rows * ROW];
        double[] roiScores = new double[images * rows];
        call.parallel().forRange(images, 1, (from, to) -> {
            for (int image = from; image < to; image++) {
                int own = infoRows == 1 ? 0 : image * infoColumns;
                double[] picture = Arrays.copyOfRange(info, own, own + 3);
                Boxes boxes = grid.boxes(deltas, image, picture);
                double[] objects = grid.objects(allScores, image);
                int[] kept = grid.kept(boxes, objects, picture[2], rows);
                for (int row = 0; row < rows; row++) {
                    int at = image * rows + row;
                    rois[at * ROW] = image;
                    if (row < kept.length) {
                        for (int side = 0; side < SIDES; side++) {
                            rois[at * ROW + 1 + side] = boxes.corner(kept[row], side);
                        }
                        roiScores[at] = objects[kept[row]];
                    }
                }
            }
        });
        TensorValues.of(call.outputs().get(0)).write(0, rois, 0, rois.length);
        if (call.outputs().size() > 1) {
            TensorValues.of(call.outputs().get(1)).write(0, roiScores, 0, roiScores.length);
        }
    }

    /** Boxes of all sizes around all positions of a map, in the order of rows, columns and sizes. */
    private static final class Grid {

        private final Parameters params;
        private final int height;
        private final int width;
        private final double[][] anchors;

        Grid(Parameters params, int height, int width) {
            this.params = params;
            this.height = height;
            this.width = width;
            this.anchors = anchors(params);
        }

        /** Corners of the boxes around the first position: each ratio in each scale. Sides are whole before scaling. */
        private static double[][] anchors(Parameters params) {
            double base = params.integer("base_size");
            double[] ratios = params.reals("ratio");
            double[] scales = params.reals("scale");
            double centre = (base - 1) / 2;
            double[][] anchors = new double[ratios.length * scales.length][];
            for (int i = 0; i < anchors.length; i++) {
                double ratio = ratios[i / scales.length];
                double scale = scales[i % scales.length];
                double across = Math.rint(Math.sqrt(base * base / ratio));
                double wide = (across * scale - 1) / 2;
                double high = (Math.rint(across * ratio) * scale - 1) / 2;
                anchors[i] = new double[] {centre - wide, centre - high, centre + wide, centre + high};
            }
            return anchors;
        }

        private int count() {
            return Math.multiplyExact(Math.multiplyExact(height, width), anchors.length);
        }

        /** The scores of objects, which stand behind those of background. */
        double[] objects(double[] scores, int image) {
            int plane = height * width;
            double[] own = new double[count()];
            for (int i = 0; i < own.length; i++) {
                int channel = anchors.length + i % anchors.length;
                own[i] = scores[(image * 2 * anchors.length + channel) * plane + i / anchors.length];
            }
            return own;
        }

        /** The boxes, moved and resized, inside the picture. */
        Boxes boxes(double[] deltas, int image, double[] picture) {
            int plane = height * width;
            double stride = params.integer("feat_stride");
            double[] corners = new double[Math.multiplyExact(count(), SIDES)];
            for (int i = 0; i < count(); i++) {
                int position = i / anchors.length;
                double[] anchor = anchors[i % anchors.length];
                int channel = (image * anchors.length + i % anchors.length) * SIDES;
                for (int axis = 0; axis < 2; axis++) {
                    double start = anchor[axis] + stride * (axis == 0 ? position % width : position / width);
                    double length = anchor[axis + 2] - anchor[axis] + 1;
                    double centre = deltas[(channel + axis) * plane + position] * length + (start + length / 2);
                    double half = Math.exp(deltas[(channel + 2 + axis) * plane + position]) * length / 2;
                    double last = (axis == 0 ? picture[1] : picture[0]) - 1;
                    corners[i * SIDES + axis] = Math.max(Math.min(centre - half, last), 0);
                    corners[i * SIDES + 2 + axis] = Math.max(Math.min(centre + half, last), 0);
                }
            }
            return new Boxes(corners, 1);
        }

        /** The boxes that stay, best first. */
        int[] kept(Boxes boxes, double[] scores, double enlarged, int most) {
            double least = params.real("min_size") * enlarged;
            IntStream large = IntStream.range(0, scores.length)
                    .filter(box -> boxes.corner(box, 2) - boxes.corner(box, 0) + 1 >= least
                            && boxes.corner(box, 3) - boxes.corner(box, 1) + 1 >= least);
            int[] order = Boxes.byScore(large, scores);
            long first = params.integer("pre_nms_topn");
            int[] best = first == 0 || first >= order.length ? order : Arrays.copyOf(order, (int) first);
            return boxes.apart(best, params.real("nms_thresh"), 1, most);
        }
    }
}
