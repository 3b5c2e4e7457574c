package org.clinfer.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Assigns memory in the order of the steps, as an allocator would during the run: each value takes the smallest free
 * block that holds it. Uses somewhat more memory than {@link ArenaPlanner}'s own way, but time that grows little faster
 * than the number of values.
 */
final class OrderedArena {

    private record Block(int chunk, long offset, long bytes) {}

    private record Alive(int last, Block block) {}

    private final long alignment;
    private final long chunkLimit;
    private final List<Long> chunkBytes = new ArrayList<>();
    private final List<TreeMap<Long, Block>> freeByOffset = new ArrayList<>();
    private final TreeSet<Block> freeBySize = new TreeSet<>(Comparator.comparingLong(Block::bytes)
            .thenComparingInt(Block::chunk)
            .thenComparingLong(Block::offset));
    private final PriorityQueue<Alive> alive = new PriorityQueue<>(Comparator.comparingInt(Alive::last));

    OrderedArena(long alignment, long chunkLimit) {
        this.alignment = alignment;
        this.chunkLimit = chunkLimit;
    }

    ArenaPlan plan(List<ArenaPlanner.Request> requests) {
        List<ArenaPlanner.Request> order = new ArrayList<>(requests);
        order.sort(Comparator.comparingInt(ArenaPlanner.Request::first).thenComparing(ArenaPlanner.Request::value));
        Map<String, ArenaPlan.Region> regions = new HashMap<>();
        for (ArenaPlanner.Request request : order) {
            releaseBefore(request.first());
            Block block = take((request.bytes() + alignment - 1) / alignment * alignment);
            alive.add(new Alive(request.last(), block));
            regions.put(request.value(), new ArenaPlan.Region(block.chunk(), block.offset(), request.bytes()));
        }
        return new ArenaPlan(chunkBytes, regions);
    }

    private void releaseBefore(int step) {
        while (!alive.isEmpty() && alive.peek().last() < step) {
            release(alive.remove().block());
        }
    }

    /** Gives a block back, joined with its free neighbours. */
    private void release(Block block) {
        TreeMap<Long, Block> free = freeByOffset.get(block.chunk());
        long begin = block.offset();
        long end = Math.min(block.offset() + block.bytes(), chunkLimit / alignment * alignment);
        Map.Entry<Long, Block> before = free.lowerEntry(begin);
        if (before != null && before.getKey() + before.getValue().bytes() == begin) {
            begin = before.getKey();
            remove(before.getValue());
        }
        Block after = free.get(end);
        if (after != null) {
            end += after.bytes();
            remove(after);
        }
        if (end > begin) {
            add(new Block(block.chunk(), begin, end - begin));
        }
    }

    private Block take(long bytes) {
        Block fitting = freeBySize.ceiling(new Block(0, 0, bytes));
        if (fitting == null) {
            return grown(bytes);
        }
        remove(fitting);
        if (fitting.bytes() > bytes) {
            add(new Block(fitting.chunk(), fitting.offset() + bytes, fitting.bytes() - bytes));
        }
        return new Block(fitting.chunk(), fitting.offset(), bytes);
    }

    /** A block at the end of the last chunk, or in a new one; the limit of a chunk may cut off unused alignment. */
    private Block grown(long bytes) {
        int chunk = chunkBytes.size() - 1;
        if (chunk < 0 || chunkBytes.get(chunk) + bytes > chunkLimit) {
            chunkBytes.add(Math.min(bytes, chunkLimit));
            freeByOffset.add(new TreeMap<>());
            return new Block(chunk + 1, 0, bytes);
        }
        long offset = chunkBytes.get(chunk);
        chunkBytes.set(chunk, offset + bytes);
        return new Block(chunk, offset, bytes);
    }

    private void add(Block block) {
        freeByOffset.get(block.chunk()).put(block.offset(), block);
        freeBySize.add(block);
    }

    private void remove(Block block) {
        freeByOffset.get(block.chunk()).remove(block.offset());
        freeBySize.remove(block);
    }
}
