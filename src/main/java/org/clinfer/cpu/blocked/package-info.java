/**
 * Operators of blocked channels: convolution, Winograd's minimal filtering among it, pooling, resampling, and what is
 * element by element.
 */
@NullMarked
package org.clinfer.cpu.blocked;

import org.jspecify.annotations.NullMarked;
