package org.clinfer.opencl;

import java.util.Optional;

/**
 * The binding that is in use.
 *
 * @param name as it is asked for
 * @param reason why this one; empty for the default
 */
public record BindingUse(String name, String reason) {

    static final String INSTEAD = "not ";

    /** The sentence about bindings that are tried before this one and cannot be loaded, if there are such. */
    public Optional<String> fallback() {
        return reason.startsWith(INSTEAD) ? Optional.of("through " + name + ", " + reason) : Optional.empty();
    }
}
