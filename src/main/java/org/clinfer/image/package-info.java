/**
 * Pictures as inputs of networks, and what networks find in them: {@link org.clinfer.image.Picture} reads files of all usual
 * kinds, {@link org.clinfer.image.Preprocessing} makes tensors of them, and {@link org.clinfer.image.Labels}, {@link
 * org.clinfer.image.Detections} and {@link org.clinfer.image.Segmentation} read what a network gives.
 */
@NullMarked
package org.clinfer.image;

import org.jspecify.annotations.NullMarked;
