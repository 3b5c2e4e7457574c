package org.clinfer.kernel;

import java.util.List;

/** The answer of a kernel variant to an operator use on a device. */
public sealed interface Accept {

    /** It does, with these launches. */
    record Yes(KernelPlan plan) implements Accept {}

    /**
     * It does not.
     *
     * @param reasons every limit that is broken, with the actual values
     */
    record No(List<String> reasons) implements Accept {
        public No {
            reasons = List.copyOf(reasons);
        }
    }
}
