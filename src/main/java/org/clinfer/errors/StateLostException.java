package org.clinfer.errors;

import java.util.List;

/**
 * Values that a binding kept on a device are gone with it: the device was lost between two runs or in one. The session goes
 * on; the binding does once each of these inputs is set again.
 */
public final class StateLostException extends ClinferException {

    private static final long serialVersionUID = 1L;

    private final List<String> inputs;

    /**
     * The loss of some inputs' values.
     *
     * @param inputs by name
     * @param cause the failure of the device
     */
    public StateLostException(List<String> inputs, Throwable cause) {
        super(
                Printable.message(
                        "the values of the inputs " + inputs + " were on a device that was lost; set them again"),
                cause);
        this.inputs = List.copyOf(inputs);
    }

    /** {@return the inputs that have no value any more} */
    public List<String> inputs() {
        return inputs;
    }
}
