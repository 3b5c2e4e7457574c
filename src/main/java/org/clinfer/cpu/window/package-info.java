/** Windows that slide over spatial axes, and the lines of planes as loops in vectors meet them. */
@NullMarked
package org.clinfer.cpu.window;

import org.jspecify.annotations.NullMarked;
