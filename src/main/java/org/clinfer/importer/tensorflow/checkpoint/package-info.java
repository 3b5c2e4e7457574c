/**
 * TensorFlow's checkpoints: tensors by their keys, in data files whose index is a table in LevelDB's format.
 */
@NullMarked
package org.clinfer.importer.tensorflow.checkpoint;

import org.jspecify.annotations.NullMarked;
