package org.clinfer.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns memory to values so that values which live at the same time do not overlap.
 *
 * <p>Greedy by size: the largest value first, each at the lowest offset at which it meets no value that is already
 * placed and alive with it. An arena is cut into chunks because one allocation has a size limit; a value never crosses
 * a chunk. The time grows with the square of the number of values, so many are left to {@link OrderedArena}. See
 * Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net Inference", 2020.
 */
final class ArenaPlanner {

    private static final int MANY = 4096;

    /** A value that needs memory from step {@code first} to step {@code last}, both inclusive. */
    record Request(String value, long bytes, int first, int last) {
        boolean overlaps(Request other) {
            return first <= other.last && other.first <= last;
        }
    }

    private record Placed(Request request, long offset) {}

    private final long alignment;
    private final long chunkLimit;

    /**
     * @param alignment every offset is a multiple of this, in bytes
     * @param chunkLimit no chunk is larger than this, in bytes
     */
    ArenaPlanner(long alignment, long chunkLimit) {
        this.alignment = alignment;
        this.chunkLimit = chunkLimit;
    }

    /**
     * Places every request.
     *
     * @throws IllegalArgumentException if one is larger than a chunk
     */
    ArenaPlan plan(List<Request> requests) {
        requests.forEach(this::requireChunk);
        if (requests.size() > MANY) {
            return new OrderedArena(alignment, chunkLimit).plan(requests);
        }
        List<Request> order = new ArrayList<>(requests);
        order.sort(Comparator.comparingLong(Request::bytes)
                .reversed()
                .thenComparingInt(Request::first)
                .thenComparing(Request::value));
        List<List<Placed>> chunks = new ArrayList<>();
        Map<String, ArenaPlan.Region> regions = new HashMap<>();
        for (Request request : order) {
            place(request, chunks, regions);
        }
        return new ArenaPlan(chunks.stream().map(ArenaPlanner::size).toList(), regions);
    }

    private void requireChunk(Request request) {
        if (request.bytes() > chunkLimit) {
            throw new IllegalArgumentException("value '" + request.value() + "' needs " + request.bytes()
                    + " bytes, but one allocation has at most " + chunkLimit);
        }
    }

    private void place(Request request, List<List<Placed>> chunks, Map<String, ArenaPlan.Region> regions) {
        for (int chunk = 0; ; chunk++) {
            if (chunk == chunks.size()) {
                chunks.add(new ArrayList<>());
            }
            long offset = lowestOffset(request, chunks.get(chunk));
            if (offset + request.bytes() <= chunkLimit) {
                chunks.get(chunk).add(new Placed(request, offset));
                regions.put(request.value(), new ArenaPlan.Region(chunk, offset, request.bytes()));
                return;
            }
        }
    }

    private long lowestOffset(Request request, List<Placed> chunk) {
        List<Placed> alive = chunk.stream()
                .filter(placed -> placed.request().overlaps(request))
                .sorted(Comparator.comparingLong(Placed::offset))
                .toList();
        long offset = 0;
        for (Placed placed : alive) {
            if (offset + request.bytes() <= placed.offset()) {
                break;
            }
            offset = Math.max(offset, aligned(placed.offset() + placed.request().bytes()));
        }
        return offset;
    }

    private long aligned(long offset) {
        return (offset + alignment - 1) / alignment * alignment;
    }

    private static long size(List<Placed> chunk) {
        return chunk.stream()
                .mapToLong(placed -> placed.offset() + placed.request().bytes())
                .max()
                .orElse(0);
    }
}
