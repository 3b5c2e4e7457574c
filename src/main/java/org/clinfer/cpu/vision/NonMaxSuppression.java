package org.clinfer.cpu.vision;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.Tensor;

/** The boxes of each class that overlap none with a higher score; all in double precision. */
final class NonMaxSuppression implements CpuOperator {

    private static final int SIDES = 4;
    private static final int ROW = 3;

    @Override
    public void run(CpuCall call) {
        Parameters params = call.parameters();
        Tensor given = call.input(1);
        int images = Math.toIntExact(given.shape().size(0));
        int classes = Math.toIntExact(given.shape().size(1));
        int count = Math.toIntExact(given.shape().size(2));
        double[] scores = TensorValues.allDoubles(given);
        double[] sides = TensorValues.allDoubles(call.input(0));
        double least = params.has("score_threshold") ? params.real("score_threshold") : Double.NEGATIVE_INFINITY;
        boolean takesAll = !params.has("score_threshold");
        double overlap = params.real("iou_threshold");
        int most = Math.toIntExact(params.integer("most"));
        int[][] chosen = new int[images * classes][];
        call.parallel().forRange(chosen.length, 1, (from, to) -> {
            for (int i = from; i < to; i++) {
                int image = i / classes;
                Boxes boxes = boxes(sides, image * count, count, params.flag("center_point_box"));
                double[] own = Arrays.copyOfRange(scores, i * count, (i + 1) * count);
                IntStream candidates =
                        IntStream.range(0, count).filter(box -> own[box] > least || (takesAll && own[box] == least));
                chosen[i] = boxes.apart(Boxes.byScore(candidates, own), overlap, 1, most);
            }
        });
        write(chosen, classes, call);
    }

    private static void write(int[][] chosen, int classes, CpuCall call) {
        Tensor output = call.outputs().get(0);
        long[] rows = new long[Math.toIntExact(output.elements())];
        Arrays.fill(rows, -1);
        int count = 0;
        for (int i = 0; i < chosen.length; i++) {
            for (int box : chosen[i]) {
                rows[count * ROW] = i / classes;
                rows[count * ROW + 1] = i % classes;
                rows[count * ROW + 2] = box;
                count++;
            }
        }
        LongValues.writeAll(rows, output, call.parallel());
        call.outputs().get(1).setLong(0, count);
    }

    /** Boxes by their lower and upper ends, whichever of two opposite corners comes first. */
    private static Boxes boxes(double[] sides, int first, int count, boolean byCentre) {
        double[] corners = new double[count * SIDES];
        for (int i = 0; i < corners.length; i += SIDES) {
            for (int axis = 0; axis < 2; axis++) {
                double one = sides[first * SIDES + i + axis];
                double other = sides[first * SIDES + i + 2 + axis];
                corners[i + axis] = byCentre ? one - other / 2 : Math.min(one, other);
                corners[i + 2 + axis] = byCentre ? one + other / 2 : Math.max(one, other);
            }
        }
        return new Boxes(corners, 0);
    }
}
