package org.clinfer.run;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.opencl.ClEvent;
import org.clinfer.opencl.ClQueue;
import org.clinfer.plan.Step;

/** The kernels that one node launches in every run. */
final class PreparedNode implements AutoCloseable {

    private final List<ReadyKernel> kernels = new ArrayList<>();

    /**
     * Builds the kernels of a node.
     *
     * @throws org.clinfer.opencl.ClException if that fails
     */
    PreparedNode(DeviceRuntime runtime, Step.Launch step, NodeMemory memory) {
        try {
            for (KernelLaunch launch : step.kernels()) {
                kernels.add(new ReadyKernel(runtime, launch, memory::buffer));
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    void enqueue(ClQueue queue) {
        kernels.forEach(kernel -> kernel.enqueue(queue));
    }

    /** The same with an event for each kernel. */
    List<ClEvent> enqueueTimed(ClQueue queue) {
        return kernels.stream().map(kernel -> kernel.enqueueTimed(queue)).toList();
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
