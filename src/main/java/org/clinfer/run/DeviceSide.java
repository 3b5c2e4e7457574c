package org.clinfer.run;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClQueue;
import org.clinfer.plan.ExecutionPlan;
import org.clinfer.plan.Step;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** What an executor has on a device: the plan's memory and kernels there, the queue of its runs, and their transfers. */
final class DeviceSide implements AutoCloseable {

    private final ExecutionPlan plan;
    private final RunSpace space;
    private final Parallel parallel;
    private final DeviceWeights weights;
    private final DeviceMemory memory;
    private final StagedValues staged;
    private final PreparedSteps prepared;
    private ClQueue queue;
    private @Nullable Transfers transfers;

    /** The mark that no commands are under way. */
    private boolean idle = true;

    /** The mark that values are on their way to the host. */
    private boolean arriving;

    /** Values of the host on their way to the device, whose own memory may be another value's meanwhile. */
    private final Map<String, ByteBuffer> copies = new HashMap<>();

    private DeviceSide(ExecutionPlan plan, Executor.Resources resources, DeviceWeights weights) {
        this.plan = plan;
        this.space = resources.space();
        this.parallel = resources.parallel();
        this.weights = weights;
        DeviceRuntime runtime = weights.runtime();
        runtime.begin(PreparedSteps.kernels(plan));
        this.memory = new DeviceMemory(runtime, plan, space.device(runtime, plan), weights);
        try {
            this.queue = space.queue(runtime);
            this.staged = StagedValues.of(plan, runtime.facts());
            this.prepared = prepared(runtime);
        } catch (RuntimeException | Error e) {
            memory.close();
            throw e;
        }
    }

    private PreparedSteps prepared(DeviceRuntime runtime) {
        PreparedSteps steps = new PreparedSteps(runtime, plan, memory);
        try {
            memory.prepared();
            return steps;
        } catch (RuntimeException | Error e) {
            steps.close();
            throw e;
        }
    }

    /**
     * Takes the plan's memory, uploads its constants and builds its kernels.
     *
     * @throws VariantException if the device does not take the kernels of a node
     * @throws org.clinfer.opencl.ClException if the device fails otherwise
     * @throws IllegalStateException if the weights are closed
     */
    static DeviceSide open(ExecutionPlan plan, Executor.Resources resources) {
        DeviceWeights weights = resources.weights().orElseThrow();
        if (!weights.begin()) {
            throw new IllegalStateException("the weights on the device are closed");
        }
        try {
            return new DeviceSide(plan, resources, weights);
        } catch (RuntimeException | Error e) {
            weights.end();
            throw e;
        }
    }

    DeviceRuntime runtime() {
        return weights.runtime();
    }

    DeviceMemory memory() {
        return memory;
    }

    /** The queue that runs use now. */
    ClQueue queue() {
        return queue;
    }

    /** Uses another queue from now on; gives the one before. */
    ClQueue use(ClQueue other) {
        ClQueue before = queue;
        queue = other;
        return before;
    }

    /** The queue of a unit of a processor. */
    ClQueue unitQueue(int unit) {
        return space.queue(runtime(), unit);
    }

    /** A queue that keeps its commands. */
    ClQueue loggedQueue() {
        return space.loggedQueue(runtime());
    }

    /** Begins a run, which {@link #endRun} ends. */
    void beginRun() {
        transfers = new Transfers(staged, space.pinned(runtime(), staged.bytes()), parallel);
    }

    void endRun() {
        if (transfers != null) {
            transfers.close();
            transfers = null;
        }
    }

    /** The transfers of the run that was begun. */
    Transfers transfers() {
        return Objects.requireNonNull(transfers, "no run was begun");
    }

    /** After a failure: waits until the device touches no host memory of this run any more, where it still can be waited for. */
    void settle(Throwable failure) {
        arriving = false;
        try {
            finish();
            memory.lent().end();
        } catch (RuntimeException | Error e) {
            space.leaveVisible();
            failure.addSuppressed(e);
        }
    }

    /** Waits for all commands. */
    void finish() {
        queue.finish();
        idle = true;
    }

