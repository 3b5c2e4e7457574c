/**
 * Darknet's networks: layers one after another in a {@code .cfg} file, weights in the {@code .weights} file beside it.
 *
 * <p>The way through: {@code Cfg} (sections and their options) → {@code GraphTranslation}, which knows how many channels,
 * rows and columns each layer gives, because weights are a row of numbers without shapes of their own.
 */
@NullMarked
package org.clinfer.importer.darknet;

import org.jspecify.annotations.NullMarked;
