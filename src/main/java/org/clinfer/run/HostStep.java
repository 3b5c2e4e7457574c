package org.clinfer.run;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.cpu.call.FloatArrays;
import org.clinfer.cpu.call.PackedWeights;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.plan.OutputNames;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A node of a plan on the CPU, with everything that is the same in every run. */
final class HostStep {

    private final HostMemory memory;
    private final HostNode node;
    private final List<Value> inputs = new ArrayList<>();
    private final List<Value> outputs = new ArrayList<>();
    private @Nullable FloatArrays arrays;

    /** A value that the node reads or writes; without a type where an input is left out. */
    private record Value(String name, @Nullable TensorType type) {}

    HostStep(PlacedNode placed, HostOperators operators, PackedWeights packed, HostMemory memory) {
        this.memory = memory;
        Node written = placed.form();
        List<@Nullable Tensor> constants = new ArrayList<>();
        for (int i = 0; i < written.inputs().size(); i++) {
            TensorType type = placed.inputTypes().get(i);
            inputs.add(new Value(written.inputs().get(i), type));
            constants.add(type == null ? null : memory.constant(written.inputs().get(i)));
        }
        for (int i = 0; i < written.outputs().size(); i++) {
            outputs.add(
                    new Value(OutputNames.of(written, i), placed.outputTypes().get(i)));
        }
        this.node = operators.prepared(placed.node(), packed, constants);
    }

    void run(Parallel parallel) {
        List<@Nullable Tensor> from = new ArrayList<>(inputs.size());
        for (Value input : inputs) {
            from.add(tensor(input));
        }
        List<Tensor> to = new ArrayList<>(outputs.size());
        for (Value output : outputs) {
            Tensor tensor = tensor(output);
            if (tensor != null) {
                to.add(tensor);
            }
        }
        node.run(from, to, arrays(), parallel);
    }

    /** The values that lie in arrays: the same in every run. */
    private FloatArrays arrays() {
        FloatArrays known = arrays;
        if (known == null) {
            known = memory.hasArrays() ? new FloatArrays(arrays(inputs), arrays(outputs)) : FloatArrays.NONE;
            arrays = known;
        }
        return known;
    }

    private List<@Nullable FloatBuffer> arrays(List<Value> values) {
        List<@Nullable FloatBuffer> all = new ArrayList<>(values.size());
        for (Value value : values) {
            all.add(value.type == null ? null : memory.array(value.name, value.type));
        }
        return all;
    }

    private @Nullable Tensor tensor(Value value) {
        return value.type == null ? null : memory.tensor(value.name, value.type);
    }
}
