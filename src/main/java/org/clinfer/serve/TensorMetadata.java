package org.clinfer.serve;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.Model;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.TensorType;

/**
 * An input or output of a model.
 *
 * @param name its name
 * @param type the type of its elements
 * @param shape its dimensions; -1 where a request or the model's data decide
 */
public record TensorMetadata(String name, DType type, List<Long> shape) {

    private static final long OPEN = -1;

    public TensorMetadata {
        shape = List.copyOf(shape);
    }

    /** @param joins whether requests are joined along the first dimension */
    static List<TensorMetadata> inputs(Model model, boolean joins) {
        return model.inputs().stream()
                .map(input -> of(input.name(), input.type(), joins))
                .toList();
    }

    /** Outputs whose type cannot be known before a run are float32 of no known rank, with one open dimension. */
    static List<TensorMetadata> outputs(Model model, boolean joins) {
        Map<String, Optional<TensorType>> types = model.outputTypes();
        return model.outputs().stream()
                .map(output -> types.getOrDefault(output, Optional.empty())
                        .map(type -> of(output, type, joins))
                        .orElseGet(() -> new TensorMetadata(output, DType.FLOAT32, List.of(OPEN))))
                .toList();
    }

    private static TensorMetadata of(String name, TensorType type, boolean joins) {
        List<Long> shape = new ArrayList<>();
        for (Dim dim : type.shape().dims()) {
            shape.add(dim instanceof Dim.Known known && !(joins && shape.isEmpty()) ? known.size() : OPEN);
        }
        return new TensorMetadata(name, type.dtype(), shape);
    }
}
