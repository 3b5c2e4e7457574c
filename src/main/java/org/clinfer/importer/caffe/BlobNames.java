package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.importer.NamedGraph;

/**
 * The names of the values that a blob is in turn: the last one has the blob's name, if it is an output of the network,
 * otherwise the first one. The others are called after the layers that change them.
 */
final class BlobNames {

    private final Map<String, Integer> times = new HashMap<>();
    private final Map<String, Integer> seen = new HashMap<>();
    private final Set<String> inputs = new HashSet<>();
    private final Set<String> used = new HashSet<>();
    private final Set<String> untaken = new LinkedHashSet<>();

    /** A blob that the caller supplies. */
    void given(String blob) {
        times.merge(blob, 1, Integer::sum);
        inputs.add(blob);
    }

    /** A layer, in the order in which they run. */
    void layer(CaffeLayer layer) {
        used.addAll(layer.bottoms());
        layer.bottoms().forEach(untaken::remove);
        boolean source = Sources.isSource(layer);
        for (String top : layer.tops()) {
            times.merge(top, 1, Integer::sum);
            if (source) {
                inputs.add(top);
            } else {
                untaken.remove(top);
                untaken.add(top);
            }
        }
    }

    /** Keeps the names of blobs for them. */
    void reserveIn(NamedGraph graph) {
        times.keySet().forEach(graph::reserve);
    }

    /** Counts a value of a blob and tells whether it has the blob's name. */
    boolean next(String blob) {
        int number = seen.merge(blob, 1, Integer::sum);
        boolean last = untaken.contains(blob) && !inputs.contains(blob);
        return number == (last ? times.getOrDefault(blob, 1) : 1);
    }

    /** {@return whether a layer takes the blob} */
    boolean isUsed(String blob) {
        return used.contains(blob);
    }

    /** The blobs that no layer takes. */
    List<String> outputs() {
        return new ArrayList<>(untaken);
    }
}
