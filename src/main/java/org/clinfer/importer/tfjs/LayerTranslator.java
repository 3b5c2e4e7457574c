package org.clinfer.importer.tfjs;

/** Says one kind of layer in canonical operators. */
@FunctionalInterface
interface LayerTranslator {

    /** Adds the layer's operators and gives its output, which may be its input. */
    Value translate(LayerCall call);
}
