package org.clinfer.opencl;

/** The contract through JOCL. */
@RequiresOpenCl(Binding.JOCL)
final class JoclOpenClTest extends OpenClContract {

    JoclOpenClTest() {
        super(Binding.JOCL);
    }
}
