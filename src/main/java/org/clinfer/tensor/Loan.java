package org.clinfer.tensor;

import java.util.concurrent.atomic.AtomicReference;

/** Memory that was lent to a tensor, to be given back only if nobody can see it any more. */
final class Loan {

    private enum State {
        LENT,
        /** There is a view of it. */
        KEPT,
        GIVEN_BACK
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.LENT);
    private final Runnable giveBack;

    Loan(Runnable giveBack) {
        this.giveBack = giveBack;
    }

    /** Before a view is handed out: the memory is never given back; false if it was already. */
    boolean keep() {
        return state.compareAndSet(State.LENT, State.KEPT) || state.get() == State.KEPT;
    }

    /** Gives the memory back unless it is kept, once. */
    void end() {
        if (state.compareAndSet(State.LENT, State.GIVEN_BACK)) {
            giveBack.run();
        }
    }
}
