/** NumPy's {@code .npy} files as tensors: what {@code run} and {@code verify} read and write. */
@NullMarked
package org.clinfer.cli.npy;

import org.jspecify.annotations.NullMarked;
