/**
 * SavedModels of TensorFlow as frozen graphs: of one signature, with the functions that it calls in the place of their calls,
 * those of conditions and loops which data decide as graphs, and the values of its variables as constants.
 */
@NullMarked
package org.clinfer.importer.tensorflow.savedmodel;

import org.jspecify.annotations.NullMarked;
