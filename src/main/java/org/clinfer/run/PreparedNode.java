package org.clinfer.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Node;
import org.clinfer.kernel.KernelArgument;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.kernel.TensorRef;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClBuildException;
import org.clinfer.opencl.ClKernel;
import org.clinfer.opencl.ClQueue;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.OutputNames;
import org.jspecify.annotations.Nullable;

/** The kernels of one node, built and with all arguments set, ready to be enqueued again and again. */
final class PreparedNode implements AutoCloseable {

    private static final class Ready {
        private final ClKernel kernel;
        private final long[] global;
        private final long @Nullable [] local;

        Ready(ClKernel kernel, KernelLaunch launch) {
            this.kernel = kernel;
            this.global = longs(launch.global());
            this.local = launch.local().isEmpty() ? null : longs(launch.local());
        }
    }

    private final List<Ready> launches = new ArrayList<>();

    /**
     * Builds the kernels of a node.
     *
     * @throws VariantBuildException if one does not build
     */
    PreparedNode(DeviceRuntime runtime, PlacedNode placed, DeviceMemory memory) {
        var variant = placed.variant().orElseThrow();
        try {
            for (KernelLaunch launch : variant.launches(placed.use(), runtime.facts())) {
                ClKernel kernel = runtime.kernel(launch);
                launches.add(new Ready(kernel, launch));
                bind(kernel, launch.arguments(), placed.node().node(), memory);
            }
        } catch (ClBuildException e) {
            close();
            throw new VariantBuildException(variant.optype(), e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static long[] longs(List<Long> sizes) {
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }

    private static void bind(ClKernel kernel, Map<String, KernelArgument> arguments, Node node, DeviceMemory memory) {
        arguments.forEach((name, argument) -> {
            if (argument instanceof KernelArgument.Buffer buffer) {
                kernel.arg(name, buffer(buffer.tensor(), node, memory));
            } else if (argument instanceof KernelArgument.Scalar scalar) {
                kernel.arg(name, scalar.bytes());
            } else if (argument instanceof KernelArgument.Local local) {
                kernel.local(name, local.bytes());
            } else {
                kernel.argNull(name);
            }
        });
    }

    private static ClBuffer buffer(TensorRef tensor, Node node, DeviceMemory memory) {
        return memory.buffer(
                tensor.output()
                        ? OutputNames.of(node, tensor.position())
                        : node.inputs().get(tensor.position()));
    }

    void enqueue(ClQueue queue) {
        for (Ready ready : launches) {
            queue.launch(ready.kernel, ready.global, ready.local);
        }
    }

    @Override
    public void close() {
        launches.forEach(ready -> ready.kernel.close());
        launches.clear();
    }
}
