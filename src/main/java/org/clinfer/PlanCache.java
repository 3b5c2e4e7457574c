package org.clinfer;

import java.util.LinkedHashMap;
import java.util.Optional;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.Executor;

/**
 * The plans that a session keeps ready to run, with the memory that they take: those that were used last. For one thread
 * at a time.
 */
final class PlanCache {

    private static final int MOST_KEPT = 4;

    /** In the order of their last use, the eldest first. */
    private final LinkedHashMap<Signature, Executor> executors = new LinkedHashMap<>(16, 0.75f, true);

    /** The plan for a signature, if it is kept; this counts as a use of it. */
    Optional<Executor> find(Signature signature) {
        return Optional.ofNullable(executors.get(signature));
    }

    /** Makes a plan ready. Others make room for it: beyond their number, and where Java's memory does not suffice for all. */
    Executor add(Signature signature, ExecutionPlan plan, Executor.Resources resources) {
        if (executors.size() >= MOST_KEPT) {
            closeEldest();
        }
        Executor made = made(plan, resources);
        executors.put(signature, made);
        return made;
    }

    private Executor made(ExecutionPlan plan, Executor.Resources resources) {
        while (true) {
            try {
                return new Executor(plan, resources);
            } catch (OutOfMemoryError e) {
                if (executors.isEmpty()) {
                    throw e;
                }
            }
            closeEldest();
        }
    }

    private void closeEldest() {
        var eldest = executors.values().iterator();
        eldest.next().close();
        eldest.remove();
    }

    /** Closes a plan, if it is kept. */
    void close(Signature signature) {
        Executor executor = executors.remove(signature);
        if (executor != null) {
            executor.close();
        }
    }

    /**
     * Closes the eldest plan but the one for this signature.
     *
     * @return whether there was one
     */
    boolean closeEldestBut(Signature spared) {
        Optional<Signature> eldest =
                executors.keySet().stream().filter(kept -> !kept.equals(spared)).findFirst();
        eldest.ifPresent(this::close);
        return eldest.isPresent();
    }

    /** Closes all plans. */
    void clear() {
        executors.values().forEach(Executor::close);
        executors.clear();
    }
}
