package org.clinfer.errors;

/** The device that was asked for is not there; the message says what is missing. */
public class DeviceUnavailableException extends ClinferException {

    private static final long serialVersionUID = 1L;

    /**
     * A device that is asked for and not there.
     *
     * @param message the sentence about it
     */
    public DeviceUnavailableException(String message) {
        super(message);
    }
}
