/** Convolutions and their transpositions, in any layout of whole tensors. */
@NullMarked
package org.clinfer.cpu.convolution;

import org.jspecify.annotations.NullMarked;
