/**
 * Control flow of TensorFlow 1 (Switch and Merge, frames of loops, TensorArrays) as that of TensorFlow 2: If and While with
 * functions, and lists of tensors.
 */
@NullMarked
package org.clinfer.importer.tensorflow.functional;

import org.jspecify.annotations.NullMarked;
