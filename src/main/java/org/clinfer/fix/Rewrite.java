package org.clinfer.fix;

import java.util.List;

/** A way to say the same with other nodes. Stateless. */
interface Rewrite {

    /**
     * The replacements of a node, and perhaps of its neighbours, in order of preference; empty where the rewrite does not
     * apply. Each gives the same results up to rounding, whatever the values of the inputs.
     */
    List<Replacement> of(Site site);

    /** Tells whether it takes a neighbour away with the node. */
    default boolean isJoint() {
        return false;
    }
}
