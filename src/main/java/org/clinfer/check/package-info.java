/**
 * Turns a graph and concrete input types into a {@link org.clinfer.check.CheckedGraph}: every parameter resolved, every
 * type inferred, constants folded, and every broken rule found. Pure; needs no device.
 */
@NullMarked
package org.clinfer.check;

import org.jspecify.annotations.NullMarked;
