package org.clinfer.errors;

import java.util.List;
import org.clinfer.text.Printable;

/**
 * Values that a binding kept are gone: with a device that was lost between two runs or in one, or because a run failed that
 * was changing them where they are. The session goes on; the binding does once each of these inputs is set again.
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

    private StateLostException(String message, List<String> inputs) {
        super(Printable.message(message));
        this.inputs = List.copyOf(inputs);
    }

    /**
     * {@return the loss of some inputs' values by a run that failed}
     *
     * @param inputs by name
     */
    public static StateLostException byRun(List<String> inputs) {
        return new StateLostException(
                "a run that failed had begun to change the values of the inputs " + inputs + "; set them again",
                inputs);
    }

    /** {@return the inputs that have no value any more} */
    public List<String> inputs() {
        return inputs;
    }
}
