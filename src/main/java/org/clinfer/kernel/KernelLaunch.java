package org.clinfer.kernel;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One kernel launch, complete but for the memory.
 *
 * @param file kernel file below {@code kernels-cl}
 * @param entry entry point
 * @param options build options
 * @param arguments by parameter name, in the kernel's order
 * @param repeat which tensor of a variadic argument it is for, or -1 where it is for all
 * @param global work-items per dimension, 1 to 3 dimensions
 * @param local work-group size per dimension, or empty for the driver's choice
 */
public record KernelLaunch(
        String file,
        String entry,
        String options,
        Map<String, KernelArgument> arguments,
        int repeat,
        List<Long> global,
        List<Long> local) {

    public KernelLaunch {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
        global = List.copyOf(global);
        local = List.copyOf(local);
    }

    /** The positions, among the inputs of the node, of the tensors that it reads. */
    public List<Integer> inputs() {
        return arguments.values().stream()
                .filter(KernelArgument.Buffer.class::isInstance)
                .map(argument -> ((KernelArgument.Buffer) argument).tensor())
                .filter(tensor -> tensor.kind() == TensorRef.Kind.INPUT)
                .map(TensorRef::position)
                .distinct()
                .toList();
    }
}
