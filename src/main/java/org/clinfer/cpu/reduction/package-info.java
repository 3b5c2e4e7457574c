/** Reductions, and operators that look at the elements along one axis in their order. */
@NullMarked
package org.clinfer.cpu.reduction;

import org.jspecify.annotations.NullMarked;
