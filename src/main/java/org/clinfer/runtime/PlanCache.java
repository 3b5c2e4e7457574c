package org.clinfer.runtime;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The plans that a session has made, as far as there is memory for them: those that were used last. Thread-safe. */
final class PlanCache<P> {

    /** The inputs and limits that a plan is made for. */
    private record Key(Signature signature, PlanLimits limits) {}

    private final long limit;
    private final ToLongFunction<P> size;

    /** In the order of their last use, the eldest first. */
    private final LinkedHashMap<Key, P> plans = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;
    private int made;

    /**
     * No plans yet.
     *
     * @param limit bytes that are kept at most; the latest plan is, in any case
     * @param size the bytes that a plan takes
     */
    PlanCache(long limit, ToLongFunction<P> size) {
        this.limit = limit;
        this.size = size;
    }

    /** The plan for a signature within these limits, made where it is not there. */
    P plan(Signature signature, PlanLimits limits, Supplier<P> making) {
        Key key = new Key(signature, limits);
        synchronized (this) {
            P known = plans.get(key);
            if (known != null) {
                return known;
            }
        }
        P made = making.get();
        keep(key, made);
        return made;
    }

    private synchronized void keep(Key key, P plan) {
        P before = plans.put(key, plan);
        made++;
        bytes += size.applyAsLong(plan) - (before == null ? 0 : size.applyAsLong(before));
        Iterator<P> eldest = plans.values().iterator();
        while (bytes > limit && plans.size() > 1) {
            bytes -= size.applyAsLong(eldest.next());
            eldest.remove();
        }
    }

    /** The number of plans that were made. */
    synchronized int made() {
        return made;
    }
}
