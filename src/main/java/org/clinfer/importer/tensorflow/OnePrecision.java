package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The values that operators take, each in the precision of its operator. */
final class OnePrecision {

    private final TfGraphWriter graph;
    private final Map<String, TfValue> converted = new HashMap<>();

    OnePrecision(TfGraphWriter graph) {
        this.graph = graph;
    }

    /**
     * The inputs of a node in the precision that it has itself: converters store weights in 16 bits, and say so of the operators
     * or not, but not of the inputs.
     */
    List<TfValue> of(TfNode node, List<TfValue> inputs) {
        Optional<DType> wanted = precision(node, "T");
        if (wanted.isEmpty()) {
            return inputs;
        }
        Optional<DType> statistics = precision(node, "U");
        List<TfValue> result = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            result.add(inPrecision(inputs.get(i), i > 0 ? statistics.or(() -> wanted) : wanted, node));
        }
        return result;
    }

    /** Operators of values of several types have a list of them. */
    private static Optional<DType> precision(TfNode node, String attribute) {
        return node.singleType(attribute)
                .flatMap(TfElementTypes::find)
                .filter(type -> type == DType.FLOAT16 || type == DType.FLOAT32);
    }

    private TfValue inPrecision(TfValue value, Optional<DType> wanted, TfNode node) {
        DType to = wanted.orElseThrow();
        DType other = to == DType.FLOAT16 ? DType.FLOAT32 : DType.FLOAT16;
        if (!value.dtype().equals(Optional.of(other))) {
            return value;
        }
        String key = value.name() + "^" + to.label();
        TfValue known = converted.get(key);
        if (known == null) {
            Optional<Tensor> tensor = graph.constant(value);
            known = tensor.isPresent()
                    ? graph.constant(graph.freshName(value.name()), tensor.get().to(to))
                    : graph.converted(value, to, node);
            converted.put(key, known);
        }
        return known;
    }
}
