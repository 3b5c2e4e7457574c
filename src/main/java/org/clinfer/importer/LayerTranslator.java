package org.clinfer.importer;

import java.util.List;

/**
 * Translates the layers of one type.
 *
 * @param <C> a layer of the format, with what its translator asks
 */
@FunctionalInterface
public interface LayerTranslator<C> {

    /** Adds the layer's operators to the graph and gives its outputs, in order. */
    List<Value> translate(C layer);
}
