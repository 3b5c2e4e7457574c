/** Recurrent layers. */
@NullMarked
package org.clinfer.cpu.recurrent;

import org.jspecify.annotations.NullMarked;
