package org.clinfer.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.TensorRef;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.opencl.ClEvent;
import org.clinfer.opencl.ClQueue;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.OutputNames;
import org.clinfer.plan.Step;
import org.jspecify.annotations.Nullable;

/** The kernels that one node launches in every run. */
final class PreparedNode implements AutoCloseable {

    private final PlacedNode placed;
    private final DeviceMemory memory;
    private final @Nullable StaticPart statics;
    private final List<ReadyKernel> kernels = new ArrayList<>();

    /**
     * Builds the kernels of a node, after those that run once before have run.
     *
     * @throws VariantBuildException if one does not build
     */
    PreparedNode(DeviceRuntime runtime, Step.Launch step, DeviceMemory memory) {
        this.placed = step.node();
        this.memory = memory;
        try {
            this.statics = StaticPart.isNeeded(placed) ? memory.statics(placed) : null;
            for (KernelLaunch launch : placed.launches().orElseThrow().run()) {
                if (!step.done() && !step.inPlace().contains(launch.repeat())) {
                    kernels.add(new ReadyKernel(runtime, launch, this::buffer));
                }
            }
        } catch (ClBuildException e) {
            close();
            throw new VariantBuildException(placed.variant().orElseThrow().optype(), e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private ClBuffer buffer(TensorRef tensor) {
        int position = tensor.position();
        return switch (tensor.kind()) {
            case INPUT -> memory.buffer(placed.node().node().inputs().get(position));
            case OUTPUT -> memory.buffer(OutputNames.of(placed.node().node(), position));
            case SCRATCH -> {
                String name = memory.scratchName(placed, position);
                yield name.isEmpty() ? Objects.requireNonNull(statics).tensor(position) : memory.buffer(name);
            }
        };
    }

    void enqueue(ClQueue queue) {
        kernels.forEach(kernel -> kernel.enqueue(queue));
    }

    /** Runs the kernels one by one on a queue with profiling; how long they took by the device's clock. */
    long timedNanos(ClQueue queue) {
        long nanos = 0;
        for (ReadyKernel kernel : kernels) {
            try (ClEvent event = kernel.enqueueTimed(queue)) {
                event.await();
                nanos += event.durationNanos();
            }
        }
        return nanos;
    }

    @Override
    public void close() {
        kernels.forEach(ReadyKernel::close);
        kernels.clear();
    }
}
