package org.clinfer.check;

import java.util.Optional;
import org.clinfer.tensor.DType;

/**
 * The form in which a network is held against device profiles.
 *
 * @param float32As the type to which a network of float32 is quantized or converted; empty: it stays as it is
 * @param asWritten whether it is judged as its file has it, without what the family's converter does to it
 */
public record ProfileOptions(Optional<DType> float32As, boolean asWritten) {

    /** The network in its own types, converted as the families do it. */
    public static final ProfileOptions DEFAULTS = new ProfileOptions(Optional.empty(), false);
}
