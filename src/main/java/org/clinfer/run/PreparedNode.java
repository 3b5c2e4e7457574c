package org.clinfer.run;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.kernel.KernelLaunch;
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
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** {@return whether there is one that is launched} */
    boolean hasKernels() {
        return !kernels.isEmpty();
    }

    void enqueue(ClQueue queue) {
        kernels.forEach(kernel -> kernel.enqueue(queue));
    }

    @Override
    public void close() {
        kernels.forEach(ReadyKernel::close);
        kernels.clear();
    }
}
