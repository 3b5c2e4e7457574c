package org.clinfer.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.clinfer.graph.Node;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.KernelPlan;
import org.clinfer.kernel.TensorRef;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClQueue;
import org.clinfer.place.PlacedNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data that a node's kernels keep between runs: static tensors, filled by {@code static_run} when this is made.
 * Closing it runs {@code post_run} and gives the memory back.
 */
final class StaticPart implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StaticPart.class);

    /** The facts on which the contents depend beside the weights of a model: equal keys have equal contents. */
    record Key(
            String node,
            List<String> inputs,
            List<KernelPlan.Scratch> scratch,
            List<KernelLaunch> staticRun,
            List<KernelLaunch> postRun) {
        static Key of(PlacedNode placed) {
            KernelPlan launches = placed.launches().orElseThrow();
            Node node = placed.form();
            return new Key(node.name(), node.inputs(), launches.scratch(), launches.staticRun(), launches.postRun());
        }
    }

    private final DeviceRuntime runtime;
    private final PlacedNode placed;
    private final KernelPlan launches;
    private final Map<Integer, ClBuffer> constants = new HashMap<>();
    private final List<@Nullable ClBuffer> tensors = new ArrayList<>();

    private StaticPart(DeviceRuntime runtime, PlacedNode placed) {
        this.runtime = runtime;
        this.placed = placed;
        this.launches = placed.launches().orElseThrow();
    }

    /** {@return whether the kernels of a node keep anything} */
    static boolean isNeeded(PlacedNode placed) {
        KernelPlan launches = placed.launches().orElseThrow();
        return launches.scratch().stream().anyMatch(KernelPlan.Scratch::isStatic)
                || !launches.postRun().isEmpty();
    }

    /**
     * Allocates and fills the static tensors of a node.
     *
     * @param memory where its constants are
     * @param pool where the static tensors are to lie
     */
    static StaticPart of(DeviceRuntime runtime, PlacedNode placed, DeviceMemory memory, BufferPool pool) {
        StaticPart part = new StaticPart(runtime, placed);
        try {
            for (KernelPlan.Scratch scratch : part.launches.scratch()) {
                part.tensors.add(scratch.isStatic() ? pool.take(scratch.type().bytes()) : null);
            }
            part.fill(memory);
            return part;
        } catch (RuntimeException | Error e) {
            part.release();
            throw e;
        }
    }

    /** Constants that nothing else reads are on the device only for this. */
    private void fill(DeviceMemory memory) {
        List<String> inputs = placed.inputs();
        Map<Integer, ClBuffer> passing = new HashMap<>();
        try {
            for (int i = 0; i < inputs.size(); i++) {
                if (memory.isConstant(inputs.get(i)) && memory.isKept(inputs.get(i))) {
                    constants.put(i, memory.buffer(inputs.get(i)));
                }
            }
            for (KernelLaunch launch : launches.staticRun()) {
                for (int input : launch.inputs()) {
                    if (!constants.containsKey(input) && !passing.containsKey(input)) {
                        passing.put(input, memory.uploaded(inputs.get(input)));
                    }
                }
            }
            constants.putAll(passing);
            launch(launches.staticRun());
        } finally {
            constants.keySet().removeAll(passing.keySet());
            passing.values().forEach(ClBuffer::close);
            memory.passed();
        }
    }

    private void launch(List<KernelLaunch> kernels) {
        if (kernels.isEmpty()) {
            return;
        }
        List<ReadyKernel> ready = new ArrayList<>();
        try (ClQueue queue = runtime.context().queue(false)) {
            for (KernelLaunch launch : kernels) {
                ready.add(new ReadyKernel(runtime, launch, this::buffer));
            }
            try {
                ready.forEach(kernel -> kernel.enqueue(queue));
                queue.finish();
            } catch (RuntimeException | Error failure) {
                settle(queue, failure);
                throw failure;
            }
        } finally {
            ready.forEach(ReadyKernel::close);
        }
    }

    /** Kernels that have begun may read constants where the model has them, which it may give up next. */
    private static void settle(ClQueue queue, Throwable failure) {
        try {
            queue.finish();
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    private ClBuffer buffer(TensorRef tensor) {
        return Objects.requireNonNull(
                tensor.kind() == TensorRef.Kind.SCRATCH
                        ? tensors.get(tensor.position())
                        : constants.get(tensor.position()));
    }

    /** The static tensor at this position among the scratch tensors. */
    ClBuffer tensor(int position) {
        return Objects.requireNonNull(tensors.get(position));
    }

    private void release() {
        for (ClBuffer tensor : tensors) {
            if (tensor != null) {
                tensor.close();
            }
        }
        tensors.clear();
    }

    @Override
    public void close() {
        if (!tensors.isEmpty() || !launches.postRun().isEmpty()) {
            try {
                launch(launches.postRun());
            } catch (RuntimeException | OutOfMemoryError failed) {
                LOG.warn("post_run of {} failed", placed.form(), failed);
            }
        }
        release();
    }
}
