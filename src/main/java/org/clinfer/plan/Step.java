package org.clinfer.plan;

import java.util.List;
import java.util.Set;
import org.clinfer.kernel.KernelLaunch;
import org.clinfer.place.PlacedNode;

/** One thing an executor does; steps run in order. */
public sealed interface Step {

    /** Copies a value from host to device memory. */
    record Upload(String value) implements Step {}

    /** Copies a value from device to host memory. */
    record Download(String value) implements Step {}

    /**
     * Runs a node's kernels.
     *
     * @param inPlace which tensors of its variadic argument need no launch, because they lie where they have to
     * @param done whether that is so for all of them
     * @param updates whether the output is the memory of the first input, which need not be copied there
     */
    record Launch(PlacedNode node, Set<Integer> inPlace, boolean done, boolean updates) implements Step {
        public Launch {
            inPlace = Set.copyOf(inPlace);
        }

        /** A launch whose output has memory of its own. */
        public Launch(PlacedNode node, Set<Integer> inPlace, boolean done) {
            this(node, inPlace, done, false);
        }

        /** The kernels that are launched; none where all is in place. */
        public List<KernelLaunch> kernels() {
            return done || node.launches().isEmpty()
                    ? List.of()
                    : node.launches().get().run().stream()
                            .filter(kernel -> !inPlace.contains(kernel.repeat()))
                            .filter(kernel -> !updates || !kernel.inputs().contains(0))
                            .toList();
        }
    }

    /**
     * Runs the kernels of several nodes in order, in one launch.
     *
     * @param nodes at least two kernels in all
     */
    record Chain(List<Launch> nodes) implements Step {
        public Chain {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * Runs a node's CPU implementation.
     *
     * @param done whether there is nothing to do, because its outputs are in place
     */
    record HostCall(PlacedNode node, boolean done) implements Step {}
}
