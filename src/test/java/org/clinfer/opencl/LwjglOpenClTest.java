package org.clinfer.opencl;

/** The contract through LWJGL. */
@RequiresOpenCl(ClBinding.LWJGL)
final class LwjglOpenClTest extends OpenClContract {

    LwjglOpenClTest() {
        super(ClBinding.LWJGL);
    }
}
