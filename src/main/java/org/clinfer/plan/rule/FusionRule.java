package org.clinfer.plan.rule;

import java.util.Set;

/** One way to do the same with fewer nodes. */
interface FusionRule {

    /**
     * Rewrites around the node at a position, if it can.
     *
     * @return whether it did
     */
    boolean apply(int position, Rewriting graph);

    /** {@return operators without any of which in a graph it changes nothing; empty where that depends on more} */
    default Set<String> needs() {
        return Set.of();
    }
}
