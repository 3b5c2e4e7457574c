/**
 * TensorFlow.js layers models: a Keras topology in {@code model.json}, weights in the files that its manifest names.
 *
 * <p>Layouts are read as they are: convolutions of {@code channels_last} models stay so. A layer becomes one canonical
 * operator or a few; dropout and noise, which do nothing at inference, become none.
 *
 * <p>The way through: {@code ModelDocument} (the file) → {@code Topology} (layers and their calls, functional and
 * sequential alike) → {@code TfjsTranslation}, with a {@code LayerTranslator} for each kind of layer.
 */
@NullMarked
package org.clinfer.importer.tfjs;

import org.jspecify.annotations.NullMarked;
