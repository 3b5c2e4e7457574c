package org.clinfer.importer.tfjs;

import java.util.List;

/**
 * A network as layers that take each other's outputs.
 *
 * @param layers in the order of the file, names being unique
 * @param inputs the outputs of input layers that a caller gives, in order
 * @param outputs what a caller gets, in order
 */
record Topology(
        String name, List<TfjsLayer> layers, List<TfjsLayer.TensorRef> inputs, List<TfjsLayer.TensorRef> outputs) {}
