package org.clinfer.judge;

import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/** Looks for the number nearest to another one that passes a test. */
final class NearestPassing {

    /** Changes up to this are all tried; larger ones by doubling, and by halving back from the first that passes. */
    private static final long NEAR = 8;

    private static final long FARTHEST = 1L << 16;

    private NearestPassing() {}

    /** The nearest number that passes, the smaller of two that are as near. */
    static OptionalLong to(long from, LongPredicate passes) {
        OptionalLong below = within(down(from), distance -> passes.test(from - distance));
        // as far as it takes to find one that is nearer
        SortedSet<Long> distances = up(Math.min(FARTHEST, 2 * below.orElse(FARTHEST)));
        OptionalLong above = within(distances, distance -> passes.test(from + distance));
        if (below.isPresent() && (above.isEmpty() || below.getAsLong() <= above.getAsLong())) {
            return OptionalLong.of(from - below.getAsLong());
        }
        return above.isPresent() ? OptionalLong.of(from + above.getAsLong()) : OptionalLong.empty();
    }

    /** The distances to try first: all that are near, then twice as far each time. */
    private static SortedSet<Long> up(long farthest) {
        SortedSet<Long> distances = new TreeSet<>();
        for (long distance = 1; distance <= farthest; distance = distance < NEAR ? distance + 1 : distance * 2) {
            distances.add(distance);
        }
        return distances;
    }

    /** The same towards 0, and those that halve the number, over and over. */
    private static SortedSet<Long> down(long from) {
        SortedSet<Long> distances = up(Math.min(from, FARTHEST));
        for (long left = from / 2; left > 0; left /= 2) {
            distances.add(from - left);
        }
        if (from > 0) {
            distances.add(from);
        }
        return distances;
    }

    /** The first that passes, or one between it and the one before it, beyond which all up to it pass. */
    private static OptionalLong within(SortedSet<Long> distances, LongPredicate passes) {
        long fails = 0;
        for (long distance : distances) {
            if (!passes.test(distance)) {
                fails = distance;
                continue;
            }
            long holds = distance;
            while (holds - fails > 1) {
                long middle = fails + (holds - fails) / 2;
                if (passes.test(middle)) {
                    holds = middle;
                } else {
                    fails = middle;
                }
            }
            return OptionalLong.of(holds);
        }
        return OptionalLong.empty();
    }
}
