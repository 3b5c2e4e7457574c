package org.clinfer.importer.caffe;

import java.util.List;
import org.clinfer.tensor.Shape;

/**
 * A network as its file defines it, in the phase TEST.
 *
 * @param inputs what it declares beside its layers
 */
record Definition(String name, List<Input> inputs, List<CaffeLayer> layers) {

    /** A blob that the caller supplies. */
    record Input(String blob, Shape shape) {}

    Definition {
        inputs = List.copyOf(inputs);
        layers = List.copyOf(layers);
    }
}
