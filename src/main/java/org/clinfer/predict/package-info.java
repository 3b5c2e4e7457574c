/**
 * The time that kernels of a plan take on a GPU, predicted from what they do and from the figures of the GPU; needs no
 * device. Nothing here was fitted to a measurement.
 */
@NullMarked
package org.clinfer.predict;

import org.jspecify.annotations.NullMarked;
