/** The JOCL binding: the only place that sees {@code org.jocl}, turning its typed objects into plain handles. */
@NullMarked
package org.clinfer.opencl.jocl;

import org.jspecify.annotations.NullMarked;
