package org.clinfer.importer.tfjs;

import java.util.List;
import java.util.stream.Stream;

/**
 * The place of one use of a layer among networks inside networks.
 *
 * @param path the names of the networks around the layer, and its own
 * @param output the name of its output
 */
record Place(List<String> path, String output) {

    static final Place OUTERMOST = new Place(List.of(), "");

    /** The place of a use in the network at this place. */
    Place inside(CallOrder.Use use) {
        String name = use.layer().name();
        String numbered = use.call() == 0 ? name : name + ":" + use.call();
        return new Place(
                Stream.concat(path.stream(), Stream.of(name)).toList(),
                output.isEmpty() ? numbered : output + "/" + numbered);
    }
}
