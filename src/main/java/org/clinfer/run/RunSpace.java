package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.clinfer.cpu.call.FloatArrays;
import org.clinfer.opencl.ClAccess;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClHostBuffer;
import org.clinfer.opencl.ClQueue;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The space that executors share of which one runs at a time: the memory between inputs and results, on the host and on
 * the device, that of results which were closed, and a queue. It is as large as the largest of their plans needs it; an executor that was there before it
 * grew keeps the memory that it has. For one thread at a time.
 */
public final class RunSpace implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunSpace.class);

    /** Java has little memory outside of its heap, and large networks gain nothing. */
    private static final long MOST_VISIBLE_BYTES = 16 << 20;

    /** Memory in which devices that failed may write at any time. */
    private static final Queue<ByteBuffer> LEFT = new ConcurrentLinkedQueue<>();

    private final List<ByteBuffer> host = new ArrayList<>();
    private final List<float[]> arrays = new ArrayList<>();
    private final List<ClBuffer> device = new ArrayList<>();
    private @Nullable DeviceRuntime runtime;
    private @Nullable ClQueue queue;
    private final Map<Integer, ClQueue> unitQueues = new HashMap<>();
    private @Nullable ClQueue logged;
    private @Nullable PinnedMemory pinned;
    private final OutputMemory outputs = new OutputMemory();

    /** The mark that the driver has refused pinned memory. */
    private boolean hasNoPinned;

    /**
     * {@return whether an executor of this plan takes no more than there is}
     *
     * @param weights those on the device that it is to use
     */
    public boolean suffices(ExecutionPlan plan, Optional<DeviceWeights> weights) {
        boolean isElsewhere = runtime != null
                && weights.filter(there -> there.runtime() != runtime).isPresent();
        return !isElsewhere
                && larger(hostBytes(), plan.hostArena().memoryBytes()).isEmpty()
                && larger(arrayBytes(), plan.hostArena().arrayBytes()).isEmpty()
                && larger(deviceBytes(), plan.deviceArena().chunkBytes()).isEmpty();
    }

    /** Bytes that there are once an executor of this plan is made, on the host and on the device. */
    public long bytesWith(ExecutionPlan plan) {
        return Stream.of(
                        both(hostBytes(), plan.hostArena().memoryBytes()),
                        both(arrayBytes(), plan.hostArena().arrayBytes()),
                        both(deviceBytes(), plan.deviceArena().chunkBytes()))
                .flatMap(List::stream)
                .mapToLong(Long::longValue)
                .sum();
    }

    private List<Long> hostBytes() {
        return host.stream().map(chunk -> (long) chunk.capacity()).toList();
    }

    private List<Long> arrayBytes() {
        return arrays.stream()
                .map(array -> (long) (array.length - FloatArrays.BEFORE - FloatArrays.SLACK) * Float.BYTES)
                .toList();
    }

    private List<Long> deviceBytes() {
        return device.stream().map(ClBuffer::bytes).toList();
    }

    /** The sizes of chunks that are large enough for both; empty where those that are there suffice. */
    private static List<Long> larger(List<Long> there, List<Long> needed) {
        List<Long> sizes = both(there, needed);
        return sizes.equals(there) ? List.of() : sizes;
    }

    /** The sizes of chunks that are large enough for both. */
    private static List<Long> both(List<Long> there, List<Long> needed) {
        List<Long> sizes = new ArrayList<>(there);
        for (int i = 0; i < needed.size(); i++) {
            if (i >= there.size()) {
                sizes.add(needed.get(i));
            } else {
                sizes.set(i, Math.max(there.get(i), needed.get(i)));
            }
        }
        return sizes;
    }

    /** Memory of the host for each chunk of a plan. */
    List<ByteBuffer> host(ExecutionPlan plan) {
        List<Long> larger = larger(hostBytes(), plan.hostArena().memoryBytes());
        if (!larger.isEmpty()) {
            host.clear();
            larger.forEach(bytes -> host.add(ByteBuffer.allocateDirect(Math.toIntExact(bytes))));
        }
        return List.copyOf(host);
    }

    /** The arrays of a plan. */
    List<float[]> arrays(ExecutionPlan plan) {
        List<Long> larger = larger(arrayBytes(), plan.hostArena().arrayBytes());
        if (!larger.isEmpty()) {
            arrays.clear();
            larger.forEach(bytes -> {
                long floats = (bytes + Float.BYTES - 1) / Float.BYTES;
                arrays.add(new float[Math.toIntExact(FloatArrays.BEFORE + floats + FloatArrays.SLACK)]);
            });
        }
        return List.copyOf(arrays);
    }

    /**
     * Memory of a device for each chunk of a plan.
     *
     * @throws org.clinfer.opencl.ClException if it has not enough
     * @throws IllegalStateException if it is closed
     */
    List<ClBuffer> device(DeviceRuntime of, ExecutionPlan plan) {
        use(of);
        List<Long> larger = larger(deviceBytes(), plan.deviceArena().chunkBytes());
        if (!larger.isEmpty()) {
            closeDevice();
            boolean isVisible = of.worksInPlace()
                    && MemoryLimits.of(of.facts()).sharesHost()
                    && larger.stream().mapToLong(Long::longValue).sum() <= MOST_VISIBLE_BYTES;
            larger.forEach(bytes ->
                    device.add(isVisible ? visible(of, bytes) : of.context().buffer(bytes, ClAccess.READ_WRITE)));
        }
        return List.copyOf(device);
    }

    /** Memory that the host sees as well. */
    private static ClBuffer visible(DeviceRuntime of, long bytes) {
        ClHostBuffer buffer = of.context().hostBuffer(bytes, ClAccess.READ_WRITE);
        buffer.lend(Tensor.alignedMemory(Math.toIntExact(bytes)));
        return buffer;
    }

    /** The device may go on to write in the memory that it shares with the host, although nobody can wait for it. */
    void leaveVisible() {
        for (ClBuffer chunk : device) {
            if (chunk instanceof ClHostBuffer host) {
                host.memory().ifPresent(LEFT::add);
            }
        }
    }

    /** The memory of outputs, which goes from one run to the next. */
    OutputMemory outputs() {
        return outputs;
    }

    /** The queue of runs on a device. */
    ClQueue queue(DeviceRuntime of) {
        use(of);
        if (queue == null) {
            queue = of.queue();
        }
        return queue;
    }

    /** The queue of runs on a device whose commands are timed, one at a time. */
    ClQueue loggedQueue(DeviceRuntime of) {
        use(of);
        if (logged == null) {
            logged = of.loggedQueue();
        }
        return logged;
    }

    /**
     * The queue of runs on one compute unit, or on the whole device where the driver has none for a unit.
     *
     * @throws ClException if the device is lost
     */
    ClQueue queue(DeviceRuntime of, int unit) {
        use(of);
        ClQueue known = unitQueues.get(unit);
        if (known != null) {
            return known;
        }
        try {
            ClQueue made = of.unitQueue(unit);
            unitQueues.put(unit, made);
            return made;
        } catch (ClException e) {
            if (e.status().isDeviceLost()) {
                throw e;
            }
            LOG.debug("runs are not on single units", e);
            of.shares().giveUp();
            return queue(of);
        }
    }

    /**
     * Pinned memory of at least so many bytes, for one run at a time; empty where none are needed, or the driver has none.
     *
     * @throws ClException if the device is lost
     */
    Optional<PinnedMemory> pinned(DeviceRuntime of, int bytes) {
        ClQueue runs = queue(of);
        if (bytes == 0 || hasNoPinned) {
            return Optional.empty();
        }
        if (pinned == null || pinned.bytes() < bytes) {
            closePinned();
            try {
                pinned = new PinnedMemory(of, runs, bytes);
            } catch (ClException e) {
                if (e.status().isDeviceLost()) {
                    throw e;
                }
                LOG.debug("inputs and results are not brought into pinned memory", e);
                hasNoPinned = true;
            }
        }
        return Optional.ofNullable(pinned);
    }

    private void closePinned() {
        if (pinned != null) {
            pinned.close();
            pinned = null;
        }
    }

    /**
     * Fills the memory on the device with ones, which are no numbers as floats: no result of an earlier run can be taken for
     * one of the next.
     */
    public void poison() {
        ClQueue runs = queue;
        if (runs != null) {
            device.forEach(chunk -> runs.fill(chunk, 0, chunk.bytes(), (byte) -1));
            runs.finish(); // the next run may be on another queue
        }
    }

    /**
     * The first write of kernels outside of the values of a plan with margins, or into inputs, since the memory was
     * {@linkplain #poison filled}; empty if nothing.
     *
     * @param inputs of the run
     */
    public Optional<String> strayWrite(ExecutionPlan plan, Map<String, Tensor> inputs) {
        return queue == null ? Optional.empty() : new StrayWrites(queue, plan).first(device, inputs);
    }

    private void use(DeviceRuntime wanted) {
        if (runtime == wanted) {
            return;
        }
        leaveDevice();
        if (!wanted.begin()) {
            throw new IllegalStateException("the device is closed");
        }
        runtime = wanted;
    }

    private void closeDevice() {
        device.forEach(ClBuffer::close);
        device.clear();
    }

    private void leaveDevice() {
        closeDevice();
        closePinned();
        hasNoPinned = false;
        if (queue != null) {
            queue.close();
            queue = null;
        }
        unitQueues.values().forEach(ClQueue::close);
        unitQueues.clear();
        if (logged != null) {
            logged.close();
            logged = null;
        }
        if (runtime != null) {
            runtime.end();
            runtime = null;
        }
    }

    /** Gives everything back; it may be used again. */
    @Override
    public void close() {
        host.clear();
        arrays.clear();
        outputs.clear();
        leaveDevice();
    }
}
