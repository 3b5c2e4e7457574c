package org.clinfer.opencl;

/** The kernel contract through JOCL. */
@RequiresOpenCl(Binding.JOCL)
final class JoclKernelTest extends KernelContract {

    JoclKernelTest() {
        super(Binding.JOCL);
    }
}
