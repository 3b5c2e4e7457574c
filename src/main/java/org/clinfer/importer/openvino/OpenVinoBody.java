package org.clinfer.importer.openvino;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A network that a layer runs.
 *
 * @param layers in the order of the file
 * @param inputs which of the layer's inputs its parameters take
 * @param outputs which of the layer's outputs its results give
 * @param backEdges the results that parameters take in the next iteration, by the ids of these
 */
record OpenVinoBody(
        List<OpenVinoLayer> layers, List<Mapped> inputs, List<Mapped> outputs, Map<String, String> backEdges) {

    /**
     * A parameter or a result, and the port outside that belongs to it.
     *
     * @param port the id of the port, a negative number if none belongs to it
     * @param inner the id of the parameter or result
     * @param slice the part of the value that an iteration takes or gives; absent if that is all of it
     * @param purpose what it is for, such as {@code current_iteration}; {@code ""} if it is for itself
     */
    record Mapped(String port, String inner, Optional<Slices> slice, String purpose) {}

    /** Parts of a value along an axis, one for each iteration, as the file has them. */
    record Slices(long axis, long start, long end, long stride, long size) {}
}
