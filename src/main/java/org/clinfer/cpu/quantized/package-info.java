/** Operators of quantized values, and those between quantized values and real numbers. */
@NullMarked
package org.clinfer.cpu.quantized;

import org.jspecify.annotations.NullMarked;
