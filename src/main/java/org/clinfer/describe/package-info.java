/**
 * Operator descriptions: JSON files, with families put where they are named, read strictly into records, collected in a
 * catalogue, and bound to the inputs and parameters of a node, which checks them and infers the outputs. Depends on
 * {@code expr} and {@code tensor}.
 */
@NullMarked
package org.clinfer.describe;

import org.jspecify.annotations.NullMarked;
