package org.clinfer.cpu.vision;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Boxes of one image, and which of them stay where boxes overlap. */
final class Boxes {

    /** Down to here eta makes a threshold smaller. */
    private static final double LEAST_ADAPTED = 0.5;

    private final double[] corners;
    private final double rim;

    /**
     * @param corners left, top, right and bottom of each box
     * @param rim what a side is longer than the distance of its ends: 1 for whole pixels that belong to the box, else 0
     */
    Boxes(double[] corners, double rim) {
        this.corners = corners;
        this.rim = rim;
    }

    /** Left, top, right or bottom of a box. */
    double corner(int box, int side) {
        return corners[4 * box + side];
    }

    private double area(int box) {
        return area(corner(box, 0), corner(box, 1), corner(box, 2), corner(box, 3));
    }

    private double area(double left, double top, double right, double bottom) {
        return right < left || bottom < top ? 0 : (right - left + rim) * (bottom - top + rim);
    }

    /** The part that two boxes have in common of what they cover together. */
    private double overlap(int one, int other) {
        double common = area(
                Math.max(corner(one, 0), corner(other, 0)),
                Math.max(corner(one, 1), corner(other, 1)),
                Math.min(corner(one, 2), corner(other, 2)),
                Math.min(corner(one, 3), corner(other, 3)));
        return common > 0 ? common / (area(one) + area(other) - common) : 0;
    }

    /**
     * The boxes that overlap none before them that stays by more than a threshold, in order.
     *
     * @param order the boxes to look at, best first
     * @param eta what the threshold is multiplied by after each box that stays
     * @param most so many at most stay
     */
    int[] apart(int[] order, double threshold, double eta, int most) {
        int[] kept = new int[Math.min(order.length, most)];
        int count = 0;
        double limit = threshold;
        for (int box : order) {
            if (count == kept.length) {
                break;
            }
            boolean stays = true;
            for (int i = 0; i < count && stays; i++) {
                stays = overlap(box, kept[i]) <= limit;
            }
            if (stays) {
                kept[count++] = box;
                limit = eta < 1 && limit > LEAST_ADAPTED ? limit * eta : limit;
            }
        }
        return Arrays.copyOf(kept, count);
    }

    /** Numbers by falling scores; of equal ones the first comes first. */
    static int[] byScore(IntStream numbers, double[] scores) {
        return numbers.boxed()
                .sorted(Comparator.comparingDouble((Integer number) -> scores[number])
                        .reversed())
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
