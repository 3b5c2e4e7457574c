/**
 * ncnn's networks: a definition as text ({@code .param}) and the weights ({@code .bin}) in the order of its layers.
 *
 * <p>A blob of ncnn has no batch: it is (w), (h, w), (c, h, w) or (c, d, h, w). Here every value has the batch in front, so an
 * axis of a layer is the axis behind it of the value, and negative axes are the same. Blobs of fewer axes stay so: what
 * follows a global pool, a Flatten or an InnerProduct is [batch, w].
 *
 * <p>The way through: a file → {@code NcnnLayer}s with their {@code LayerParams} → {@code NcnnTranslation}, with a
 * {@code LayerTranslator} for each type of layer, which also takes the layer's weights from the file, one after another.
 */
@NullMarked
package org.clinfer.importer.ncnn;

import org.jspecify.annotations.NullMarked;
