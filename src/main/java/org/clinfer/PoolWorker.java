package org.clinfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.clinfer.errors.MemoryLimitException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One of the runs that a pool has in flight: a thread with a session, which carries out requests until there are no more. */
final class PoolWorker {

    private static final Logger LOG = LoggerFactory.getLogger(PoolWorker.class);

    private final Session session;
    private final PoolQueue queue;
    private final PoolCounts counts;

    /** True once a joined run of this pool was found to give what single ones do. */
    private final AtomicBoolean tried;

    /** The threads of the pool that have not left it. */
    private final AtomicInteger working;

    /** True once a run of this thread had a result. */
    private boolean hasRun;

    private final Thread thread;

    /** @param session its own, which it closes */
    PoolWorker(
            Session session,
            PoolQueue queue,
            PoolCounts counts,
            AtomicBoolean tried,
            AtomicInteger working,
            String name) {
        this.session = session;
        this.queue = queue;
        this.counts = counts;
        this.tried = tried;
        this.working = working;
        this.thread = new Thread(this::work, name);
        thread.setDaemon(true);
    }

    Thread thread() {
        return thread;
    }

    /** Closes its session, of a pool that does not come about. */
    void close() {
        session.close();
    }

    private void work() {
        try {
            boolean stays = true;
            for (List<PoolRequest> next = next(); stays && !next.isEmpty(); next = stays ? next() : List.of()) {
                stays = carryOut(next);
            }
        } finally {
            session.close();
        }
    }

    /** Requests for the next run; an interrupt is what a stage of a future left behind, and ends no wait and no run. */
    private List<PoolRequest> next() {
        while (true) {
            if (Thread.interrupted()) {
                LOG.debug("a stage of a future has interrupted a thread of a pool, which goes on");
            }
            try {
                return queue.take();
            } catch (InterruptedException e) {
                LOG.debug("a thread of a pool was interrupted, and goes on");
            }
        }
    }

    /** @return whether the thread goes on: not where the engine may not hold the memory for one more run */
    private boolean carryOut(List<PoolRequest> requests) {
        List<PoolRequest> wanted =
                requests.stream().filter(request -> !request.isDone()).toList();
        if (wanted.size() > 1 && runTogether(wanted)) {
            return true;
        }
        for (int i = 0; i < wanted.size(); i++) {
            PoolRequest request = wanted.get(i);
            try {
                runAlone(request);
            } catch (MemoryLimitException refused) {
                if (leaves(wanted.subList(i, wanted.size()))) {
                    LOG.warn("a pool goes on with one run less: {}", refused.getMessage());
                    return false;
                }
                request.fail(refused);
            }
        }
        return true;
    }

    /** @throws MemoryLimitException if the engine may not hold the memory for the run; the request has no end yet */
    private void runAlone(PoolRequest request) {
        if (request.isDone()) {
            return;
        }
        try {
            request.complete(alone(request));
            hasRun = true;
        } catch (MemoryLimitException refused) {
            throw refused;
        } catch (RuntimeException | Error failure) {
            request.fail(failure);
        }
    }

    /** Leaves requests, and the pool, to other threads, if there are any and this one has never had the memory for a run. */
    private boolean leaves(List<PoolRequest> requests) {
        if (hasRun || working.getAndUpdate(count -> Math.max(1, count - 1)) <= 1) {
            return false;
        }
        if (queue.giveBack(requests)) {
            return true;
        }
        working.incrementAndGet();
        return false;
    }

    private Result alone(PoolRequest request) {
        long waited = request.age();
        long start = System.nanoTime();
        Result result = session.run(request.inputs(), request::isDone);
        counts.ran(1, waited, System.nanoTime() - start);
        return result;
    }

    /** @return whether every request has its end; otherwise each is to run by itself, and fail by itself if it has to */
    private boolean runTogether(List<PoolRequest> requests) {
        Optional<List<Result>> parts;
        try {
            parts = together(requests);
        } catch (CancellationException nobodyWaits) {
            return true;
        } catch (RuntimeException | Error failure) {
            LOG.debug("{} joined requests run one by one: {}", requests.size(), failure.toString());
            return false;
        }
        if (parts.isEmpty() || !(tried.get() || areRight(requests, parts.get()))) {
            LOG.warn("requests are not joined any more: the outputs of the model do not keep its rows apart");
            queue.joinNoMore();
            parts.ifPresent(all -> all.forEach(Result::close));
            return false;
        }
        List<Result> results = parts.get();
        hasRun = true;
        for (int i = 0; i < results.size(); i++) {
            requests.get(i).complete(results.get(i));
        }
        return true;
    }

    private Optional<List<Result>> together(List<PoolRequest> requests) {
        long waited = requests.stream().mapToLong(PoolRequest::age).sum();
        long start = System.nanoTime();
        try (Result whole = session.run(
                PoolBatching.joined(requests), () -> requests.stream().allMatch(PoolRequest::isDone))) {
            counts.ran(requests.size(), waited, System.nanoTime() - start);
            return PoolBatching.split(whole, requests);
        }
    }

    /**
     * Compares the first joined run with runs of its first and its last request alone: rows that depend on those before
     * them show in the last one, on those behind them in the first. Then it does the same with other numbers.
     */
    private boolean areRight(List<PoolRequest> requests, List<Result> joined) {
        if (!agree(requests, joined) || !isProbeRight(requests)) {
            return false;
        }
        tried.set(true);
        return true;
    }

    private boolean agree(List<PoolRequest> requests, List<Result> joined) {
        int last = requests.size() - 1;
        return isRight(requests.get(0), joined.get(0)) && isRight(requests.get(last), joined.get(last));
    }

    private boolean isRight(PoolRequest request, Result joined) {
        try (Result alone = session.run(request.inputs(), () -> false)) {
            return PoolBatching.agree(joined, alone);
        } catch (RuntimeException failure) {
            LOG.debug("a joined request fails by itself: {}", failure.toString());
            return false;
        }
    }

    private boolean isProbeRight(List<PoolRequest> requests) {
        List<PoolRequest> probes = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            probes.add(PoolProbe.of(requests.get(i), i));
        }
        try (Result whole = session.run(PoolBatching.joined(probes), () -> false)) {
            return agree(probes, PoolBatching.split(whole, probes).orElseThrow());
        } catch (RuntimeException failure) {
            // numbers that the network does not take say nothing of its rows
            LOG.debug("joined requests with other numbers fail: {}", failure.toString());
            return true;
        }
    }
}
