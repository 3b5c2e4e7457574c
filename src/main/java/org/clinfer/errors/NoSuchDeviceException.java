package org.clinfer.errors;

/** A device was asked for by a number that none of those that are there has; the message says how many there are. */
public final class NoSuchDeviceException extends DeviceUnavailableException {

    private static final long serialVersionUID = 1L;

    /**
     * A number beyond those of the devices.
     *
     * @param number the number that was asked for, counted from 0
     * @param there how many OpenCL devices there are
     */
    public NoSuchDeviceException(int number, int there) {
        super("there is no OpenCL device " + number + "; there " + (there == 1 ? "is 1" : "are " + there)
                + ", counted from 0");
    }
}
