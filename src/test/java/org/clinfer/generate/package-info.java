/** Writes the sources and the manual that follow from the operator descriptions. */
@NullMarked
package org.clinfer.generate;

import org.jspecify.annotations.NullMarked;
