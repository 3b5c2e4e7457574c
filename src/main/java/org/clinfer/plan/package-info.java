/**
 * Turns a placed graph into an {@link org.clinfer.plan.ExecutionPlan}: the steps of one run in order (launches, host
 * calls, transfers) and where in which arena every value lives while it is needed. Pure; needs no device.
 */
@NullMarked
package org.clinfer.plan;

import org.jspecify.annotations.NullMarked;
