package org.clinfer;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The latest plan that was made without a run, for the next run to take: planning is much of what a first run takes. */
final class PlanAhead<P> {

    private record Planned<P>(Signature signature, PlanLimits limits, P plan) {
        boolean isFor(Signature other, PlanLimits others) {
            return signature.equals(other) && limits.equals(others);
        }
    }

    private final AtomicReference<@Nullable Planned<P>> latest = new AtomicReference<>();

    /** The plan for a signature within these limits, made where it is not there; it stays. */
    P look(Signature signature, PlanLimits limits, Supplier<P> making) {
        Planned<P> known = latest.get();
        if (known != null && known.isFor(signature, limits)) {
            return known.plan();
        }
        P made = making.get();
        latest.set(new Planned<>(signature, limits, made));
        return made;
    }

    /** The same for a run: no plan stays, because runs keep their own. */
    P take(Signature signature, PlanLimits limits, Supplier<P> making) {
        Planned<P> known = latest.getAndSet(null);
        return known != null && known.isFor(signature, limits) ? known.plan() : making.get();
    }
}
