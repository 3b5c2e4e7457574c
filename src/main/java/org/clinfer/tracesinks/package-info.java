/** Tells those who want to know what an engine does: {@link org.clinfer.trace.TraceSink}s of the caller and of the surroundings. */
@NullMarked
package org.clinfer.tracesinks;

import org.jspecify.annotations.NullMarked;
