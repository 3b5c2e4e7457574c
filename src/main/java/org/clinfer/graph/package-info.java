/**
 * A network as data: nodes with attributes, named values between them, constants, and for each node the place in the
 * source file it came from. Importers produce it; it is immutable and already in executable order.
 */
@NullMarked
package org.clinfer.graph;

import org.jspecify.annotations.NullMarked;
