package org.clinfer.runtime;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.device.DeviceFacts;
import org.clinfer.errors.MemoryLimitException;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.run.DeviceNeeds;
import org.clinfer.run.DeviceWeights;
import org.clinfer.run.Executor;
import org.clinfer.run.HostNeeds;
import org.clinfer.run.RunSpace;

/**
 * The plans of a session that are ready to run: those that were used last. They share their memory between inputs and
 * results; what each takes beside it is bounded. For one thread at a time.
 */
final class ReadyPlans {

    private final MemoryBudget budget;
    private final RunSpace space = new RunSpace();

    /** In the order of their last use, the eldest first. */
    private final LinkedHashMap<Signature, Executor> executors = new LinkedHashMap<>(16, 0.75f, true);

    private final MemoryAccount.Share share;

    private long bytes;
    private long staged;

    /** The bytes of the tables on the device that each plan that is ready has for itself. */
    private final Map<Signature, Long> tables = new HashMap<>();

    /** @param share of the memory that all sessions hold */
    ReadyPlans(MemoryBudget budget, MemoryAccount.Share share) {
        this.budget = budget;
        this.share = share;
    }

    /** Makes an executor in the memory that it is to share. */
    @FunctionalInterface
    interface Making {
        Executor in(RunSpace space);
    }

    /** The plan for a signature, if it is ready; this counts as a use of it. */
    Optional<Executor> find(Signature signature) {
        return Optional.ofNullable(executors.get(signature));
    }

    /**
     * Makes a plan ready. Others make room for it: the eldest beyond the bound, and all where the shared memory has to
     * grow, or Java's does not suffice.
     *
     * @param weights those on the device that it is to use
     * @throws MemoryLimitException if the engine may not hold as much
     */
    Executor add(Signature signature, ExecutionPlan plan, Optional<DeviceWeights> weights, Making making) {
        if (!space.suffices(plan, weights)) {
            closeExecutors();
        }
        long more = MemoryBudget.ready(plan);
        while (bytes + more > budget.ready() && !executors.isEmpty()) {
            close(executors.keySet().iterator().next());
        }
        Optional<DeviceFacts> facts = weights.map(there -> there.runtime().facts());
        long ownTables = facts.map(on -> DeviceNeeds.of(plan, on).tables()).orElse(0L);
        hold(plan, facts, ownTables);
        Executor made = made(making);
        executors.put(signature, made);
        tables.put(signature, ownTables);
        bytes += more;
        return made;
    }

    /** Counts what a plan takes; where that is too much, the others give back what they have. */
    private void hold(ExecutionPlan plan, Optional<DeviceFacts> facts, long ownTables) {
        try {
            share.set(needs(plan, facts) + ownTables);
        } catch (MemoryLimitException e) {
            clear();
            share.set(needs(plan, facts) + ownTables);
        }
    }

    private long needs(ExecutionPlan plan, Optional<DeviceFacts> facts) {
        staged = Math.max(staged, facts.map(on -> HostNeeds.staged(plan, on)).orElse(0L));
        long ofOthers = tables.values().stream().mapToLong(Long::longValue).sum();
        return space.bytesWith(plan) + staged + ofOthers;
    }

    private Executor made(Making making) {
        try {
            return making.in(space);
        } catch (OutOfMemoryError e) {
            clear();
            return making.in(space);
        }
    }

    /** Closes a plan, if it is ready. */
    void close(Signature signature) {
        Executor executor = executors.remove(signature);
        tables.remove(signature);
        if (executor != null) {
            bytes -= MemoryBudget.ready(executor.plan());
            executor.close();
        }
    }

    /**
     * Gives all memory back if a plan other than the one for this signature is ready.
     *
     * @return whether there was one
     */
    boolean makeRoom(Signature spared) {
        boolean hasOthers = executors.keySet().stream().anyMatch(kept -> !kept.equals(spared));
        if (hasOthers) {
            clear();
        }
        return hasOthers;
    }

    private void closeExecutors() {
        executors.values().forEach(Executor::close);
        executors.clear();
        tables.clear();
        bytes = 0;
    }

    /** Closes all plans and gives their memory back. */
    void clear() {
        closeExecutors();
        space.close();
        staged = 0;
        share.set(0);
    }
}
