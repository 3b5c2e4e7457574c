package org.clinfer.opencl;

/** The kernel contract through LWJGL. */
@RequiresOpenCl(ClBinding.LWJGL)
final class LwjglKernelTest extends KernelContract {

    LwjglKernelTest() {
        super(ClBinding.LWJGL);
    }
}
