package org.clinfer.opencl;

/** The contract through LWJGL. */
@RequiresOpenCl(Binding.LWJGL)
final class LwjglOpenClTest extends OpenClContract {

    LwjglOpenClTest() {
        super(Binding.LWJGL);
    }
}
