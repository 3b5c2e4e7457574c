package org.clinfer.opencl;

/** The contract through JOCL. */
@RequiresOpenCl(ClBinding.JOCL)
final class JoclOpenClTest extends OpenClContract {

    JoclOpenClTest() {
        super(ClBinding.JOCL);
    }
}
