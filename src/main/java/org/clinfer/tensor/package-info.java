/**
 * Data types, shapes and tensors: the vocabulary every other package speaks. Depends on nothing.
 */
@NullMarked
package org.clinfer.tensor;

import org.jspecify.annotations.NullMarked;
