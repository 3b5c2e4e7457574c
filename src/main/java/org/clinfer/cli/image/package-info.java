/** Pictures as tensors and back: decoding, resizing, normalising, and writing PNG files. */
@NullMarked
package org.clinfer.cli.image;

import org.jspecify.annotations.NullMarked;
