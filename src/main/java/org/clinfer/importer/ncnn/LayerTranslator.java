package org.clinfer.importer.ncnn;

import java.util.List;
import org.clinfer.importer.Value;

/** Translates the layers of one type. */
@FunctionalInterface
interface LayerTranslator {

    /** Adds the layer's operators to the graph and gives its outputs, in order. */
    List<Value> translate(LayerCall call);

    /** A layer with one output. */
    @FunctionalInterface
    interface Single {

        Value translate(LayerCall call);
    }

    static LayerTranslator one(Single single) {
        return call -> List.of(single.translate(call));
    }
}
