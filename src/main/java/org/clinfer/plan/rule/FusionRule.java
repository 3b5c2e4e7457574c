package org.clinfer.plan.rule;

/** One way to do the same with fewer nodes. */
interface FusionRule {

    /**
     * Rewrites around the node at a position, if it can.
     *
     * @return whether it did
     */
    boolean apply(int position, Rewriting graph);
}
