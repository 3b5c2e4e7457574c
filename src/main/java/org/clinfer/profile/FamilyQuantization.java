package org.clinfer.profile;

import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.DType;

/**
 * The types that the tensors of a float32 network have after a family's own quantization.
 *
 * @param types the types that it can be quantized or converted to; empty: none, so that to ask for one means nothing
 * @param kinds the kinds of operators that compute with quantized values where integers are asked for; empty: all
 * @param bias the type of their biases; empty: as the others
 * @param results the type that they give; empty: as they take
 * @param others the type of the tensors of all other operators; empty: the one that is asked for
 * @param source the document
 */
public record FamilyQuantization(
        List<DType> types,
        List<String> kinds,
        Optional<DType> bias,
        Optional<DType> results,
        Optional<DType> others,
        String source) {

    public FamilyQuantization {
        types = List.copyOf(types);
        kinds = List.copyOf(kinds);
    }

    /**
     * {@return whether a use of an operator that is of these kinds computes with quantized values}
     *
     * @param of the kinds of the use
     */
    public boolean isQuantized(List<String> of) {
        return kinds.isEmpty() || of.stream().anyMatch(kinds::contains);
    }
}
