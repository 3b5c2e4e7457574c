package org.clinfer.run;

/** Frees something once its owner has given it up and nobody uses it any more. Thread-safe. */
final class UseCount {

    private final Runnable free;
    private int uses;
    private boolean givenUp;

    /** @param free called once, by whoever comes last */
    UseCount(Runnable free) {
        this.free = free;
    }

    /**
     * Begins a use.
     *
     * @return whether it is still there to be used
     */
    synchronized boolean begin() {
        if (givenUp && uses == 0) {
            return false;
        }
        uses++;
        return true;
    }

    /** {@return whether its owner has given it up} */
    synchronized boolean isGivenUp() {
        return givenUp;
    }

    /** Ends one use. */
    void end() {
        synchronized (this) {
            uses--;
            if (!givenUp || uses > 0) {
                return;
            }
        }
        free.run();
    }

    /** The owner needs it no more; more calls do nothing. */
    void giveUp() {
        synchronized (this) {
            if (givenUp) {
                return;
            }
            givenUp = true;
            if (uses > 0) {
                return;
            }
        }
        free.run();
    }
}
