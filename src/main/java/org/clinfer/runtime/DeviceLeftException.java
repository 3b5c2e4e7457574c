package org.clinfer.runtime;

/** The sign that a run has to go on on another device of its engine: this one has failed, or has not the memory. */
final class DeviceLeftException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean lasting;

    /**
     * The reason why a run leaves a device.
     *
     * @param lasting whether later runs of the session do without it as well
     */
    DeviceLeftException(String reason, boolean lasting) {
        super(reason);
        this.lasting = lasting;
    }

    boolean isLasting() {
        return lasting;
    }
}
