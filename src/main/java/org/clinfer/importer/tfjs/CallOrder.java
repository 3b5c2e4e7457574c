package org.clinfer.importer.tfjs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.Value;

/**
 * Gives the uses of a network's layers in the order of the file, as far as their inputs are known, and keeps what they
 * give.
 */
final class CallOrder {

    private final Topology topology;
    private final SourceRef source;
    private final Map<String, TfjsLayer> layers = new HashMap<>();
    /** Networks whose first use others call the second, as Keras does with those that begin with an input layer. */
    private final Set<String> countedFromOne = new HashSet<>();

    private final Map<Key, List<Value>> known = new HashMap<>();
    private final Map<Key, Integer> missing = new LinkedHashMap<>();
    private final Map<Key, List<Key>> users = new HashMap<>();
    /** Every use in the order of the file, and where each is there. */
    private final List<Key> uses = new ArrayList<>();

    private final Map<Key, Integer> positions = new HashMap<>();
    /** The positions of uses whose inputs are known. */
    private final PriorityQueue<Integer> ready = new PriorityQueue<>();

    private record Key(String layer, int call) {}

    /** One use of a layer and its inputs. */
    record Use(TfjsLayer layer, int call, List<Value> inputs) {}

    /** @param source the network, for messages */
    CallOrder(Topology topology, SourceRef source) {
        this.topology = topology;
        this.source = source;
        topology.layers().forEach(layer -> layers.put(layer.name(), layer));
        findCountedFromOne();
        for (TfjsLayer layer : topology.layers()) {
            for (int call = 0; call < layer.calls().size(); call++) {
                add(new Key(layer.name(), call), layer);
            }
        }
    }

    private void findCountedFromOne() {
        Map<String, Set<Integer>> used = new HashMap<>();
        Stream.concat(
                        topology.layers().stream()
                                .flatMap(layer -> layer.calls().stream())
                                .flatMap(call -> call.inputs().stream()),
                        topology.outputs().stream())
                .forEach(ref -> used.computeIfAbsent(ref.layer(), name -> new HashSet<>())
                        .add(ref.call()));
        used.forEach((name, calls) -> {
            TfjsLayer layer = layers.get(name);
            if (layer != null && layer.network().isPresent() && !calls.contains(0)) {
                countedFromOne.add(name);
            }
        });
    }

    private void add(Key key, TfjsLayer layer) {
        Set<Key> needed = new HashSet<>();
        for (TfjsLayer.TensorRef ref : layer.calls().get(key.call()).inputs()) {
            needed.add(key(ref, layer.source()));
        }
        for (Key each : needed) {
            users.computeIfAbsent(each, other -> new ArrayList<>()).add(key);
        }
        missing.put(key, needed.size());
        positions.put(key, uses.size());
        uses.add(key);
        if (needed.isEmpty()) {
            ready.add(uses.size() - 1);
        }
    }

    private Key key(TfjsLayer.TensorRef ref, SourceRef user) {
        TfjsLayer layer = layers.get(ref.layer());
        if (layer == null) {
            throw new GraphException(user, "there is no layer " + new Json.Text(ref.layer()).shown());
        }
        int call = countedFromOne.contains(ref.layer()) ? ref.call() - 1 : ref.call();
        int calls = layer.isInput() ? 1 : layer.calls().size();
        if (call >= calls) {
            throw new GraphException(
                    user,
                    "it takes output " + ref.call() + " of the layer '" + layer.name() + "', which is used " + calls
                            + " times");
        }
        return new Key(layer.name(), call);
    }

    /** Says what the network's inputs are. */
    void give(List<Value> inputs) {
        for (int i = 0; i < inputs.size(); i++) {
            Key key = key(topology.inputs().get(i), source);
            if (!Objects.requireNonNull(layers.get(key.layer())).isInput()) {
                throw new GraphException(source, "its input '" + key.layer() + "' is no input layer");
            }
            if (known.containsKey(key)) {
                throw new GraphException(source, "its input '" + key.layer() + "' is listed twice");
            }
            done(key, List.of(inputs.get(i)));
        }
    }

    /** A use whose inputs are known. */
    Optional<Use> next() {
        if (ready.isEmpty()) {
            return Optional.empty();
        }
        Key key = uses.get(ready.remove());
        TfjsLayer layer = Objects.requireNonNull(layers.get(key.layer()));
        List<Value> inputs = layer.calls().get(key.call()).inputs().stream()
                .map(ref -> value(ref, layer.source()))
                .toList();
        return Optional.of(new Use(layer, key.call(), inputs));
    }

    /** Says what a use gave. */
    void done(Use use, List<Value> outputs) {
        done(new Key(use.layer().name(), use.call()), outputs);
    }

    private void done(Key key, List<Value> outputs) {
        known.put(key, outputs);
        missing.remove(key);
        for (Key user : users.getOrDefault(key, List.of())) {
            if (missing.merge(user, -1, Integer::sum) == 0) {
                ready.add(Objects.requireNonNull(positions.get(user)));
            }
        }
    }

    private Value value(TfjsLayer.TensorRef ref, SourceRef user) {
        List<Value> outputs = known.get(key(ref, user));
        if (outputs == null) {
            throw new GraphException(user, "'" + ref.layer() + "' is not among the inputs of the network");
        }
        if (ref.output() >= outputs.size()) {
            throw new GraphException(
                    user, "it takes output " + ref.output() + " of '" + ref.layer() + "', which has " + outputs.size());
        }
        return outputs.get(ref.output());
    }

    /**
     * The network's outputs.
     *
     * @throws GraphException if a layer could not be reached
     */
    List<Value> outputs() {
        if (!missing.isEmpty()) {
            Key stuck = missing.keySet().iterator().next();
            TfjsLayer layer = Objects.requireNonNull(layers.get(stuck.layer()));
            for (TfjsLayer.TensorRef ref : layer.calls().get(stuck.call()).inputs()) {
                TfjsLayer input = Objects.requireNonNull(layers.get(ref.layer()));
                if (input.isInput()) {
                    value(ref, layer.source());
                }
            }
            throw new GraphException(layer.source(), "it takes its own output, or that of layers which need it");
        }
        return topology.outputs().stream().map(ref -> value(ref, source)).toList();
    }
}
