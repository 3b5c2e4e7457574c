/**
 * Rewrites of a placed graph: convolutions do the work of the nodes around them, parts become the operator that they make,
 * and what changes nothing goes away. Each is a class of its own, and the graph is verified after each. Pure; a rewrite keeps every node on the side it was placed on.
 */
@NullMarked
package org.clinfer.plan.rule;

import org.jspecify.annotations.NullMarked;
