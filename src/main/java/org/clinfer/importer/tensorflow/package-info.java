/**
 * Frozen TensorFlow graphs, binary and as text, and signatures of SavedModels, which become such graphs. Values keep TensorFlow's names, shapes and order of axes as seen from
 * outside; inside, those of two-dimensional and three-dimensional networks are held with the channels second, as
 * {@link org.clinfer.importer.tensorflow.TfValue} says. Nodes are translated by the class of their operator family, as
 * {@link org.clinfer.importer.tensorflow.TfTranslatorTable} lists them.
 */
@NullMarked
package org.clinfer.importer.tensorflow;

import org.jspecify.annotations.NullMarked;
