package org.clinfer.run;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.device.DeviceFacts;
import org.clinfer.kernel.ChainSource;
import org.clinfer.opencl.ClAccess;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClQueue;

/** The kernels of several nodes, which run in one launch. */
final class PreparedChain implements AutoCloseable {

    private static final long MOST_WORKERS = 1024;
    private static final long LINE_BYTES = 64;

    private final ChainSource source;
    private final ClKernel kernel;
    private final long[] global;
    private final List<ClBuffer> buffers = new ArrayList<>();
    private boolean countersCleared;

    /**
     * Gets a chain ready to be enqueued again and again.
     *
     * @throws org.clinfer.opencl.ClException if its program does not build, or the device has no room for it
     */
    PreparedChain(DeviceRuntime runtime, ChainSource source, ChainTable table) {
        long workers = workers(runtime.facts());
        this.source = source;
        this.global = new long[] {workers};
        this.kernel = runtime.chain(source);
        try {
            buffers.add(runtime.context().bufferOf(table.bytes(), ClAccess.READ_ONLY));
            buffers.add(runtime.context().buffer(counterBytes(table.launches(), workers), ClAccess.READ_WRITE));
            bind(table);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** The number of work-groups of a chain. */
    static long workers(DeviceFacts facts) {
        return Math.min(Math.max(facts.limit("max_compute_units", 1), 1), MOST_WORKERS);
    }

    /** The size of the counters of a chain, in bytes. */
    static long counterBytes(int launches, long workers) {
        return (1 + 2L * launches * (workers + 1)) * LINE_BYTES;
    }

    private void bind(ChainTable table) {
        kernel.arg("table", buffers.get(0));
        kernel.arg("counters", counters());
        kernel.local("local_memory", table.localBytes());
        kernel.arg("launches", table.launches());
        for (int pool = 0; pool < ChainSource.POOLS; pool++) {
            if (pool < table.pools().size()) {
                kernel.arg("pool" + pool, table.pools().get(pool));
            } else {
                kernel.argNull("pool" + pool);
            }
        }
    }

    ChainSource source() {
        return source;
    }

    private ClBuffer counters() {
        return buffers.get(1);
    }

    void enqueue(ClQueue queue) {
        clearCountersOnce(queue);
        queue.launch(kernel, global, new long[] {1});
    }

    private void clearCountersOnce(ClQueue queue) {
        if (!countersCleared) {
            queue.fill(counters(), 0, counters().bytes(), (byte) 0);
            countersCleared = true;
        }
    }

    @Override
    public void close() {
        kernel.close();
        buffers.forEach(ClBuffer::close);
        buffers.clear();
    }
}
