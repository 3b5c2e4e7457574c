package org.clinfer.opencl;

/** The kernel contract through LWJGL. */
@RequiresOpenCl(Binding.LWJGL)
final class LwjglKernelTest extends KernelContract {

    LwjglKernelTest() {
        super(Binding.LWJGL);
    }
}
