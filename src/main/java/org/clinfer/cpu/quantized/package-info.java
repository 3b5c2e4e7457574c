/** Operators of codes of few bits, and those between codes and real numbers. */
@NullMarked
package org.clinfer.cpu.quantized;

import org.jspecify.annotations.NullMarked;
