package org.clinfer.opencl;

import org.clinfer.options.ClBinding;

/** The contract through LWJGL. */
@RequiresOpenCl(ClBinding.LWJGL)
final class LwjglOpenClTest extends OpenClContract {

    LwjglOpenClTest() {
        super(ClBinding.LWJGL);
    }
}
