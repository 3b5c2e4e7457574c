package org.clinfer.errors;

import org.clinfer.text.Printable;

/**
 * A model or a run needs more memory than its engine may hold. Nothing was computed and nothing of it is kept: once others give
 * memory back, the same call succeeds.
 */
public final class MemoryLimitException extends ClinferException {

    private static final long serialVersionUID = 1L;

    private final long asked;
    private final long held;
    private final long limit;

    /**
     * A refusal.
     *
     * @param what needs the memory, in words
     * @param asked bytes beyond those that it holds already
     * @param held bytes that the engine holds
     * @param holders the parts of that, in words
     * @param limit bytes that it may hold
     */
    public MemoryLimitException(String what, long asked, long held, String holders, long limit) {
        super(
                Printable.message(
                        what + " need " + asked + " more bytes, but the engine holds " + held + " (" + holders
                                + ") of at most " + limit
                                + ": raise its memory limit, close sessions or models, let pools have fewer runs, or run smaller batches"));
        this.asked = asked;
        this.held = held;
        this.limit = limit;
    }

    /** {@return the bytes that were needed in addition} */
    public long asked() {
        return asked;
    }

    /** {@return the bytes that the engine held} */
    public long held() {
        return held;
    }

    /** {@return the bytes that it may hold} */
    public long limit() {
        return limit;
    }
}
