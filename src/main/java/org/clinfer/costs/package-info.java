/**
 * Costs of work on a machine, as data ({@code machine.json}): read where nodes are placed, layouts chosen, loops of the CPU
 * path divided, and by the operator descriptions as {@code device.costs}. Holds no rules of its own.
 */
@NullMarked
package org.clinfer.costs;

import org.jspecify.annotations.NullMarked;
