package org.clinfer.serve;

import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.Tensor;

/**
 * The outputs of a model. Closing it closes its tensors.
 *
 * @param model the model's name
 * @param version the version that ran
 * @param id the request's id
 * @param outputs tensors by the names of outputs, in the model's order
 */
public record InferenceResponse(String model, String version, Optional<String> id, Map<String, Tensor> outputs)
        implements AutoCloseable {

    @Override
    public void close() {
        outputs.values().forEach(Tensor::close);
    }
}
