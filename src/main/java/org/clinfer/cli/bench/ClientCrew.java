package org.clinfer.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients of one program, each in a thread of its own, which ask for one run after the other and wait for its outputs. */
final class ClientCrew implements AutoCloseable {

    private final Contender program;
    private final int clients;
    private final ExecutorService threads;
    private final List<Long> requests = new ArrayList<>();
    private final List<Long> blocks = new ArrayList<>();
    private long nanos;
    private long processorNanos;

    /** @param program whose runs may be asked for from any thread; it stays the caller's */
    ClientCrew(Contender program, int clients) {
        this.program = program;
        this.clients = clients;
        this.threads = Executors.newFixedThreadPool(clients);
    }

    /** Lets every client ask at least once, and again until this time has passed. */
    void run(long least) {
        long processors = processorTime();
        long start = System.nanoTime();
        List<Future<List<Long>>> running = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            running.add(threads.submit(() -> ask(start, least)));
        }
        List<Long> taken = new ArrayList<>();
        running.forEach(each -> taken.addAll(result(each)));
        long block = System.nanoTime() - start;
        requests.addAll(taken);
        blocks.add(block / taken.size());
        nanos += block;
        processorNanos += processorTime() - processors;
    }

    /** The time that the process has spent on all processors, as far as the system tells. */
    private static long processorTime() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(0L);
    }

    private List<Long> ask(long start, long least) {
        List<Long> taken = new ArrayList<>();
        do {
            long begin = System.nanoTime();
            program.run();
            taken.add(System.nanoTime() - begin);
        } while (System.nanoTime() - start < least);
        return taken;
    }

    private static List<Long> result(Future<List<Long>> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while clients wait for runs", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Forgets the requests so far. */
    void begin() {
        requests.clear();
        blocks.clear();
        nanos = 0;
        processorNanos = 0;
    }

    int requests() {
        return requests.size();
    }

    long nanos() {
        return nanos;
    }

    /** The time that the process spent on all processors in the meantime. */
    long processorNanos() {
        return processorNanos;
    }

    /** The times of the requests. */
    Timings latencies() {
        return timings(requests);
    }

    /** Times by request, of all clients together, one for each block. */
    Timings byRequest() {
        return timings(blocks);
    }

    private static Timings timings(List<Long> nanos) {
        return new Timings(nanos.stream().mapToLong(Long::longValue).toArray());
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
