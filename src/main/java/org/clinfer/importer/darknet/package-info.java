/**
 * Darknet's networks: layers one after another in a {@code .cfg} file, weights in the {@code .weights} file beside it.
 *
 * <p>The way through: {@code Cfg} (sections and their options) → {@code DarknetTranslation}, with a
 * {@code LayerTranslator} for each type of layer, which also takes the layer's weights from the file: a row of numbers without
 * shapes of their own, so that it depends on what every layer before gives.
 */
@NullMarked
package org.clinfer.importer.darknet;

import org.jspecify.annotations.NullMarked;
