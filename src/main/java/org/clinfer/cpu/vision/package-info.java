/** Operators of images: pooling, resampling, regions of interest, and the boxes of detectors. */
@NullMarked
package org.clinfer.cpu.vision;

import org.jspecify.annotations.NullMarked;
