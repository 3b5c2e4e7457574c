package org.clinfer.opencl;

import org.clinfer.options.ClBinding;

/** The kernel contract through JOCL. */
@RequiresOpenCl(ClBinding.JOCL)
final class JoclKernelTest extends KernelContract {

    JoclKernelTest() {
        super(ClBinding.JOCL);
    }
}
