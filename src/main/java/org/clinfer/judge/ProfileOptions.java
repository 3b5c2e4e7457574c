package org.clinfer.judge;

import java.util.Optional;
import org.clinfer.tensor.DType;

/**
 * The form in which a network is held against device profiles.
 *
 * @param float32As the type to which a network of float32 is quantized or converted; empty: it stays as it is
 * @param asWritten whether it is judged as its file has it, without what the family's converter does to it
 * @param passing whether findings have the nearest values that would pass, which have to be searched
 */
public record ProfileOptions(Optional<DType> float32As, boolean asWritten, boolean passing) {

    /** The network in its own types, converted as the families do it. */
    public static final ProfileOptions DEFAULTS = new ProfileOptions(Optional.empty(), false, true);

    /**
     * {@return the same for networks of float32 that become networks of another type}
     *
     * @param dtype the other type
     */
    public ProfileOptions withFloat32As(DType dtype) {
        return new ProfileOptions(Optional.of(dtype), asWritten, passing);
    }

    /** {@return the same for networks as their files have them} */
    public ProfileOptions withAsWritten() {
        return new ProfileOptions(float32As, true, passing);
    }

    /** {@return the same without the nearest values that would pass} */
    public ProfileOptions withoutPassing() {
        return new ProfileOptions(float32As, asWritten, false);
    }
}
