package org.clinfer.opencl;

/** The kernel contract through JOCL. */
@RequiresOpenCl(ClBinding.JOCL)
final class JoclKernelTest extends KernelContract {

    JoclKernelTest() {
        super(ClBinding.JOCL);
    }
}
