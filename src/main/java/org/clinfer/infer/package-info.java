/**
 * Turns a graph and concrete input types into a {@link org.clinfer.infer.CheckedGraph}: every parameter resolved, every
 * type inferred, constants folded, and every broken rule of a description found. Pure; needs no device.
 */
@NullMarked
package org.clinfer.infer;

import org.jspecify.annotations.NullMarked;
