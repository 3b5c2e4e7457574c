package org.clinfer.kernel;

/**
 * A tensor of a node by its position.
 *
 * @param position among the node's inputs, its outputs or the variant's scratch tensors
 */
public record TensorRef(Kind kind, int position) {

    /** The role of the tensor for the node. */
    public enum Kind {
        INPUT,
        OUTPUT,
        SCRATCH
    }
}
