package org.clinfer.cpu;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/** The element types an operator takes, and the refusal of others. */
record TypeRule(String optype, Set<DType> accepted) {

    static final Set<DType> FLOATING = Set.copyOf(EnumSet.range(DType.FLOAT16, DType.FLOAT64));
    static final Set<DType> NUMERIC = Set.copyOf(EnumSet.range(DType.INT8, DType.FLOAT64));
    static final Set<DType> BOOL = Set.of(DType.BOOL);
    static final Set<DType> WHOLE_BYTES = Set.copyOf(EnumSet.range(DType.INT8, DType.BOOL));

    /** Why one of {@code types} is not accepted, or empty. */
    Optional<String> refusal(List<TensorType> types) {
        return types.stream()
                .map(TensorType::dtype)
                .filter(dtype -> !accepted.contains(dtype))
                .findFirst()
                .map(dtype -> optype + " on the CPU does not take " + dtype);
    }

    /** {@link #refusal} of {@code types}, which must also be all the same. */
    Optional<String> refusalOfMixed(List<TensorType> types) {
        for (TensorType type : types) {
            if (type.dtype() != types.get(0).dtype()) {
                return Optional.of(
                        optype + " on the CPU does not mix " + types.get(0).dtype() + " and " + type.dtype());
            }
        }
        return refusal(types);
    }

    /** {@link #refusal} of the first input and the first output alone. */
    Optional<String> refusalOfMain(List<TensorType> inputs, List<TensorType> outputs) {
        return refusal(inputs.subList(0, Math.min(1, inputs.size())))
                .or(() -> refusal(outputs.subList(0, Math.min(1, outputs.size()))));
    }
}
