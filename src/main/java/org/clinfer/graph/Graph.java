package org.clinfer.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * A network: immutable, nodes in executable order. Built by {@link GraphBuilder}, which runs {@link GraphVerifier}.
 *
 * @param name the network's name
 * @param inputs what a caller must supply, in order; dimensions may be named
 * @param outputs names of the values a caller gets, in order
 * @param nodes in an order in which every value is produced before it is used
 * @param constants values known beforehand (weights), by name; owned by whoever loaded the graph
 * @param defaults constants that a caller may supply instead, see {@link #withInputs}
 * @param metadata what the file says about the network
 * @param specializations the networks that the same file is for some runs, if it has sequences or optional values
 * @param source the file
 */
public record Graph(
        String name,
        List<Input> inputs,
        List<String> outputs,
        List<Node> nodes,
        Map<String, Tensor> constants,
        List<Input> defaults,
        Metadata metadata,
        Optional<Specializations> specializations,
        SourceRef source) {

    /**
     * A value the caller supplies.
     *
     * @param name of the value
     * @param type that it is declared with; dimensions may be named or unknown
     * @param resizable whether the sizes of the type are only those that it has if nothing else is said
     * @param usual sizes of the dimensions that the type leaves open, if nothing else is said; empty where the file has none
     */
    public record Input(String name, TensorType type, boolean resizable, Optional<Shape> usual) {

        /**
         * An input of this type and no other.
         *
         * @param name its name
         * @param type its type; dimensions may be named or unknown
         */
        public Input(String name, TensorType type) {
            this(name, type, false, Optional.empty());
        }

        /**
         * {@return the type of a run of which nothing else is said: with the sizes that the file has for this, or with a
         * batch of one where the first of several dimensions is all that the type leaves open; else the type as it is}
         */
        public TensorType usualType() {
            return new TensorType(type.dtype(), usual.orElseGet(this::withBatch));
        }

        private Shape withBatch() {
            List<Dim> dims = type.shape().dims();
            if (dims.size() < 2 || dims.get(0) instanceof Dim.Known) {
                return type.shape();
            }
            List<Dim> sizes = new ArrayList<>(dims);
            sizes.set(0, Dim.of(1));
            Shape shape = new Shape(sizes);
            return shape.isKnown() ? shape : type.shape();
        }
    }

    public Graph {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        nodes = List.copyOf(nodes);
        constants = Collections.unmodifiableMap(new LinkedHashMap<>(constants));
        defaults = List.copyOf(defaults);
    }

    /**
     * A graph whose constants nobody supplies.
     *
     * @param name the name of the graph
     * @param inputs the values that a run is given
     * @param outputs names of the values that a run gives
     * @param nodes in an order in which they can run
     * @param constants values that are known, by name; they stay the caller's
     * @param source the file that it is read from
     */
    public Graph(
            String name,
            List<Input> inputs,
            List<String> outputs,
            List<Node> nodes,
            Map<String, Tensor> constants,
            SourceRef source) {
        this(name, inputs, outputs, nodes, constants, List.of(), Metadata.NONE, Optional.empty(), source);
    }

    /**
     * {@return the same with other words about it, as far as they are about something in it}
     *
     * @param words the other words
     */
    public Graph withMetadata(Metadata words) {
        return new Graph(
                name, inputs, outputs, nodes, constants, defaults, words.of(nodes, inputs), specializations, source);
    }

    /**
     * {@return the same with networks for some runs}
     *
     * @param others the networks
     */
    public Graph withSpecializations(Specializations others) {
        return new Graph(name, inputs, outputs, nodes, constants, defaults, metadata, Optional.of(others), source);
    }

    /**
     * {@return the same with some of the {@link #defaults} as inputs, behind the others}
     *
     * @param supplied names of defaults
     */
    public Graph withInputs(Set<String> supplied) {
        List<Input> all = new ArrayList<>(inputs);
        Map<String, Tensor> rest = new LinkedHashMap<>(constants);
        for (Input input : defaults) {
            if (supplied.contains(input.name())) {
                all.add(input);
                rest.remove(input.name());
            }
        }
        return new Graph(name, all, outputs, nodes, rest, List.of(), metadata, Optional.empty(), source);
    }

    /** Closes all constants, those of the nodes' own graphs as well. */
    public void closeConstants() {
        constants.values().forEach(Tensor::close);
        nodes.forEach(node -> node.bodies().values().forEach(Graph::closeConstants));
    }
}
