package org.clinfer.run;

import java.util.Objects;
import org.clinfer.kernel.TensorRef;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClException;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.OutputNames;
import org.jspecify.annotations.Nullable;

/** The memory of the tensors of one node on the device. */
final class NodeMemory {

    private final PlacedNode placed;
    private final DeviceMemory memory;
    private final @Nullable StaticPart statics;

    /**
     * Finds what the node's kernels keep, after those that run once before have run.
     *
     * @throws VariantException if the device does not take these
     */
    NodeMemory(PlacedNode placed, DeviceMemory memory) {
        this.placed = placed;
        this.memory = memory;
        try {
            this.statics = StaticPart.isNeeded(placed) ? memory.statics(placed) : null;
        } catch (ClException e) {
            throw new VariantException(placed.variant().orElseThrow(), e);
        }
    }

    ClBuffer buffer(TensorRef tensor) {
        int position = tensor.position();
        return switch (tensor.kind()) {
            case INPUT -> memory.buffer(placed.inputs().get(position));
            case OUTPUT -> memory.buffer(OutputNames.of(placed.form(), position));
            case SCRATCH -> {
                String name = memory.scratchName(placed, position);
                yield name.isEmpty() ? Objects.requireNonNull(statics).tensor(position) : memory.buffer(name);
            }
        };
    }
}
