package org.clinfer.kernel;

/**
 * A tensor of a node by its place.
 *
 * @param output whether it is an output
 * @param position place among the node's inputs or outputs
 */
public record TensorRef(boolean output, int position) {}
