package org.clinfer.expr;

/** The budget that several evaluations may spend together; not for use by several threads. */
public final class Budget {

    private long steps;
    private long elements;
    private long reads;

    /** {@return whether there is nothing left} */
    public boolean isExhausted() {
        return steps > Limits.SHARED * (long) Limits.STEPS
                || elements > 2 * Limits.ELEMENTS
                || reads > Limits.SHARED * Limits.READS;
    }

    void spend(int newSteps, long newElements, long newReads) {
        steps += newSteps;
        elements += newElements;
        reads += newReads;
    }
}
