package org.clinfer.runtime;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.clinfer.cache.TunedChoices;

/**
 * The plans of a network on one device that all its sessions share: each is made once, as far as there is memory to keep it.
 * Thread-safe.
 */
final class SharedPlans<P> {

    private record Key(Signature signature, PlanLimits limits) {}

    private final long limit;
    private final ToLongFunction<P> size;
    private final TunedChoices tuned;
    private final Map<Key, CompletableFuture<P>> making = new ConcurrentHashMap<>();
    private PlanCache<P> kept;

    /** The tuned choices that the plans in {@link #kept} were made with. */
    private Map<String, TunedChoices.Choice> choices;

    /**
     * No plans yet.
     *
     * @param limit bytes that are kept at most; the latest plan is, in any case
     * @param size the bytes that a plan takes
     * @param tuned choices that plans follow; once they change, plans are made anew
     */
    SharedPlans(long limit, ToLongFunction<P> size, TunedChoices tuned) {
        this.limit = limit;
        this.size = size;
        this.tuned = tuned;
        this.choices = tuned.all();
        this.kept = new PlanCache<>(limit, size);
    }

    /** The plan for a signature within these limits; made where it is not there, while others who want it wait. */
    P plan(Signature signature, PlanLimits limits, Supplier<P> make) {
        PlanCache<P> plans = current();
        Key key = new Key(signature, limits);
        CompletableFuture<P> own = new CompletableFuture<>();
        CompletableFuture<P> other = making.putIfAbsent(key, own);
        if (other != null) {
            try {
                return other.join();
            } catch (CompletionException failed) {
                return plans.plan(signature, limits, make); // a failure is everybody's own
            }
        }
        try {
            P plan = plans.plan(signature, limits, make);
            own.complete(plan);
            return plan;
        } catch (RuntimeException | Error e) {
            own.completeExceptionally(e);
            throw e;
        } finally {
            making.remove(key);
        }
    }

    private synchronized PlanCache<P> current() {
        Map<String, TunedChoices.Choice> now = tuned.all();
        if (!now.equals(choices)) {
            choices = now;
            kept = new PlanCache<>(limit, size);
        }
        return kept;
    }
}
