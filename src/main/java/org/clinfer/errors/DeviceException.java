package org.clinfer.errors;

/** A device, or its driver, failed at what it was asked for; the message has the call, the device and the next step. */
public abstract class DeviceException extends ClinferException {

    private static final long serialVersionUID = 1L;

    /**
     * A failure of a device.
     *
     * @param message the sentence about it
     */
    protected DeviceException(String message) {
        super(message);
    }
}
