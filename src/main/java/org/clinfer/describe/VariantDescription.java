package org.clinfer.describe;

import java.util.List;
import org.clinfer.expr.Check;

/**
 * A way to run an abstract operator on OpenCL.
 *
 * @param inherits the abstract operator whose arguments and outputs it has
 * @param variant its short name; {@code ref} is the one tried last
 * @param checks what has to hold for it to be used
 * @param source the file it comes from
 */
public record VariantDescription(
        String optype,
        String author,
        String inherits,
        String variant,
        List<Check> checks,
        List<PrivDescription> privs,
        List<LaunchDescription> run,
        String doc,
        String source) {

    public VariantDescription {
        checks = List.copyOf(checks);
        privs = List.copyOf(privs);
        run = List.copyOf(run);
    }

    /** Whether this is the reference, which is tried last. */
    public boolean isReference() {
        return variant.equals("ref");
    }
}
