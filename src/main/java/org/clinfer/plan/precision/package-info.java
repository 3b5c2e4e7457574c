/**
 * The precision of a placed graph: what it has in float32 computed in float16, or what it has in 16 bits in float32. Pure;
 * every node stays on the side it was placed on.
 */
@NullMarked
package org.clinfer.plan.precision;

import org.jspecify.annotations.NullMarked;
