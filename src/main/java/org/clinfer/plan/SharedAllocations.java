package org.clinfer.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Assigns each value a whole allocation, which it shares with values that do not live at the same time, for memory that
 * is not to be cut into parts.
 *
 * <p>Greedy by size: the largest value first, each in the smallest allocation that is free as long as it lives, or in one
 * of its own. Takes somewhat more memory than {@link ArenaPlanner}, to which more than a few thousand values are left. See
 * Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020, section 4.
 */
final class SharedAllocations {

    private static final int MANY = 4096;

    private final long alignment;
    private final long limit;

    /** The last step of each value that has the allocation, by its first one. */
    private final List<TreeMap<Integer, Integer>> lives = new ArrayList<>();

    private final List<Long> sizes = new ArrayList<>();

    /**
     * @param alignment of parts, where there are too many values, in bytes
     * @param limit no allocation is larger than this, in bytes
     */
    SharedAllocations(long alignment, long limit) {
        this.alignment = alignment;
        this.limit = limit;
    }

    /**
     * Places every request.
     *
     * @throws IllegalArgumentException if one is larger than the limit
     */
    ArenaPlan plan(List<ArenaPlanner.Request> requests) {
        if (requests.size() > MANY || requests.stream().anyMatch(request -> request.bytes() > limit)) {
            return new ArenaPlanner(alignment, limit).plan(requests);
        }
        Map<String, ArenaPlan.Region> regions = new HashMap<>();
        requests.stream()
                .sorted(Comparator.comparingLong(ArenaPlanner.Request::bytes)
                        .reversed()
                        .thenComparingInt(ArenaPlanner.Request::first)
                        .thenComparing(ArenaPlanner.Request::value))
                .forEach(request ->
                        regions.put(request.value(), new ArenaPlan.Region(allocation(request), 0, request.bytes())));

        return new ArenaPlan(sizes, regions);
    }

    /** The allocations are in the order of their sizes, the largest first. */
    private int allocation(ArenaPlanner.Request request) {
        int chosen = sizes.size() - 1;
        while (chosen >= 0 && !isFree(lives.get(chosen), request)) {
            chosen--;
        }
        if (chosen < 0) {
            chosen = sizes.size();
            sizes.add(request.bytes());
            lives.add(new TreeMap<>());
        }
        lives.get(chosen).put(request.first(), request.last());
        return chosen;
    }

    private static boolean isFree(NavigableMap<Integer, Integer> lives, ArenaPlanner.Request request) {
        Map.Entry<Integer, Integer> before = lives.floorEntry(request.last());
        return before == null || before.getValue() < request.first();
    }
}
