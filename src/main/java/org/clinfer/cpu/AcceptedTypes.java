package org.clinfer.cpu;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/** The element types an operator computes in, and the refusal of all others. */
record AcceptedTypes(String optype, Set<DType> types) {

    static final Set<DType> FLOATING = EnumSet.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);
    static final Set<DType> NUMERIC = EnumSet.of(
            DType.INT8,
            DType.INT16,
            DType.INT32,
            DType.INT64,
            DType.FLOAT16,
            DType.BFLOAT16,
            DType.FLOAT32,
            DType.FLOAT64);

    AcceptedTypes {
        types = Set.copyOf(types);
    }

    static AcceptedTypes floating(String optype) {
        return new AcceptedTypes(optype, FLOATING);
    }

    static AcceptedTypes numeric(String optype) {
        return new AcceptedTypes(optype, NUMERIC);
    }

    /** Why the type of the first output is not taken, or empty. */
    Optional<String> refusal(List<TensorType> outputs) {
        DType found = outputs.get(0).dtype();
        if (types.contains(found)) {
            return Optional.empty();
        }
        String taken = types.stream().sorted().map(DType::label).collect(Collectors.joining(", "));
        return Optional.of("the CPU implementation of " + optype + " takes " + taken + ", not " + found);
    }
}
