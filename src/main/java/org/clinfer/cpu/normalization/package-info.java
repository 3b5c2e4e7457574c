/** Normalizations and softmax. */
@NullMarked
package org.clinfer.cpu.normalization;

import org.jspecify.annotations.NullMarked;
