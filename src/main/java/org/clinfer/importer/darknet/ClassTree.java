package org.clinfer.importer.darknet;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.clinfer.importer.NeighbourFiles;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.text.Printable;

/**
 * Classes of which some are kinds of others (YOLO9000): a line for each class in a file, with its name and the number of the
 * class that it is a kind of, -1 for none. Classes one after another with the same parent are a group, in which their shares
 * add up to 1.
 */
final class ClassTree {

    private static final long MOST_BYTES = 4L << 20;

    private static final int NO_PARENT = -1;

    private final DarknetLayerCall layer;
    private final int[] parents;

    private ClassTree(DarknetLayerCall layer, int[] parents) {
        this.layer = layer;
        this.parents = parents;
    }

    /**
     * The tree of a file beside the definition.
     *
     * @param written the file's path, of which only the name counts if there is nothing at the path
     * @param classes how many there must be
     */
    static ClassTree read(DarknetLayerCall layer, NeighbourFiles files, String written, long classes) {
        Section options = layer.options();
        String name = written.substring(written.lastIndexOf('/') + 1);
        String location = files.has(written) ? written : name;
        if (name.isEmpty() || !files.has(location)) {
            throw options.wrong(
                    "tree", "there is no file '" + Printable.shortened(written) + "' beside the definition");
        }
        long bytes = files.size(location, layer.source());
        if (bytes > MOST_BYTES) {
            throw options.wrong("tree", "the file has " + bytes + " bytes, more than " + MOST_BYTES);
        }
        ByteBuffer content = files.bytes(location, 0, bytes, layer.source());
        List<String> lines =
                StandardCharsets.UTF_8.decode(content).toString().lines().toList();
        if (lines.size() != classes) {
            throw options.wrong("tree", "the file has " + lines.size() + " lines for " + classes + " classes");
        }
        int[] parents = new int[lines.size()];
        for (int i = 0; i < parents.length; i++) {
            parents[i] = parent(options, lines.get(i), i);
        }
        return new ClassTree(layer, parents);
    }

    private static int parent(Section options, String line, int number) {
        String[] words = line.strip().split("\\s+", 3);
        if (words.length < 2) {
            return NO_PARENT;
        }
        try {
            int parent = Integer.parseInt(words[1]);
            if (parent >= NO_PARENT && parent < number) {
                return parent;
            }
        } catch (NumberFormatException noNumber) {
            throw options.wrong("tree", "line " + (number + 1) + " has no number behind its name");
        }
        throw options.wrong("tree", "line " + (number + 1) + " names " + words[1] + ", which is no class before it");
    }

    /** The first class of each group, and the number of classes at the end. */
    private List<Integer> starts() {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < parents.length; i++) {
            if (i == 0 || parents[i] != parents[i - 1]) {
                starts.add(i);
            }
        }
        starts.add(parents.length);
        return starts;
    }

    /**
     * The shares of the classes of rows within their groups. Groups of similar sizes are computed together, with nothing where
     * one is shorter.
     */
    Value shares(Value rows) {
        List<Integer> starts = starts();
        Map<Integer, List<Integer>> bySize = new TreeMap<>();
        for (int group = 0; group + 1 < starts.size(); group++) {
            int size = starts.get(group + 1) - starts.get(group);
            bySize.computeIfAbsent(Integer.highestOneBit(2 * size - 1), none -> new ArrayList<>())
                    .add(group);
        }
        long count = parents.length;
        Params last = new Params().put("pad_with", new long[] {0, 0, 0, 1}).put("constant_value", -Float.MAX_VALUE);
        Value padded = layer.add("Pad", last, rows);
        long[] places = new long[parents.length];
        List<Value> parts = new ArrayList<>();
        int place = 0;
        for (Map.Entry<Integer, List<Integer>> groups : bySize.entrySet()) {
            int width = groups.getKey();
            int number = groups.getValue().size();
            long[] taken = new long[number * width];
            for (int i = 0; i < taken.length; i++) {
                int group = groups.getValue().get(i / width);
                int index = starts.get(group) + i % width;
                boolean isThere = index < starts.get(group + 1);
                taken[i] = isThere ? index : count;
                if (isThere) {
                    places[index] = (long) place + i;
                }
            }
            place += taken.length;
            Value apart = layer.reshaped(gathered(padded, "groups_" + width, taken), -1, number, width);
            Value shares = layer.add("Softmax", new Params().put("axis", 2L), apart);
            parts.add(layer.reshaped(shares, -1, taken.length));
        }
        Value all = parts.size() == 1 ? parts.get(0) : layer.add("Concat", parts, new Params().put("axis", 1L));
        return gathered(all, "classes", places);
    }

    private Value gathered(Value rows, String name, long... columns) {
        return layer.add("Gather", new Params().put("axis", 1L), rows, layer.vector(name, columns));
    }

    /** The products of the shares of each class and all that it is a kind of; the way doubles each time. */
    Value products(Value shares) {
        int count = parents.length;
        long[] above = new long[count + 1];
        above[count] = count;
        for (int i = 0; i < count; i++) {
            above[i] = parents[i] == NO_PARENT ? count : parents[i];
        }
        Params last = new Params().put("pad_with", new long[] {0, 0, 0, 1}).put("constant_value", 1.0);
        Value products = layer.add("Pad", last, shares);
        boolean goesOn = hasMore(above);
        for (int round = 0; goesOn; round++) {
            products = layer.add("Mul", products, gathered(products, "above_" + round, above));
            long[] further = new long[count + 1];
            for (int i = 0; i <= count; i++) {
                further[i] = above[(int) above[i]];
            }
            above = further;
            goesOn = hasMore(above);
        }
        return layer.slice(products, new long[] {1}, new long[] {0}, new long[] {count});
    }

    private boolean hasMore(long[] above) {
        for (long each : above) {
            if (each != parents.length) {
                return true;
            }
        }
        return false;
    }
}
