package org.clinfer.graph;

import java.util.Map;
import java.util.Set;
import org.clinfer.tensor.Tensor;

/**
 * The networks that a model with sequences or optional values is. What it computes depends on how many values a sequence has,
 * whether an optional value is there, and what elements some inputs have; so there is a network for what a run is given.
 */
public interface Specializations {

    /** The kind of an input or output that is not just a tensor. */
    enum Kind {
        /** A sequence of tensors: one tensor with its values along a first axis, or a tensor {@code x[0]}, {@code x[1]} … for each. */
        SEQUENCE,
        /** A tensor that a run may be left without. */
        OPTIONAL,
        /** A sequence that a run may be left without. */
        OPTIONAL_SEQUENCE;

        /** {@return whether it is a sequence} */
        public boolean isSequence() {
            return this != OPTIONAL;
        }

        /** {@return whether a run may be left without it} */
        public boolean isOptional() {
            return this != SEQUENCE;
        }
    }

    /**
     * A network for some inputs.
     *
     * @param graph the network, for inputs of the same names and types alone
     * @param deciding names of the inputs whose elements must be the same, too
     */
    record Specialization(Graph graph, Set<String> deciding) {
        public Specialization {
            deciding = Set.copyOf(deciding);
        }
    }

    /** {@return the inputs and outputs that are not just tensors, by name} */
    Map<String, Kind> kinds();

    /**
     * {@return whether the graph that has these specializations serves a run itself}
     *
     * @param inputs of the run
     */
    boolean isUsual(Map<String, Tensor> inputs);

    /**
     * {@return the network for a run; it has constants in common with the graph}
     *
     * @param inputs of the run
     * @throws org.clinfer.graph.GraphException if the model is unsound for these inputs
     * @throws org.clinfer.graph.UnsupportedException if Clinfer does not have what the model does with them
     */
    Specialization of(Map<String, Tensor> inputs);

    /**
     * {@return the name of a value of a sequence that is given or comes out value by value}
     *
     * @param sequence its name
     * @param index from 0 on
     */
    static String value(String sequence, int index) {
        return sequence + "[" + index + "]";
    }
}
