package org.clinfer.errors;

/** A request that a pool did not carry out, although nothing is wrong with it; the message is one sentence. */
public final class RefusedException extends ClinferException {

    private static final long serialVersionUID = 1L;

    /** The causes of a refusal. */
    public enum Cause {
        /** As many requests wait as may wait. */
        FULL,
        /** The deadline of the request has passed, while it waited or while it ran. */
        LATE,
        /** The pool was closed, and did not get to the request in the time that it had. */
        CLOSED
    }

    private final Cause kind;

    /**
     * The refusal of a request.
     *
     * @param kind the cause
     * @param message the sentence about it
     */
    public RefusedException(Cause kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** {@return the cause, for programs} */
    public Cause kind() {
        return kind;
    }
}
