package org.clinfer.run;

import java.util.function.Function;
import org.clinfer.kernel.KernelArgument;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.TensorRef;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClQueue;
import org.jspecify.annotations.Nullable;

/** A kernel with all arguments set, ready to be enqueued again and again. */
final class ReadyKernel implements AutoCloseable {

    private final ClKernel kernel;
    private final long[] global;
    private final long @Nullable [] local;

    /**
     * Builds the kernel of a launch.
     *
     * @param buffers where the tensors of the node are
     * @throws org.clinfer.opencl.ClBuildException if it does not build
     */
    ReadyKernel(DeviceRuntime runtime, KernelLaunch launch, Function<TensorRef, ClBuffer> buffers) {
        this.kernel = runtime.kernel(launch);
        this.global = WorkGroups.longs(launch.global());
        this.local = WorkGroups.of(launch, runtime.facts());
        try {
            bind(launch, buffers);
        } catch (RuntimeException | Error e) {
            kernel.close();
            throw e;
        }
    }

    private void bind(KernelLaunch launch, Function<TensorRef, ClBuffer> buffers) {
        launch.arguments().forEach((name, argument) -> {
            if (argument instanceof KernelArgument.Buffer buffer) {
                kernel.arg(name, buffers.apply(buffer.tensor()));
            } else if (argument instanceof KernelArgument.Scalar scalar) {
                kernel.arg(name, scalar.bytes());
            } else if (argument instanceof KernelArgument.Local bytes) {
                kernel.local(name, bytes.bytes());
            } else {
                kernel.argNull(name);
            }
        });
    }

    void enqueue(ClQueue queue) {
        queue.launch(kernel, global, local);
    }

    @Override
    public void close() {
        kernel.close();
    }
}
