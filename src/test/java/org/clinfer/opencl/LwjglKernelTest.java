package org.clinfer.opencl;

import org.clinfer.options.ClBinding;

/** The kernel contract through LWJGL. */
@RequiresOpenCl(ClBinding.LWJGL)
final class LwjglKernelTest extends KernelContract {

    LwjglKernelTest() {
        super(ClBinding.LWJGL);
    }
}
