package org.clinfer.errors;

/** A request that a pool did not carry out, although nothing is wrong with it; the message is one sentence. */
public final class RefusedException extends ClinferException {

    private static final long serialVersionUID = 1L;

    /** The reasons for a refusal. */
    public enum Reason {
        /** As many requests wait as may wait. */
        FULL,
        /** The deadline of the request has passed, while it waited or while it ran. */
        LATE,
        /** The pool was closed, and did not get to the request in the time that it had. */
        CLOSED
    }

    private final Reason reason;

    /**
     * The refusal of a request.
     *
     * @param reason the reason
     * @param message the sentence about it
     */
    public RefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** {@return the reason, for programs} */
    public Reason reason() {
        return reason;
    }
}
