package org.clinfer.importer.caffe;

import java.util.List;
import org.clinfer.importer.Value;

/** Translates the layers of one type. */
@FunctionalInterface
interface LayerTranslator {

    /** Adds the layer's operators to the graph and gives its tops, in order. */
    List<Value> translate(LayerCall call);

    /** A layer with one top. */
    @FunctionalInterface
    interface Single {

        Value translate(LayerCall call);
    }

    static LayerTranslator one(Single single) {
        return call -> List.of(single.translate(call));
    }
}
