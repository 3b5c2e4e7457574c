package org.clinfer.opencl;

import org.clinfer.options.ClBinding;

/** The contract through JOCL. */
@RequiresOpenCl(ClBinding.JOCL)
final class JoclOpenClTest extends OpenClContract {

    JoclOpenClTest() {
        super(ClBinding.JOCL);
    }
}
