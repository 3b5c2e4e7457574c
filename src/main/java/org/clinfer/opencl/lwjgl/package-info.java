/** The LWJGL binding, the default: the only place that sees {@code org.lwjgl}. */
@NullMarked
package org.clinfer.opencl.lwjgl;

import org.jspecify.annotations.NullMarked;