    void enqueue(Step launch) {
        idle &= !prepared.hasKernels(launch);
        prepared.enqueue(launch, queue);
    }

    /** Carries out the kernels of a node and waits for them. */
    void runAlone(Step.Launch launch) {
        idle = false;
        prepared.runAlone(launch, queue);
        idle = true;
    }

    /**
     * Gives a value to the device, lent where that is planned.
     *
     * @param input the value of the caller that it is; null for a value of the run
     */
    void upload(String value, Tensor source, @Nullable Tensor input, KeptValues kept) {
        String whole = plan.deviceArena().wholes().get(value);
        if (plan.lent().contains(value)) {
            memory.lent().lendInput(value, source.bytes());
        } else if (whole == null || !plan.lent().contains(whole)) {
            send(value, source, input, kept);
        } else if (input == null || !kept.isUpdatable(whole, input)) {
            idle = false;
            queue.writeAsync(memory.buffer(value), 0, source.bytes()); // else the output is in the memory of the input
        }
    }

    /** Copies a value to the device; from where it is already, if it is. */
    private void send(String value, Tensor source, @Nullable Tensor input, KeptValues kept) {
        Optional<ByteBuffer> visible =
                memory.visible(value, Math.toIntExact(source.type().bytes()));
        if (visible.isPresent() && idle) {
            visible.get().put(source.bytes());
            return;
        }
        idle = false;
        ClBuffer target = memory.buffer(value);
        if (visible.isPresent() && input == null) {
            queue.writeAsync(target, 0, copy(value, source.bytes()));
            return;
        }
        if (input != null) {
            Optional<ClBuffer> there = kept.find(input, runtime());
            if (there.isPresent()) {
                queue.copy(there.get(), 0, target, 0, source.type().bytes());
                return;
            }
        }
        // the arena may give what is no input's memory to another value before the queue is finished
        transfers().send(queue, value, target, source.bytes(), input != null);
        if (input != null) {
            kept.sent(queue, runtime(), value, input, target);
        }
    }

    private ByteBuffer copy(String value, ByteBuffer bytes) {
        ByteBuffer copy = copies.computeIfAbsent(value, name -> ByteBuffer.allocateDirect(bytes.remaining()));
        return copy.clear().put(bytes).flip();
    }

    /** Begins to bring a value to the host, where it is after {@link #arrive}. */
    void download(String value, Tensor target) {
        ByteBuffer bytes = target.bytes();
        Optional<ByteBuffer> visible = memory.visible(value, bytes.remaining());
        if (visible.isEmpty()) {
            idle = false;
            arriving = true;
            transfers().fetch(queue, value, memory.buffer(value), bytes);
            return;
        }
        if (!idle) {
            finish();
        }
        bytes.put(visible.get());
    }

    /** Waits for values that were on their way to the host. */
    void arrive() {
        if (arriving) {
            transfers().arrive(queue);
            arriving = false;
            idle = true;
        }
    }

    /** Ends a run: the outputs that were wanted, when all commands are done. */
    Map<String, Tensor> results(RunOutputs outputs) {
        arrive();
        return outputs.of(this);
    }

    /** Begins to bring a result to the host, where it is after {@link #end}. */
    void fetch(String result, ByteBuffer target) {
        Optional<ByteBuffer> visible = memory.visible(result, target.remaining());
        if (visible.isPresent()) {
            transfers().show(visible.get(), target);
        } else if (target.hasRemaining()) {
            idle = false;
            transfers().fetch(queue, result, memory.buffer(result), target);
        }
    }

    /** Keeps a result where it is. */
    Tensor keep(String result, KeptValues kept) {
        idle = false;
        return kept.made(queue, runtime(), result, plan.type(result), memory.buffer(result));
    }

    /** Lets the host see a result in memory that was lent. */
    void show(String result) {
        idle = false;
        memory.lent().show(plan.owner(result), queue);
    }

    /** Waits until all results are where they are wanted. */
    void end() {
        if (idle) {
            transfers().arrived();
        } else {
            transfers().arrive(queue);
            idle = true;
        }
        memory.lent().end();
    }

    @Override
    public void close() {
        prepared.close();
        memory.close();
        weights.end();
    }
}
