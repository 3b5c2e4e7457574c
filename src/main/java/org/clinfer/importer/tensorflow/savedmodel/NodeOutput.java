package org.clinfer.importer.tensorflow.savedmodel;

import org.clinfer.importer.tensorflow.proto.NodeDef;

/** The output of a node that gives a value, where calls of functions do not count. */
record NodeOutput(CallScope scope, NodeDef node, int port) {

    /** The node in this call of its function. */
    Place place() {
        return new Place(scope, node.getName());
    }

    /** A node in one call of its function. */
    record Place(CallScope scope, String node) {}
}
