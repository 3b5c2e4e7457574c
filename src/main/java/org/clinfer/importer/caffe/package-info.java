/**
 * Caffe's networks: a definition as text ({@code .prototxt}) or in a binary file ({@code .caffemodel}), and weights from the
 * latter. Every version of the format is read, as Caffe upgrades it; layers are those of the phase TEST.
 *
 * <p>The way through: a file → {@code Block} (fields by name, whatever the format) → {@code Definition} (layers in order) →
 * {@code CaffeTranslation}, with a {@code LayerTranslator} for each type of layer. Fields that no translator knows are kept,
 * so that they can be refused by name.
 */
@NullMarked
package org.clinfer.importer.caffe;

import org.jspecify.annotations.NullMarked;
